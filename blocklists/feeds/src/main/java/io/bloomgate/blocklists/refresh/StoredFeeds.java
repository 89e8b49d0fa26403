package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.file.DamagedFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The facts that a gateway has stored about its feeds, read beside it or without one and without
 * changing anything: for answers of the command line. Immutable.
 *
 * @param states all that is stored; nothing where the file is damaged
 * @param disabled feeds that are switched off
 * @param lastSuccess when each feed was last found current; feeds that never were are missing
 * @param problems what is damaged, and what is therefore not known; sentences for the operator
 */
public record StoredFeeds(
    FeedStates states,
    Set<String> disabled,
    Map<String, Instant> lastSuccess,
    List<String> problems) {

  public StoredFeeds {
    disabled = Collections.unmodifiableSet(new LinkedHashSet<>(disabled));
    lastSuccess = Collections.unmodifiableMap(new LinkedHashMap<>(lastSuccess));
    problems = List.copyOf(problems);
  }

  /**
   * Reads it.
   *
   * @param stateDir {@code STATE_DIR}
   * @param names the feeds of the settings
   * @param now for feeds that are switched off until some time
   * @throws IOException when something there cannot be read; a missing file is no failure
   */
  public static StoredFeeds read(Path stateDir, Collection<String> names, Instant now)
      throws IOException {
    Set<String> disabled = new LinkedHashSet<>();
    Map<String, Instant> lastSuccess = new LinkedHashMap<>();
    List<String> problems = new ArrayList<>();
    FeedStates states;
    try {
      states = FeedStates.read(stateDir);
    } catch (DamagedFileException e) {
      return new StoredFeeds(
          FeedStates.none(),
          Set.of(),
          Map.of(),
          List.of(
              e.getMessage()
                  + ", so nobody knows which feeds are disabled, stale or promoted; all are taken"
                  + " for none of it"));
    }
    for (String name : names) {
      try {
        FeedRecord record = FeedArchive.stored(states, name);
        if (record.pause().holdsAt(now)) {
          disabled.add(name);
        }
        Instant success = record.times().success();
        if (success != null) {
          lastSuccess.put(name, success);
        }
      } catch (DamagedFileException e) {
        problems.add(
            "feed %s: %s, so nobody knows whether it is disabled or stale; it is taken for neither"
                .formatted(name, e.getMessage()));
      }
    }
    return new StoredFeeds(states, disabled, lastSuccess, problems);
  }
}
