package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedRecord.Times;
import io.bloomgate.blocklists.refresh.VersionReader.Stored;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one generation of the stored versions of all feeds and publishes it. Used by {@link
 * RefreshRun} and {@link OperatorChoice} on the feed-refresher thread.
 */
record ListPublisher(RefreshParts parts, FeedArchive archive) {

  private static final Logger LOG = LoggerFactory.getLogger(ListPublisher.class);

  private FeedFiles files() {
    return archive.files();
  }

  /**
   * Writes down what the live generation says: which versions went live. Its manifest is the truth,
   * so this is the same after a build as after a process that was killed right behind one.
   *
   * @param candidates feeds of which the caller writes down how the try ended
   */
  void noteLive(Set<String> candidates) throws IOException {
    SnapshotManifest manifest = parts.manifest();
    for (String name : parts.feeds().keySet()) {
      long live = manifest.feed(name).map(FeedCounts::number).orElse(0L);
      Optional<FeedVersion> version = files().version(name, live);
      if (version.isEmpty()) {
        continue;
      }
      if (!version.get().wasLive()) {
        files().update(name, version.get().wentLive(manifest.created()));
      }
      FeedRecord record = archive.get(name);
      if (!candidates.contains(name) && (record.last().trying() == live || record.held() == live)) {
        archive.update(name, r -> wentLive(r, version.get()));
      }
    }
  }

  private FeedRecord wentLive(FeedRecord record, FeedVersion version) {
    Instant fetched = version.fetched();
    Instant success = record.times().success();
    // What was only read in another way is older than the last check.
    Times times =
        record
            .times()
            .succeeded(
                success != null && success.isAfter(fetched) ? success : fetched, fetched, true);
    boolean reread =
        files().versions(record.name()).stream()
            .filter(v -> v.id() < version.id() && record.mayBeLive(v))
            .findFirst()
            .filter(v -> v.sha256().equals(version.sha256()))
            .isPresent();
    return reread ? record.reread(times) : record.wentLive(version.id(), times);
  }

  /**
   * True when the live generation is not what the settings and the stored versions say: feeds came
   * or went, rules for entries changed, or the generation on disk was lost.
   */
  boolean isNeeded() {
    Settings settings = parts.settings();
    ListSnapshot current = parts.lists().live().current();
    Map<String, Long> wanted = new LinkedHashMap<>();
    for (String name : settings.feeds().sources().keySet()) {
      long version = archive.wanted(name);
      if (version != 0) {
        wanted.put(name, version);
      }
    }
    Map<String, Long> built = current.manifest().versions();
    boolean nothingEver = current.generation() == 0;
    return !List.copyOf(built.entrySet()).equals(List.copyOf(wanted.entrySet()))
        || (nothingEver && settings.feeds().sources().isEmpty())
        || (!nothingEver && !current.manifest().inputs().equals(inputs(settings, liveVersions())));
  }

  private Map<String, FeedVersion> liveVersions() {
    Map<String, FeedVersion> versions = new HashMap<>();
    for (String name : parts.feeds().keySet()) {
      files().version(name, archive.get(name).live()).ifPresent(v -> versions.put(name, v));
    }
    return versions;
  }

  /**
   * Builds and publishes.
   *
   * @param candidates stored versions that are to go live, by feed; the other feeds stay as they
   *     are
   * @param all nothing is published when one of them cannot be read
   * @return feeds whose candidate cannot be read and is not live; their last version is
   * @throws IOException when nothing was published
   * @throws SnapshotBuildException when nothing was published
   */
  Set<String> publish(Map<String, FeedVersion> candidates, boolean all)
      throws IOException, SnapshotBuildException {
    Settings settings = parts.settings();
    Map<String, Long> wanted = new HashMap<>();
    settings.feeds().sources().keySet().forEach(name -> wanted.put(name, archive.wanted(name)));
    BuildChoice choice = new BuildChoice(settings, candidates);
    ListSnapshot built = build(settings, choice, all);
    SnapshotManifest before = parts.manifest();
    KnownGoodLog.log(before, built.manifest());
    parts.lists().live().publish(built);
    parts.fetching().fleet().wentLive();
    wanted.forEach((name, version) -> {
      if (version != 0 && choice.number(name) != version && !choice.isCandidate(name)) {
        reportLost(name, version, choice.number(name));
      }
    });
    try {
      noteHeld(choice, before, built.manifest());
      noteLive(candidates.keySet());
    } catch (IOException e) {
      // The manifest has it; the next start notes it.
      parts.raise("the state of the feeds cannot be written: " + Faults.words(e));
    }
    return choice.refused;
  }

  /**
   * Notes versions that stay live and of which other entries may be held back than when they were
   * judged: this machine has another address, or the settings protect more. That must not happen
   * silently.
   */
  private void noteHeld(BuildChoice choice, SnapshotManifest before, SnapshotManifest now)
      throws IOException {
    for (Map.Entry<String, Stored> one : choice.chosen.entrySet()) {
      String name = one.getKey();
      FeedVersion version = one.getValue().version();
      Optional<FeedCounts> counts = before.feed(name).filter(f -> f.number() == version.id());
      if (counts.isEmpty() || counts.equals(now.feed(name))) {
        continue;
      }
      FeedVersion held = version.holding(reader(name).digest(one.getValue()));
      if (!held.held().equals(version.held())) {
        files().update(name, held);
        LOG.warn(
            "feed {}: of its live version {} entries are held back now, {} were before; `bloomgate"
                + " feeds show {}` says why",
            name,
            held.heldEntries(),
            version.heldEntries(),
            name);
      }
    }
  }

  private VersionReader reader(String name) {
    return parts.reader(Objects.requireNonNull(parts.feeds().get(name)));
  }

  private ListSnapshot build(Settings settings, BuildChoice choice, boolean all)
      throws IOException, SnapshotBuildException {
    KnownGood knownGood = knownGood(settings, problem -> LOG.warn("{}", problem));
    HeldGood held = new HeldGood(parts, files(), knownGood);
    while (true) {
      if (all && !choice.refused.isEmpty()) {
        throw new IOException("the stored version of " + choice.refused + " is damaged");
      }
      try {
        List<FeedInput> inputs = new ArrayList<>();
        Map<String, FeedVersion> versions = new HashMap<>();
        for (Map.Entry<String, Stored> one : choice.chosen.entrySet()) {
          Stored stored = one.getValue();
          inputs.add(
              new FeedInput(
                  one.getKey(),
                  Long.toString(stored.version().id()),
                  reader(one.getKey()).entries(stored)));
          versions.put(one.getKey(), stored.version());
        }
        Optional<ListSnapshot> built =
            parts
                .lists()
                .snapshots()
                .build(
                    inputs,
                    BuildOptions.of(settings, knownGood, inputs(settings, versions)),
                    finished -> held.areIn(finished, settings, choice.chosen));
        if (built.isPresent()) {
          return built.get();
        }
      } catch (VersionReader.UnreadableException e) {
        // Each time one version less, so this ends.
        LOG.error("{}", e.getMessage());
        choice.without(e);
      }
    }
  }

  private void reportLost(String name, long version, long instead) {
    String lost = "the stored version " + version + " of the feed is lost or damaged";
    String now =
        instead == 0
            ? "nothing of it is live until it is fetched again"
            : "version " + instead + " is live until it is fetched again";
    parts.raise("feed " + name + ": " + lost + "; " + now);
    try {
      Optional<FeedVersion> damaged = files().version(name, version);
      if (damaged.isPresent()) {
        files().update(name, damaged.get().lost());
      }
    } catch (IOException e) {
      LOG.warn("feed {}: {}", name, Faults.words(e));
    }
    archive.update(name, r -> r.lost(lost + "; " + now, parts.now()));
  }

  /** See {@link HeldGood#hits}. */
  KnownGoodHits knownGood(Stored stored, Source source, boolean heldEntries, boolean known)
      throws IOException {
    KnownGood owners = knownGood(parts.settings(), _ -> {});
    return new HeldGood(parts, files(), owners)
        .hits(parts.reader(source), stored, heldEntries, known);
  }

  /** The files as they are now, and the operator's own allow entries. */
  private KnownGood knownGood(Settings settings, Consumer<String> problems) {
    return parts
        .rules()
        .goodFiles()
        .read()
        .apply(settings.allow().knownGood(), problems)
        .and(parts.rules().allowed().get());
  }

  /** Digest of everything but the versions that decides what is in a generation. */
  private String inputs(Settings settings, Map<String, FeedVersion> versions) {
    List<Object> all = new ArrayList<>();
    all.add(settings.filter());
    all.add(parts.rules().goodFiles().stamp().apply(settings.allow().knownGood()));
    for (Source source : settings.feeds().sources().values()) {
      all.add(source.name());
      all.add(source.allowBogons());
      all.add(source.guard().minPrefixIpv4());
      all.add(source.guard().minPrefixIpv6());
      FeedVersion version = versions.get(source.name());
      all.add(version != null && version.entriesAccepted());
    }
    for (ProtectedSet set : parts.rules().protectedSets().get()) {
      all.add(set.word());
      all.add(set.networks().stream().map(Object::toString).sorted().toList());
      all.add(set.names().stream().map(Object::toString).sorted().toList());
      all.add(set.trees().stream().map(Object::toString).sorted().toList());
      all.add(set.publicSuffixes());
    }
    return Fingerprint.ofText(all.toString()).toString();
  }

  /**
   * The choice of the stored versions for a generation: of each feed the new one, else the newest
   * that may be live and is whole. A feed of which nothing is left is left out, so that no feed
   * ever keeps another from going live.
   */
  private final class BuildChoice {

    private final Map<String, FeedVersion> candidates;
    private final Map<String, Set<Long>> damaged = new HashMap<>();

    /** The chosen versions, in the order of the feeds. */
    private final Map<String, Stored> chosen = new LinkedHashMap<>();

    /** Feeds whose new version cannot be read. */
    private final Set<String> refused = new LinkedHashSet<>();

    BuildChoice(Settings settings, Map<String, FeedVersion> candidates) {
      this.candidates = candidates;
      settings.feeds().sources().keySet().forEach(this::choose);
    }

    /** A chosen version turned out to be unreadable: chooses another. */
    void without(VersionReader.UnreadableException unreadable) {
      damaged.computeIfAbsent(unreadable.feed(), f -> new HashSet<>()).add(unreadable.version());
      choose(unreadable.feed());
    }

    private void choose(String name) {
      Set<Long> bad = damaged.getOrDefault(name, Set.of());
      Stream<Stored> candidate =
          Optional.ofNullable(candidates.get(name)).flatMap(v -> archive.whole(name, v)).stream();
      Optional<Stored> first =
          Stream.concat(candidate, archive.wholeOnes(name))
              .filter(v -> !bad.contains(v.version().id()))
              .findFirst();
      // A feed of which another is chosen keeps its place.
      first.ifPresentOrElse(v -> chosen.put(name, v), () -> chosen.remove(name));
      if (candidates.containsKey(name) && !isCandidate(name)) {
        refused.add(name);
      }
    }

    /** Number of the version that was chosen of a feed, 0 for none. */
    long number(String name) {
      Stored version = chosen.get(name);
      return version == null ? 0 : version.version().id();
    }

    /** True when the new version of the feed is in. */
    boolean isCandidate(String name) {
      FeedVersion candidate = candidates.get(name);
      return candidate != null && candidate.id() == number(name);
    }
  }
}
