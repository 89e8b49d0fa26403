package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.breaker.Breaker;
import io.bloomgate.blocklists.breaker.Tripped;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a gateway has remembered of its feeds, read beside it or without one and without changing
 * anything: for answers of the command line. Immutable.
 *
 * @param disabled feeds that are switched off
 * @param lastSuccess when each feed was last found current; feeds that never were are missing
 * @param tripped what breakers took back to observe
 */
public record StoredFeeds(Set<String> disabled, Map<String, Instant> lastSuccess, Tripped tripped) {

  public StoredFeeds {
    disabled = Collections.unmodifiableSet(new LinkedHashSet<>(disabled));
    lastSuccess = Collections.unmodifiableMap(new LinkedHashMap<>(lastSuccess));
  }

  /**
   * Reads it.
   *
   * @param stateDir {@code STATE_DIR}
   * @param names the feeds of the settings
   * @param now for feeds that are switched off until some time
   * @throws IOException when what is there cannot be read; what is not there is no failure
   */
  public static StoredFeeds read(Path stateDir, Collection<String> names, Instant now)
      throws IOException {
    Set<String> disabled = new LinkedHashSet<>();
    Map<String, Instant> lastSuccess = new LinkedHashMap<>();
    for (String name : names) {
      FeedRecord record = FeedStore.stored(stateDir.resolve("feeds"), name);
      if (record.pause().holdsAt(now)) {
        disabled.add(name);
      }
      Instant success = record.times().success();
      if (success != null) {
        lastSuccess.put(name, success);
      }
    }
    return new StoredFeeds(disabled, lastSuccess, Breaker.stored(stateDir.resolve("feeds")));
  }
}
