package io.bloomgate.blocklists.refresh;

import io.bloomgate.config.settings.Settings;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which stored versions a generation is made of: the new ones, else the live ones, and where one is
 * lost or damaged the newest older one. A feed of which nothing is left is left out, so that no
 * feed ever keeps another from going live. Made by {@link FeedBuild} for each build.
 */
final class BuildChoice {

  private final SoundVersions sound;
  private final FeedBook book;
  private final Settings settings;
  private final Map<String, FeedVersion> candidates;
  private final Map<String, Set<Long>> damaged = new HashMap<>();
  private final Map<String, StoredVersion> chosen = new LinkedHashMap<>();
  private final Set<String> refused = new LinkedHashSet<>();
  private final Set<String> lost = new LinkedHashSet<>();

  BuildChoice(
      SoundVersions sound, FeedBook book, Settings settings, Map<String, FeedVersion> candidates) {
    this.sound = sound;
    this.book = book;
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
    chosen.remove(name);
    FeedVersion candidate = candidates.get(name);
    if (candidate != null) {
      Optional<StoredVersion> fresh = whole(name, sound.of(name, candidate));
      if (fresh.isPresent()) {
        chosen.put(name, fresh.get());
        return;
      }
      refused.add(name);
    }
    long live = book.get(name).live();
    Optional<StoredVersion> version = whole(name, sound.numbered(name, live));
    long than = live;
    while (version.isEmpty() && than > 0) {
      lost.add(name);
      Optional<StoredVersion> older = sound.older(name, than);
      than = older.map(v -> v.version().id()).orElse(0L);
      version = whole(name, older);
    }
    version.ifPresent(v -> chosen.put(name, v));
  }

  private Optional<StoredVersion> whole(String name, Optional<StoredVersion> version) {
    return version.filter(v -> !damaged.getOrDefault(name, Set.of()).contains(v.version().id()));
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

  /** Feeds whose new version cannot be read. */
  Set<String> refused() {
    return refused;
  }

  /** Feeds whose live version cannot be read, with the number of what is live instead, 0: none. */
  Map<String, Long> lost() {
    Map<String, Long> instead = new LinkedHashMap<>();
    for (String name : lost) {
      StoredVersion version = chosen.get(name);
      instead.put(name, version == null ? 0 : version.version().id());
    }
    return instead;
  }
}
