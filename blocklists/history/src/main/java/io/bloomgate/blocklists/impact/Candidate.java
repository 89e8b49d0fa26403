package io.bloomgate.blocklists.impact;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list that is tried: where it is and how it would count. Made by the command line. Immutable.
 *
 * @param name under which it is reported
 * @param place file, glob or address as a person named it; {@code null} for that of the source
 * @param format empty to find it
 * @param match {@code null} for what the format says
 * @param source of the catalogue; {@code null} for a place that a person named
 */
public record Candidate(
    String name,
    @Nullable String place,
    String format,
    @Nullable Match match,
    Set<Check> checks,
    Action action,
    @Nullable Source source) {

  /** A list that a person named. */
  public static Candidate named(
      String name, String place, String format, Set<Check> checks, Action action) {
    return new Candidate(name, place, format, null, checks, action, null);
  }

  /** A list of the catalogue, as its entry says. */
  public static Candidate of(Source source) {
    return new Candidate(
        source.name(),
        null,
        source.format(),
        source.match(),
        source.checks(),
        source.action(),
        source);
  }
}
