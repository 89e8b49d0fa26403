package io.bloomgate.gateway.session;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The verb table. Immutable. */
final class Verbs {

  /** RCPT is no {@code commands} in the sense of the limits (contract, section 2). */
  static final String RCPT = "RCPT";

  private static final Verb NOT_IMPLEMENTED = new NotImplementedVerb();

  private static final Map<String, Verb> TABLE =
      Map.ofEntries(
          Map.entry("HELO", new HeloVerb()),
          Map.entry("EHLO", new EhloVerb()),
          Map.entry("MAIL", new MailVerb()),
          Map.entry(RCPT, new RcptVerb()),
          Map.entry("DATA", new DataVerb()),
          Map.entry("RSET", new RsetVerb()),
          Map.entry("NOOP", new NoopVerb()),
          Map.entry("VRFY", new VrfyVerb()),
          Map.entry("HELP", new HelpVerb()),
          Map.entry("QUIT", new QuitVerb()),
          Map.entry("STARTTLS", new StartTlsVerb()),
          Map.entry("XCLIENT", new XclientVerb()),
          Map.entry("BDAT", new BdatVerb()),
          Map.entry("GET", HttpVerb.INSTANCE),
          Map.entry("HEAD", HttpVerb.INSTANCE),
          Map.entry("POST", HttpVerb.INSTANCE),
          Map.entry("PUT", HttpVerb.INSTANCE),
          Map.entry("PATCH", HttpVerb.INSTANCE),
          Map.entry("DELETE", HttpVerb.INSTANCE),
          Map.entry("OPTIONS", HttpVerb.INSTANCE),
          Map.entry("CONNECT", HttpVerb.INSTANCE),
          Map.entry("AUTH", NOT_IMPLEMENTED),
          Map.entry("EXPN", NOT_IMPLEMENTED));

  private Verbs() {}

  /**
   * The verb of a line; {@code null} for none.
   *
   * @param name its first word, in upper case
   */
  static @Nullable Verb of(String name, String line) {
    Verb verb = TABLE.get(name);
    return verb == null && HttpVerb.isRequest(line) ? HttpVerb.INSTANCE : verb;
  }
}
