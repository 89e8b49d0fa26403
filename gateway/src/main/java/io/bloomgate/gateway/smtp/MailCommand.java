package io.bloomgate.gateway.smtp;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.MailAddress;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The argument of MAIL (RFC 5321 section 4.1.1.2) with its parameters (RFC 1870, RFC 6152, RFC
 * 6531, RFC 3461); whether these were offered is for the session to judge. Parameters of a delivery
 * report are a courtesy: what does not parse there is dropped, because no mail may bounce for it.
 * Immutable.
 *
 * @param from the reverse-path, relayed as it came
 * @param sizeOctets announced size, -1 when none
 * @param body {@code null} when none
 * @param ret RET=, {@code null} when none
 * @param envid ENVID= as xtext, {@code null} when none
 */
public record MailCommand(
    ReversePath from,
    long sizeOctets,
    @Nullable Body body,
    boolean smtpUtf8,
    @Nullable String ret,
    @Nullable String envid) {

  private static final String SYNTAX = "Syntax: MAIL FROM:<address> [parameters]; ";

  /** One without parameters. */
  public MailCommand(ReversePath from) {
    this(from, -1, null, false, null, null);
  }

  /** BODY=. */
  public enum Body {
    SEVEN_BIT("7BIT"),
    EIGHT_BIT_MIME("8BITMIME");

    private final String keyword;

    Body(String keyword) {
      this.keyword = keyword;
    }

    /** The keyword on the wire. */
    public String keyword() {
      return keyword;
    }
  }

  /** Reads what follows the verb. */
  public static MailCommand parse(String argument) throws ArgumentException {
    PathScanner path = PathScanner.behind("FROM:", argument, SYNTAX);
    ReversePath from = path.mailbox().isEmpty() ? ReversePath.NULL : reversePath(path);
    Map<String, String> words = path.parameters();
    MailCommand mail =
        words.isEmpty() ? new MailCommand(from) : new Parameters().readAll(from, words);
    if (path.isInternational() && !mail.smtpUtf8) {
      throw new ArgumentException(Replies.ADDRESS_NEEDS_SMTPUTF8);
    }
    return mail;
  }

  /** A source route is dropped: RFC 5321 section 3.3 and appendix F.2 allow it. */
  private static ReversePath reversePath(PathScanner path) {
    String mailbox = path.mailbox();
    MailAddress address = MailAddress.parse(mailbox).toOptional().orElse(null);
    return new ReversePath(mailbox, address, domain(path, address));
  }

  private static @Nullable DomainName domain(PathScanner path, @Nullable MailAddress address) {
    if (path.isLiteral()) {
      return null;
    }
    return address != null && address.host() instanceof MailAddress.Host.Name(DomainName name)
        ? name
        : DomainName.asked(path.domain()).orElse(null);
  }

  /**
   * The reverse-path of an argument that is refused, for the log; {@code null} when none can be
   * read.
   */
  public static @Nullable String pathOf(String argument) {
    return PathScanner.mailboxBehind("FROM:", argument);
  }

  /** True when a DSN parameter of RFC 3461 was given. */
  public boolean usesDsn() {
    return ret != null || envid != null;
  }

  /** Reads the parameters one by one. */
  private static final class Parameters {

    /** RFC 3461 section 4.4. */
    private static final int MAX_ENVID_CHARACTERS = 100;

    private long size = -1;
    private @Nullable Body body;
    private boolean smtpUtf8;
    private @Nullable String ret;
    private @Nullable String envid;

    private MailCommand readAll(ReversePath from, Map<String, String> words)
        throws ArgumentException {
      for (Map.Entry<String, String> word : words.entrySet()) {
        read(word.getKey(), word.getValue());
      }
      return new MailCommand(from, size, body, smtpUtf8, ret, envid);
    }

    private void read(String keyword, String value) throws ArgumentException {
      switch (keyword) {
        case "SIZE" -> size = size(value);
        case "BODY" -> body = body(value.toUpperCase(Locale.ROOT));
        case "SMTPUTF8" -> {
          if (!value.isEmpty()) {
            throw new ArgumentException(Replies.syntax("SMTPUTF8 takes no value"));
          }
          smtpUtf8 = true;
        }
        case "RET" -> {
          String asked = value.toUpperCase(Locale.ROOT);
          ret = asked.equals("FULL") || asked.equals("HDRS") ? asked : null;
        }
        case "ENVID" -> {
          boolean formed =
              !value.isEmpty() && value.length() <= MAX_ENVID_CHARACTERS && Xtext.isValid(value);
          envid = formed ? value : null;
        }
        case "AUTH" -> {
          // RFC 4954 section 5: without AUTH it says nothing; some clients send it nevertheless.
        }
        default -> throw new ArgumentException(Replies.UNKNOWN_PARAMETER);
      }
    }

    private static long size(String digits) throws ArgumentException {
      boolean formed = !digits.isEmpty();
      for (int i = 0; i < digits.length(); i++) {
        formed &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
      }
      if (!formed) {
        throw new ArgumentException(Replies.syntax("SIZE must be a number of octets"));
      }
      try {
        return Long.parseLong(digits);
      } catch (NumberFormatException e) {
        // Any limit of ours is below that.
        return Long.MAX_VALUE;
      }
    }

    private static Body body(String value) throws ArgumentException {
      for (Body known : Body.values()) {
        if (known.keyword().equals(value)) {
          return known;
        }
      }
      throw new ArgumentException(Replies.syntax("BODY must be 7BIT or 8BITMIME"));
    }
  }
}
