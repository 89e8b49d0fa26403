package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a version of a feed was read when it was judged. What is live is read that way
 * again at every build, whatever the settings say by then: another way makes another list of the
 * same octets, and no list goes live unjudged. Immutable.
 *
 * @param format by name, as it was written or found
 * @param match {@code null} where the format decides
 * @param allowBogons whether reserved networks were let through
 * @param rules digest of the guard under which it was judged
 */
record FeedReading(String format, @Nullable Match match, boolean allowBogons, @Rare String rules) {

  private static final String ANY_LINES = "lines";

  /** Formats of which {@code lines} reads each line as they do. */
  private static final Set<String> NARROW_LINES = Set.of("ips", "domains");

  /** The way that the settings want, in this format. */
  static FeedReading of(Source source, String format) {
    return new FeedReading(format, source.match(), source.allowBogons(), rules(source));
  }

  private static String rules(Source source) {
    return Fingerprint.ofText(source.guard().toString()).toString();
  }

  /**
   * True when the settings make the same list of the same octets, or a smaller one: reserved
   * networks that are no longer allowed are left out at the next build anyway.
   *
   * @param formatNow in which the octets would be read now
   */
  boolean isAlike(Source source, String formatNow) {
    return format.equals(formatNow)
        && match == source.match()
        && (allowBogons || !source.allowBogons());
  }

  /**
   * True when the other was read in the same way, so that both list alike what they have in common.
   */
  boolean lists(FeedReading other) {
    return format.equals(other.format) && match == other.match && allowBogons == other.allowBogons;
  }

  /** True when the other would write each entry of the same octets alike. */
  boolean spells(FeedReading other) {
    return format.equals(other.format) && match == other.match;
  }

  /**
   * The reason why a version whose format was found must wait when it is another one than the live
   * version's; empty when it is the same, or the one reads each line of the other alike.
   */
  static List<String> otherFormat(FeedReading live, FeedReading now) {
    String before = withoutChecks(live.format);
    String after = withoutChecks(now.format);
    boolean wider =
        (before.equals(ANY_LINES) && NARROW_LINES.contains(after))
            || (after.equals(ANY_LINES) && NARROW_LINES.contains(before));
    return before.equals(after) || wider
        ? List.of()
        : List.of(
            "format: this version reads as %s, the live one as %s; name the format in the settings to read both alike"
                .formatted(Octets.escape(after), Octets.escape(before)));
  }

  /**
   * The format without the checks of a list of URLs: they decide what it gives, but it is one
   * format.
   */
  private static String withoutChecks(String format) {
    return format.startsWith("urls:") ? "urls" : format;
  }

  /** True when the guard of the settings is the one that judged. */
  boolean wasJudgedBy(Source source) {
    return rules.equals(rules(source));
  }
}
