package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.settings.Settings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which stored versions a generation is made of: of each feed the new one, else the newest that may
 * be live and is whole. A feed of which nothing is left is left out, so that no feed ever keeps
 * another from going live. Made by {@link ListPublisher} for each build.
 */
final class BuildChoice {

  private final SoundVersions sound;
  private final Settings settings;
  private final Map<String, FeedVersion> candidates;
  private final Map<String, Set<Long>> damaged = new HashMap<>();
  private final Map<String, StoredVersion> chosen = new HashMap<>();
  private final Set<String> refused = new LinkedHashSet<>();

  BuildChoice(SoundVersions sound, Settings settings, Map<String, FeedVersion> candidates) {
    this.sound = sound;
    this.settings = settings;
    this.candidates = candidates;
    settings.feeds().sources().keySet().forEach(this::choose);
  }

  /** A chosen version turned out to be unreadable: chooses another. */
  void without(UnreadableVersionException unreadable) {
    damaged.computeIfAbsent(unreadable.feed(), f -> new HashSet<>()).add(unreadable.version());
    choose(unreadable.feed());
  }

  private void choose(String name) {
    Set<Long> bad = damaged.getOrDefault(name, Set.of());
    Stream<StoredVersion> candidate =
        Optional.ofNullable(candidates.get(name)).flatMap(v -> sound.of(name, v)).stream();
    Optional<StoredVersion> first =
        Stream.concat(candidate, sound.wholeOnes(name))
            .filter(v -> !bad.contains(v.version().id()))
            .findFirst();
    chosen.remove(name);
    first.ifPresent(v -> chosen.put(name, v));
    if (candidates.containsKey(name) && !isCandidate(name)) {
      refused.add(name);
    }
  }

  /** What the generation is made of, in the order of the feeds. */
  Map<String, StoredVersion> chosen() {
    Map<String, StoredVersion> ordered = new LinkedHashMap<>();
    for (String name : settings.feeds().sources().keySet()) {
      StoredVersion version = chosen.get(name);
      if (version != null) {
        ordered.put(name, version);
      }
    }
    return ordered;
  }

  /** Number of the version that was chosen of a feed, 0 for none. */
  long number(String name) {
    StoredVersion version = chosen.get(name);
    return version == null ? 0 : version.version().id();
  }

  /** True when the new version of the feed is in. */
  boolean isCandidate(String name) {
    FeedVersion candidate = candidates.get(name);
    return candidate != null && candidate.id() == number(name);
  }

  /** Feeds whose new version cannot be read. */
  Set<String> refused() {
    return refused;
  }
}
