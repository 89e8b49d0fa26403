package io.bloomgate.blocklists.fetch;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lists in numbered parts that had fewer of them at the last fetch than their live version. A
 * publisher who is just writing lacks some for a moment, so only what is seen twice is believed.
 * One for all fetches of the program, kept by {@link FeedSources}; thread-safe.
 */
final class FewerParts {

  private final Map<String, Integer> seen = new ConcurrentHashMap<>();

  /**
   * Why a list that ends early is not believed yet; empty when the fetch before found the same.
   *
   * @param key of its address
   * @param live number of parts of the live version
   */
  Optional<String> doubt(String key, int count, int live) {
    if (count >= live || Integer.valueOf(count).equals(seen.put(key, count))) {
      return Optional.empty();
    }
    return Optional.of(
        "there are %d parts, and the live version has %d; if they stay away, the next fetch takes it so"
            .formatted(count, live));
  }

  /** A version was taken, or nothing changed. */
  void forget(String key) {
    seen.remove(key);
  }
}
