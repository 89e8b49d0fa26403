package io.bloomgate.gateway.smtp;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the parameters of MAIL: RFC 1870, RFC 6152, RFC 6531, RFC 3461. Pure. */
final class MailParameterParser {

  /** RFC 1870 section 4: size-value is 1*20DIGIT. */
  private static final int MAX_SIZE_DIGITS = 20;

  /** RFC 3461 section 4.4. */
  private static final int MAX_ENVID_CHARACTERS = 100;

  private long size = -1;
  private MailParameters.@Nullable Body body;
  private boolean smtpUtf8;
  private @Nullable String ret;
  private @Nullable String envid;

  private MailParameterParser() {}

  static Argument<MailParameters> parse(String text) {
    return switch (EsmtpParameters.split(text)) {
      case Argument.Invalid<Map<String, String>>(Reply reply) -> new Argument.Invalid<>(reply);
      case Argument.Valid<Map<String, String>>(Map<String, String> words) ->
          words.isEmpty()
              ? new Argument.Valid<>(MailParameters.NONE)
              : new MailParameterParser().readAll(words);
    };
  }

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
        ret = value.toUpperCase(Locale.ROOT);
        yield ret.equals("FULL") || ret.equals("HDRS")
            ? null
            : Replies.syntax("RET must be FULL or HDRS");
      }
      case "ENVID" -> {
        envid = value;
        boolean formed =
            !value.isEmpty() && value.length() <= MAX_ENVID_CHARACTERS && Xtext.isValid(value);
        yield formed ? null : Replies.syntax("ENVID must be xtext of up to 100 characters");
      }
      default -> Replies.UNKNOWN_PARAMETER;
    };
  }

  private @Nullable Reply readSize(String digits) {
    boolean formed = !digits.isEmpty() && digits.length() <= MAX_SIZE_DIGITS;
    for (int i = 0; i < digits.length(); i++) {
      formed &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
    }
    if (!formed) {
      return Replies.syntax("SIZE must be a number of octets");
    }
    try {
      size = Long.parseLong(digits);
    } catch (NumberFormatException e) {
      // Twenty digits may exceed a long; any limit of ours is below that.
      size = Long.MAX_VALUE;
    }
    return null;
  }

  private @Nullable Reply readBody(String value) {
    for (MailParameters.Body known : MailParameters.Body.values()) {
      if (known.keyword().equals(value)) {
        body = known;
        return null;
      }
    }
    return Replies.syntax("BODY must be 7BIT or 8BITMIME");
  }
}
