package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Feeds.Guard;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A guard as it was written: what the general guard says is the default of each source's own.
 * Immutable.
 *
 * @param texts the notation of each key
 */
record GuardTexts(Map<String, String> texts, Guard guard) {

  /** Any percentage that can be meant: a list may grow a thousandfold. */
  private static final int MAX_GROWTH_PERCENT = 100_000;

  private static final String IPV4 = "min_prefix.ipv4";
  private static final String IPV6 = "min_prefix.ipv6";

  /** The defaults of the documentation; their {@code guard} is not used. */
  static final Map<String, String> DEFAULTS =
      Map.of(
          "max_shrink",
          "50%",
          "max_growth",
          "300%",
          "max_turnover",
          "50%",
          "max_invalid",
          "5%",
          IPV4,
          "8",
          IPV6,
          "19",
          "max_coverage",
          "20%",
          "breaker",
          "20",
          "known_after",
          "3d");

  GuardTexts {
    texts = Map.copyOf(texts);
  }

  /** Reads a guard whose defaults are these. */
  static GuardTexts of(Section s, Map<String, String> defaults) {
    Reading reading = new Reading(s, defaults, new HashMap<>());
    double shrink = reading.value(s, "max_shrink", "max_shrink", Values.percent(100));
    double growth =
        reading.value(s, "max_growth", "max_growth", Values.percent(MAX_GROWTH_PERCENT));
    double turnover = reading.value(s, "max_turnover", "max_turnover", TURNOVER);
    double invalid = reading.value(s, "max_invalid", "max_invalid", Values.percent(100));
    Section prefix = s.section("min_prefix");
    int ipv4 = reading.value(prefix, "ipv4", IPV4, Values.integer(0, 32));
    int ipv6 = reading.value(prefix, "ipv6", IPV6, Values.integer(0, 128));
    double coverage = reading.value(s, "max_coverage", "max_coverage", Values.percent(100));
    int breaker = reading.value(s, "breaker", "breaker", BREAKER);
    Duration knownAfter = reading.value(s, "known_after", "known_after", KNOWN_AFTER);
    Guard guard =
        new Guard(
            shrink,
            growth,
            Double.isNaN(turnover) ? null : turnover,
            invalid,
            ipv4,
            ipv6,
            coverage,
            breaker == OFF ? null : breaker,
            knownAfter);
    return new GuardTexts(reading.seen(), guard);
  }

  /** {@code none} is no number. */
  private static final ValueReader<Double> TURNOVER =
      text -> text.equals("none") ? Double.NaN : Values.percent(100).read(text);

  /** As many as are remembered of a feed. */
  private static final int MAX_BREAKER_NETWORKS = 1000;

  /** As long as senders are remembered; a bare 0 is zero too. */
  private static final ValueReader<Duration> KNOWN_AFTER =
      text -> text.equals("0") ? Duration.ZERO : Values.duration("0s", "30d").read(text);

  private static final int OFF = 0;

  private static final ValueReader<Integer> BREAKER =
      text -> text.equals("none") ? OFF : Values.integer(1, MAX_BREAKER_NETWORKS).read(text);

  /** One reading of a guard; keeps the notation beside each value. */
  private record Reading(Section section, Map<String, String> defaults, Map<String, String> seen) {

    <T> T value(Section s, String key, String name, ValueReader<T> reader) {
      String fallback = defaults.getOrDefault(name, "");
      seen.put(name, fallback);
      return s.value(
          key,
          fallback,
          text -> {
            T value = reader.read(text);
            seen.put(name, text);
            return value;
          });
    }
  }
}
