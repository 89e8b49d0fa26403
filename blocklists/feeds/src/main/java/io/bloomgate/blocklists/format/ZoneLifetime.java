package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.format.octets.DamagedFeedException;
import io.bloomgate.blocklists.format.octets.FeedBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lifetime that a zone for {@code rbldnsd(8)} gives itself: {@code $TIMESTAMP made [expires]},
 * each as {@code yyyy:mm:dd:hh:mi:ss} in UTC, cut short after the day or later, or as seconds since
 * 1970; {@code expires} also as {@code +2d} from the first; {@code -} gives none. Read by the
 * feed-refresher before a version is judged. Immutable.
 *
 * @param made {@code null} when it is not said
 * @param expires {@code null} when it is not said
 */
public record ZoneLifetime(@Nullable Instant made, @Nullable Instant expires) {

  /** The largest difference between two clocks. */
  static final Duration CLOCK_SKEW = Duration.ofHours(1);

  private static final ZoneLifetime UNKNOWN = new ZoneLifetime(null, null);

  /** Octets of the text in which the directive must be. */
  private static final int HEAD_OCTETS = 16 * 1024;

  private static final Pattern DIRECTIVE =
      Pattern.compile(
          "^#?\\$TIMESTAMP[ \\t]++(\\S++)(?:[ \\t]++(\\S++))?+",
          Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
  private static final Pattern DATE =
      Pattern.compile(
          "([0-9]{4})[:-]([0-9]{1,2})[:-]([0-9]{1,2})"
              + "(?:[:-]([0-9]{1,2}))?(?:[:-]([0-9]{1,2}))?(?:[:-]([0-9]{1,2}))?");
  private static final Pattern EPOCH = Pattern.compile("[1-9][0-9]{8,10}");
  private static final Pattern LATER = Pattern.compile("\\+([0-9]{1,9})([smhdw]?)");
  private static final Map<String, Integer> SECONDS =
      Map.of("", 1, "s", 1, "m", 60, "h", 3600, "d", 86_400, "w", 604_800);

  /**
   * The totals of a version, damaged when its zone is not of this time.
   *
   * @param format of the version; only zones say how long they are good
   */
  public static ParseTotals check(
      ParseTotals totals, FeedContent content, FeedFormat format, Instant now) throws IOException {
    if (!format.name().startsWith("rbldnsd")) {
      return totals;
    }
    try (InputStream octets = Files.newInputStream(content.parts().getFirst());
        InputStream text = FeedBytes.open(octets)) {
      return ofHead(new String(text.readNBytes(HEAD_OCTETS), ISO_8859_1))
          .refusal(now)
          .map(totals::damaged)
          .orElse(totals);
    } catch (DamagedFeedException e) {
      // The parser has reported what is wrong.
      return totals;
    }
  }

  /** Reads the lifetime at the beginning of a zone. */
  static ZoneLifetime ofHead(String head) {
    Matcher directive = DIRECTIVE.matcher(head);
    if (!directive.find()) {
      return UNKNOWN;
    }
    Instant made = instant(directive.group(1));
    String second = directive.group(2);
    return new ZoneLifetime(made, second == null ? null : expiry(second, made));
  }

  private static @Nullable Instant expiry(String written, @Nullable Instant made) {
    Matcher later = LATER.matcher(written);
    if (!later.matches()) {
      return instant(written);
    }
    long seconds =
        Long.parseLong(later.group(1)) * Objects.requireNonNull(SECONDS.get(later.group(2)));
    return made == null ? null : made.plusSeconds(seconds);
  }

  private static @Nullable Instant instant(String written) {
    if (EPOCH.matcher(written).matches()) {
      return Instant.ofEpochSecond(Long.parseLong(written));
    }
    Matcher date = DATE.matcher(written);
    if (!date.matches()) {
      return null;
    }
    try {
      return LocalDateTime.of(
              number(date, 1),
              number(date, 2),
              number(date, 3),
              number(date, 4),
              number(date, 5),
              number(date, 6))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static int number(Matcher date, int group) {
    String digits = date.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  /**
   * The reason why a version with this lifetime is not taken now; rbldnsd does not serve such a
   * zone.
   */
  Optional<String> refusal(Instant now) {
    if (made != null && made.isAfter(now.plus(CLOCK_SKEW))) {
      return Optional.of("the zone says that it was made in the future: $TIMESTAMP is " + made);
    }
    if (expires != null && !expires.isAfter(now)) {
      return Optional.of("the zone has expired: its $TIMESTAMP says " + expires);
    }
    return Optional.empty();
  }
}
