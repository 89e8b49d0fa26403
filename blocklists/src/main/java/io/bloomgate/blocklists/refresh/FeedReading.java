package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a version of a feed was read when it was judged. What is live is read that way again at every
 * build, whatever the settings say by then: another way makes another list of the same octets, and
 * no list goes live unjudged. Immutable.
 *
 * @param format by name, as it was written or found
 * @param match {@code null} where the format decides
 * @param allowBogons whether reserved networks were let through
 * @param rules digest of the guard under which it was judged
 */
record FeedReading(String format, @Nullable Match match, boolean allowBogons, String rules) {

  /** As the settings want it, in this format. */
  static FeedReading of(Source source, String format) {
    return new FeedReading(format, source.match(), source.allowBogons(), rules(source));
  }

  private static String rules(Source source) {
    return VersionReader.sha256(source.guard().toString());
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

  /** True when the guard of the settings is the one that judged. */
  boolean wasJudgedBy(Source source) {
    return rules.equals(rules(source));
  }

  ObjectBuilder into(ObjectBuilder version) {
    return version
        .put("format", format)
        .put("match", match == null ? null : match.name())
        .put("allow_bogons", allowBogons)
        .put("rules", rules);
  }

  static Optional<FeedReading> ofJson(JsonObject stored) {
    return stored
        .text("format")
        .map(format ->
            new FeedReading(
                format,
                match(stored),
                stored.isTrue("allow_bogons"),
                stored.text("rules").orElse("")));
  }

  private static @Nullable Match match(JsonObject stored) {
    return Arrays.stream(Match.values())
        .filter(m -> stored.text("match").filter(m.name()::equals).isPresent())
        .findFirst()
        .orElse(null);
  }
}
