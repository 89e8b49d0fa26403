package io.bloomgate.gateway.smtp;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of RCPT (RFC 3461 section 4), and how they are read: what does not parse is dropped,
 * as in {@link MailParameters}. Immutable.
 *
 * @param notifyOn NOTIFY= value, {@code null} when none
 * @param orcpt ORCPT= value as given, {@code null} when none
 */
public record RcptParameters(@Nullable String notifyOn, @Nullable String orcpt) {

  /** RFC 3461 section 4.2. */
  private static final int MAX_ORCPT_CHARACTERS = 500;

  private static final Set<String> EVENTS = Set.of("SUCCESS", "FAILURE", "DELAY");

  /** No parameter. */
  public static final RcptParameters NONE = new RcptParameters(null, null);

  /** True when a parameter was given. */
  public boolean usesDsn() {
    return notifyOn != null || orcpt != null;
  }

  /** Reads those behind a recipient's path, RFC 3461 sections 4.1 and 4.2. */
  static Argument<RcptParameters> parse(String text) {
    if (text.isEmpty()) {
      return new Argument.Valid<>(NONE);
    }
    return switch (EsmtpParameters.split(text)) {
      case Argument.Invalid<Map<String, String>>(Reply reply) -> new Argument.Invalid<>(reply);
      case Argument.Valid<Map<String, String>>(Map<String, String> words) -> read(words);
    };
  }

  private static Argument<RcptParameters> read(Map<String, String> words) {
    if (words.isEmpty()) {
      return new Argument.Valid<>(RcptParameters.NONE);
    }
    for (String keyword : words.keySet()) {
      if (!keyword.equals("NOTIFY") && !keyword.equals("ORCPT")) {
        return new Argument.Invalid<>(Replies.UNKNOWN_PARAMETER);
      }
    }
    @Nullable String notifyOn = words.get("NOTIFY");
    @Nullable String orcpt = words.get("ORCPT");
    boolean report = notifyOn != null && isNotify(notifyOn.toUpperCase(Locale.ROOT));
    boolean original = orcpt != null && isOrcpt(orcpt);
    return new Argument.Valid<>(
        new RcptParameters(report ? notifyOn : null, original ? orcpt : null));
  }

  private static boolean isNotify(String value) {
    return value.equals("NEVER") || EVENTS.containsAll(List.of(value.split(",", -1)));
  }

  private static boolean isOrcpt(String value) {
    int semicolon = value.indexOf(';');
    return semicolon > 0
        && semicolon < value.length() - 1
        && value.length() <= MAX_ORCPT_CHARACTERS
        && Xtext.isValid(value.substring(semicolon + 1));
  }
}
