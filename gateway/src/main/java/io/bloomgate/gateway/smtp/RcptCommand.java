package io.bloomgate.gateway.smtp;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.settings.OwnDomains;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The argument of RCPT (RFC 5321 section 4.1.1.3): the forward-path, relayed as it came, with its
 * parameters (RFC 3461 section 4), of which what does not parse is dropped, as in {@link
 * MailCommand}. Immutable.
 *
 * @param to what is between the angle brackets
 * @param localPart lower-case, without needless quotes
 * @param domain lower-case A-labels; as it came where it is not {@link Spelling#CANONICAL}; empty
 *     for the bare {@code postmaster}
 * @param spelling how the domain was written
 * @param notifyOn NOTIFY= value, {@code null} when none
 * @param orcpt ORCPT= value as given, {@code null} when none
 * @param relayTrick true for a form that asks us or the mail server to relay elsewhere: source
 *     route, address literal, percent or bang path, an at sign inside quotes
 */
public record RcptCommand(
    String to,
    String localPart,
    String domain,
    Spelling spelling,
    @Nullable String notifyOn,
    @Nullable String orcpt,
    boolean relayTrick) {

  private static final String SYNTAX = "Syntax: RCPT TO:<address> [parameters]; ";
  private static final String POSTMASTER = "postmaster";

  /** RFC 3461 section 4.2. */
  private static final int MAX_ORCPT_CHARACTERS = 500;

  /** RFC 3461 section 4.2: the type of an address is an atom. */
  private static final Pattern ADDRESS_TYPE = Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+");

  private static final Set<String> EVENTS = Set.of("SUCCESS", "FAILURE", "DELAY");

  /**
   * The spelling of a recipient's domain: the mail server gets it as written, and may read it in
   * another way.
   */
  public enum Spelling {
    /** A name as A-labels or canonical U-labels, in any case; or a single label of ASCII. */
    CANONICAL,
    /** A name only behind a mapping: full-width letters, soft hyphens, other dots. */
    DISGUISED,
    /** No domain name. */
    INVALID
  }

  /** One for a mail server, of which nothing but the forward-path is known. */
  public RcptCommand(String to) {
    this(to, "", "", Spelling.CANONICAL, null, null, false);
  }

  /**
   * Reads what follows the verb.
   *
   * @param smtpUtf8 true when this transaction's MAIL had SMTPUTF8
   */
  public static RcptCommand parse(String argument, boolean smtpUtf8) throws ArgumentException {
    PathScanner path = PathScanner.behind("TO:", argument, SYNTAX);
    if (path.mailbox().isEmpty()) {
      throw new ArgumentException(Replies.syntax(SYNTAX + "the address is empty"));
    }
    // RFC 5321 section 4.1.1.3: only postmaster may have no domain.
    String local = path.plainLocalPart();
    if (path.domain().isEmpty() && !local.equals(POSTMASTER)) {
      throw new ArgumentException(Replies.syntax(SYNTAX + "the address has no domain"));
    }
    if (path.isInternational() && !smtpUtf8) {
      throw new ArgumentException(Replies.ADDRESS_NEEDS_SMTPUTF8);
    }
    Map<String, String> words = path.parameters();
    for (String keyword : words.keySet()) {
      if (!keyword.equals("NOTIFY") && !keyword.equals("ORCPT")) {
        throw new ArgumentException(Replies.UNKNOWN_PARAMETER);
      }
    }
    DomainName name = DomainName.orNull(path.domain());
    Spelling spelling = spelling(path.domain(), name);
    @Nullable String notifyOn = words.get("NOTIFY");
    @Nullable String orcpt = words.get("ORCPT");
    boolean report = notifyOn != null && isNotify(notifyOn.toUpperCase(Locale.ROOT));
    boolean original = orcpt != null && isOrcpt(orcpt);
    return new RcptCommand(
        path.mailbox(),
        local,
        domain(path.domain(), name, spelling),
        spelling,
        report ? notifyOn : null,
        original ? orcpt : null,
        isTrick(path, local));
  }

  private static Spelling spelling(String written, @Nullable DomainName name) {
    if (name != null) {
      return name.isSpelled(written) ? Spelling.CANONICAL : Spelling.DISGUISED;
    }
    // An own domain may be a single label, or what only its mail server takes for a name.
    return isAscii(written) && written.indexOf('.') < 0 ? Spelling.CANONICAL : Spelling.INVALID;
  }

  private static String domain(String written, @Nullable DomainName name, Spelling spelling) {
    if (name != null) {
      return spelling == Spelling.CANONICAL ? name.toString() : written;
    }
    return isAscii(written) ? written.toLowerCase(Locale.ROOT) : written;
  }

  private static boolean isAscii(String text) {
    return StandardCharsets.US_ASCII.newEncoder().canEncode(text);
  }

  /**
   * True for a recipient of ours; the bare {@code postmaster} is (RFC 5321 section 4.5.1). A domain
   * in disguise is not: the mail server would get it as it came.
   */
  public boolean isIn(OwnDomains own) {
    return domain.isEmpty()
        || switch (spelling) {
          case CANONICAL -> own.contains(domain);
          case DISGUISED -> false;
          case INVALID -> own.isNamed(domain);
        };
  }

  /**
   * Looks behind compatibility forms: a mail server may map the full-width %, ! and @ (RFC 8265).
   */
  private static boolean isTrick(PathScanner path, String plain) {
    String local =
        path.isInternational() ? Normalizer.normalize(plain, Normalizer.Form.NFKC) : plain;
    return path.hasRoute()
        || path.isLiteral()
        || local.indexOf('%') >= 0
        || local.indexOf('!') >= 0
        || local.indexOf('@') >= 0;
  }

  private static boolean isNotify(String value) {
    return value.equals("NEVER") || EVENTS.containsAll(List.of(value.split(",", -1)));
  }

  private static boolean isOrcpt(String value) {
    int semicolon = value.indexOf(';');
    return semicolon > 0
        && ADDRESS_TYPE.matcher(value.substring(0, semicolon)).matches()
        && semicolon < value.length() - 1
        && value.length() <= MAX_ORCPT_CHARACTERS
        && Xtext.isValid(value.substring(semicolon + 1));
  }

  /**
   * The forward-path of an argument that is refused, for the log; {@code null} when none can be
   * read.
   */
  public static @Nullable String pathOf(String argument) {
    return PathScanner.mailboxBehind("TO:", argument);
  }

  /** True when a DSN parameter of RFC 3461 was given. */
  public boolean usesDsn() {
    return notifyOn != null || orcpt != null;
  }
}
