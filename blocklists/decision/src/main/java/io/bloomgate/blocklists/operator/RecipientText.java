package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.RecipientEntry.Wish;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Moments;
import io.bloomgate.config.settings.RecipientProfile;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The one text form of entries about recipients, in commands, exports, imports, the audit and the
 * fleet: {@code RECIPIENT PROFILE [expires=2026-12-01] # reason}. Pure, for any thread.
 */
public final class RecipientText {

  private static final Pattern LINE =
      Pattern.compile("([^#\\s]\\S*)\\s+([a-z0-9._-]{1,64})(?:\\s+expires=(\\S+))?(?:\\s+#(.*))?");

  private RecipientText() {}

  /** Reads a line; empty for a blank line and for a comment. */
  public static Parsed<Optional<Wish>> parse(String line) {
    String text = line.strip();
    if (text.isEmpty() || text.startsWith("#")) {
      return Parsed.ok(Optional.empty());
    }
    Matcher words = LINE.matcher(text);
    if (text.length() > OperatorText.MAX_LINE_CHARACTERS || !words.matches()) {
      return Parsed.bad("not of the form RECIPIENT PROFILE [expires=2026-12-01] # reason");
    }
    @Nullable String end = words.group(3);
    boolean never = Moments.NEVER.equals(end);
    try {
      @Nullable Instant expires = end == null || never ? null : Moments.exact(end);
      String reason = Optional.ofNullable(words.group(4)).orElse("");
      return RecipientProfile.entry(words.group(1))
          .map(entry -> Optional.of(new Wish(entry, words.group(2), reason, expires, never)));
    } catch (DateTimeException e) {
      return Parsed.bad("expires= wants 2026-12-01 or 2026-12-01T12:00:00Z");
    }
  }

  /**
   * A line of these words.
   *
   * @param expires an {@link Instant}, {@link Moments#NEVER}, or empty
   */
  public static String line(String subject, String profile, String expires, String reason) {
    return subject
        + " "
        + profile
        + (expires.isEmpty() ? "" : " expires=" + expires)
        + (reason.isEmpty() ? "" : " # " + NewEntry.oneLine(reason));
  }

  /** The line for an entry; ends without a line break. */
  public static String format(RecipientEntry entry) {
    String end = entry.expires() == null ? "" : entry.expires().toString();
    return line(entry.subject(), entry.profile(), end, entry.reason());
  }
}
