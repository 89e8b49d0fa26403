package io.bloomgate.gateway.smtp;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of MAIL (RFC 1870, RFC 6152, RFC 6531, RFC 3461), and how they are read. Those of a
 * delivery report are a courtesy: what does not parse there is dropped, because no mail may bounce
 * for it. Immutable.
 *
 * @param sizeOctets announced size, -1 when none
 * @param body {@code null} when none
 * @param ret RET=, {@code null} when none
 * @param envid ENVID= as xtext, {@code null} when none
 */
public record MailParameters(
    long sizeOctets,
    @Nullable Body body,
    boolean smtpUtf8,
    @Nullable String ret,
    @Nullable String envid) {

  /** No parameter at all. */
  public static final MailParameters NONE = new MailParameters(-1, null, false, null, null);

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

  /** True when a DSN parameter of RFC 3461 was given. */
  public boolean usesDsn() {
    return ret != null || envid != null;
  }

  /** Reads those behind a sender's path. */
  static Argument<MailParameters> parse(String text) {
    if (text.isEmpty()) {
      return new Argument.Valid<>(NONE);
    }
    return switch (EsmtpParameters.split(text)) {
      case Argument.Invalid<Map<String, String>>(Reply reply) -> new Argument.Invalid<>(reply);
      case Argument.Valid<Map<String, String>>(Map<String, String> words) ->
          words.isEmpty() ? new Argument.Valid<>(MailParameters.NONE) : new Reader().readAll(words);
    };
  }

  /** Reads them one by one. */
  private static final class Reader {

    /** RFC 3461 section 4.4. */
    private static final int MAX_ENVID_CHARACTERS = 100;

    private long size = -1;
    private @Nullable Body body;
    private boolean smtpUtf8;
    private @Nullable String ret;
    private @Nullable String envid;

    private Argument<MailParameters> readAll(Map<String, String> words) {
      for (Map.Entry<String, String> word : words.entrySet()) {
        Reply refusal = read(word.getKey(), word.getValue());
        if (refusal != null) {
          return new Argument.Invalid<>(refusal);
        }
      }
      return new Argument.Valid<>(new MailParameters(size, body, smtpUtf8, ret, envid));
    }

    private @Nullable Reply read(String keyword, String value) {
      return switch (keyword) {
        case "SIZE" -> readSize(value);
        case "BODY" -> readBody(value.toUpperCase(Locale.ROOT));
        case "SMTPUTF8" -> {
          smtpUtf8 = true;
          yield value.isEmpty() ? null : Replies.syntax("SMTPUTF8 takes no value");
        }
        case "RET" -> {
          String asked = value.toUpperCase(Locale.ROOT);
          ret = asked.equals("FULL") || asked.equals("HDRS") ? asked : null;
          yield null;
        }
        case "ENVID" -> {
          boolean formed =
              !value.isEmpty() && value.length() <= MAX_ENVID_CHARACTERS && Xtext.isValid(value);
          envid = formed ? value : null;
          yield null;
        }
        // RFC 4954 section 5: without AUTH it says nothing; some clients send it nevertheless.
        case "AUTH" -> null;
        default -> Replies.UNKNOWN_PARAMETER;
      };
    }

    private @Nullable Reply readSize(String digits) {
      boolean formed = !digits.isEmpty();
      for (int i = 0; i < digits.length(); i++) {
        formed &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
      }
      if (!formed) {
        return Replies.syntax("SIZE must be a number of octets");
      }
      try {
        size = Long.parseLong(digits);
      } catch (NumberFormatException e) {
        // Any limit of ours is below that.
        size = Long.MAX_VALUE;
      }
      return null;
    }

    private @Nullable Reply readBody(String value) {
      for (Body known : Body.values()) {
        if (known.keyword().equals(value)) {
          body = known;
          return null;
        }
      }
      return Replies.syntax("BODY must be 7BIT or 8BITMIME");
    }
  }
}
