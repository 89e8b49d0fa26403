package io.bloomgate.config.settings;

import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.yaml.Section;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code report}: the daily report by mail. Immutable; read by the gateway.
 *
 * @param to the recipient as written; {@code null} for no mail
 * @param at when it is sent, in the time zone of the machine
 */
public record ReportSettings(@Nullable String to, LocalTime at) {

  /** Octets of a path that every server takes (RFC 5321 section 4.5.3.1.3). */
  private static final int MAX_OCTETS = 254;

  /** Reads a mailbox that mail is sent to. */
  static final Values.Reader<String> MAILBOX =
      Values.noted("mail address", ReportSettings::recipient);

  /** Reads the section; a recipient elsewhere is possible, and rarely meant. */
  static ReportSettings bind(Section s, List<String> domains) {
    String to = s.orNull("to", MAILBOX);
    s.warnIf(
        to != null && !isAt(to, OwnDomains.of(domains)),
        "to",
        "the report goes to an address that is not at one of our domains",
        "the mail server may refuse to relay it; name a mailbox at one of `domains`");
    return new ReportSettings(
        to, s.value("at", "07:00", Values.noted("time of day", ReportSettings::time)));
  }

  /**
   * An address that the report can be sent to.
   *
   * @return the text as it is
   */
  public static String recipient(String text) throws BadValueException {
    boolean plain = text.length() <= MAX_OCTETS && text.matches("[!-~]+") && !text.contains("<");
    if (plain
        && MailAddress.parse(text)
            instanceof Parsed.Ok<MailAddress>(MailAddress(var _, MailAddress.Host.Name _), var _)) {
      return text;
    }
    throw BadValueException.of(
        text, "is not a mail address", "write a mailbox, as postmaster@example.com");
  }

  /** True when the domain of an address that {@link #recipient} took is ours. */
  public static boolean isAt(String address, OwnDomains own) {
    return own.contains(domain(address));
  }

  /** The domain of an address that {@link #recipient} took, as A-labels. */
  public static String domain(String address) {
    return MailAddress.parse(address).toOptional().orElseThrow().host().toString();
  }

  private static LocalTime time(String text) throws BadValueException {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeParseException e) {
      throw BadValueException.of(
          text, "is not a time of the day", "write hours and minutes: \"07:00\"");
    }
  }
}
