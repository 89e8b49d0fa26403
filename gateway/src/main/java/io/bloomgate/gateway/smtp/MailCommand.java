package io.bloomgate.gateway.smtp;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.MailAddress;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The argument of MAIL (RFC 5321 section 4.1.1.2): the reverse-path, relayed as it came and
 * compared by its normal form, with its parameters (RFC 1870, RFC 6152, RFC 6531, RFC 3461);
 * whether these were offered is for the session to judge. Parameters of a delivery report are a
 * courtesy: what does not parse there is dropped, because no mail may bounce for it. Immutable.
 *
 * @param from what is between the angle brackets, without a source route; empty for the null
 *     reverse-path, and a local part alone as it is (printers and cron send {@code root})
 * @param sender its normal form for lists; {@code null} for the null reverse-path and for an
 *     address that no list can hold
 * @param senderDomain what follows the at sign, asked whatever comes before it, and as far as it
 *     can be read ({@link DomainName#asked}); {@code null} for the null reverse-path, an address
 *     literal and a name of which no two labels can be read
 * @param sizeOctets announced size, -1 when none
 * @param body {@code null} when none
 * @param ret RET=, {@code null} when none
 * @param envid ENVID= as xtext, {@code null} when none
 */
public record MailCommand(
    String from,
    @Nullable MailAddress sender,
    @Nullable DomainName senderDomain,
    long sizeOctets,
    @Nullable Body body,
    boolean smtpUtf8,
    @Nullable String ret,
    @Nullable String envid) {

  private static final String SYNTAX = "Syntax: MAIL FROM:<address> [parameters]; ";

  /** One of which nothing but the reverse-path is known. */
  public MailCommand(String from) {
    this(from, null, null, -1, null, false, null, null);
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
    // A source route is dropped: RFC 5321 section 3.3 and appendix F.2 allow it.
    String from = path.mailbox();
    MailAddress sender = MailAddress.orNull(from);
    DomainName domain = from.isEmpty() ? null : domain(path, sender);
    MailCommand bare = new MailCommand(from, sender, domain, -1, null, false, null, null);
    Map<String, String> words = path.parameters();
    MailCommand mail = words.isEmpty() ? bare : new Parameters().readAll(bare, words);
    if (path.isInternational() && !mail.smtpUtf8) {
      throw new ArgumentException(Replies.ADDRESS_NEEDS_SMTPUTF8);
    }
    return mail;
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

  /** True for the null reverse-path {@code <>}. */
  public boolean isFromNobody() {
    return from.isEmpty();
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

    private MailCommand readAll(MailCommand bare, Map<String, String> words)
        throws ArgumentException {
      for (Map.Entry<String, String> word : words.entrySet()) {
        read(word.getKey(), word.getValue());
      }
      return new MailCommand(
          bare.from, bare.sender, bare.senderDomain, size, body, smtpUtf8, ret, envid);
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
