package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.feed.ProtectedSet;
import io.bloomgate.blocklists.knowngood.KnownGoodHits;
import io.bloomgate.blocklists.knowngood.KnownGoodSet;
import io.bloomgate.blocklists.operator.KnownGoodFiles;
import io.bloomgate.blocklists.operator.OperatorEntry.Subject;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one generation of the stored versions of all feeds and publishes it. Used by {@link
 * FeedRun} on the feed-refresher thread.
 */
final class FeedBuild {

  private static final Logger LOG = LoggerFactory.getLogger(FeedBuild.class);

  private final RefreshParts parts;
  private final FeedStore store;
  private final FeedBook book;

  FeedBuild(RefreshParts parts, FeedStore store, FeedBook book) {
    this.parts = parts;
    this.store = store;
    this.book = book;
  }

  /**
   * A version that went live right before the process was killed is in the generation and not yet
   * in the record, or not yet watched by the breaker. Call at the start.
   */
  void adoptPublished() throws IOException {
    for (FeedCounts feed : parts.live().current().manifest().feeds()) {
      if (!parts.settings().get().feeds().sources().containsKey(feed.name())
          || !feed.version().matches("[0-9]{1,18}")) {
        continue;
      }
      long published = Long.parseLong(feed.version());
      Optional<FeedVersion> version = store.version(feed.name(), published);
      if (version.isEmpty()) {
        continue;
      }
      Instant since = book.get(feed.name()).times().change();
      if (published > book.get(feed.name()).live()) {
        since = parts.live().current().manifest().created();
        Instant fetched = version.get().fetched();
        book.update(
            feed.name(),
            r ->
                r.ended(
                    FeedRecord.Outcome.FRESH,
                    "",
                    published,
                    0,
                    r.times().succeeded(fetched, fetched, true)));
      }
      watch(
          feed.name(),
          version.get(),
          since == null ? parts.live().current().manifest().created() : since);
    }
  }

  /** The kill may have come before the breaker heard of what went live. */
  private void watch(String feed, FeedVersion version, Instant since) {
    parts.breaker().published(feed, version.id(), since);
    FeedVersion.Accepted word = version.accepted();
    if (word != null && word.entries()) {
      parts.breaker().acceptedEntries(feed, version.id(), word.at());
    }
  }

  /**
   * True when the live generation is not what the settings and the stored versions say: feeds came
   * or went, rules for entries changed, or the generation on disk was lost.
   */
  boolean isNeeded() throws IOException {
    Settings settings = parts.settings().get();
    ListSnapshot current = parts.live().current();
    List<String> wanted = new ArrayList<>();
    for (String name : settings.feeds().sources().keySet()) {
      long live = book.get(name).live();
      if (live != 0) {
        wanted.add(name + " " + live);
      }
    }
    List<String> built =
        current.manifest().feeds().stream().map(f -> f.name() + " " + f.version()).toList();
    boolean nothingEver = current.generation() == 0;
    return !built.equals(wanted)
        || (nothingEver && settings.feeds().sources().isEmpty())
        || (!nothingEver && !store.built().equals(Optional.of(digest(settings, Map.of()))));
  }

  /**
   * Builds and publishes.
   *
   * @param candidates stored versions that are to go live, by feed; the other feeds stay as they
   *     are
   * @throws IOException when nothing was published
   * @throws SnapshotBuildException when nothing was published
   */
  void publish(Map<String, FeedVersion> candidates) throws IOException, SnapshotBuildException {
    Settings settings = parts.settings().get();
    List<ProtectedSet> protectedSets = parts.protectedSets().get();
    List<FeedInput> inputs = new ArrayList<>();
    for (Settings.Feeds.Source source : settings.feeds().sources().values()) {
      Optional<FeedVersion> version = version(source.name(), candidates);
      if (version.isPresent()) {
        inputs.add(input(source, version.get(), protectedSets));
      } else if (book.get(source.name()).live() != 0) {
        parts
            .alarm()
            .accept("the stored version of feed " + source.name() + " is lost; fetch it again");
      }
    }
    KnownGoodFiles files = KnownGoodFiles.read(settings.allow().knownGood());
    files.problems().forEach(problem -> LOG.warn("{}", problem));
    KnownGood knownGood = knownGood(files);
    ListSnapshot built = parts.snapshots().build(inputs, BuildOptions.of(settings, knownGood));
    KnownGoodLog.tell(parts.live().current().manifest(), built.manifest());
    parts.live().publish(built);
    try {
      store.saveBuilt(digest(settings, candidates));
    } catch (IOException e) {
      // Costs one more build at the next start.
      parts.alarm().accept("the state of the feeds cannot be written: " + e.getMessage());
    }
  }

  /** What is known to be good now, for a look at what is not built yet. */
  KnownGoodSet knownGoodSet() {
    KnownGoodSet.Builder set = new KnownGoodSet.Builder();
    knownGood(KnownGoodFiles.read(parts.settings().get().allow().knownGood())).collect(set);
    return set.build();
  }

  /** The files as they were read, and the operator's own allow entries. */
  private KnownGood knownGood(KnownGoodFiles files) {
    List<Subject> allowed = parts.allowed().get();
    return new KnownGood() {
      @Override
      public void forEach(Consumer<Subject> subjects) {
        files.forEach(subjects);
        allowed.forEach(subjects);
      }

      @Override
      public void collect(KnownGoodSet.Builder set) {
        files.collect(set);
        allowed.forEach(subject -> KnownGoodFiles.add(set, subject, KnownGoodHits.ALLOW_ENTRY, 0));
      }
    };
  }

  private FeedInput input(
      Settings.Feeds.Source source, FeedVersion version, List<ProtectedSet> protectedSets)
      throws IOException {
    FeedTrial trial = new FeedTrial(source, protectedSets);
    return new FeedInput(
        source.name(),
        Long.toString(version.id()),
        trial.entries(store.content(source.name(), version.id()), version));
  }

  private Optional<FeedVersion> version(String name, Map<String, FeedVersion> candidates)
      throws IOException {
    FeedVersion candidate = candidates.get(name);
    return candidate == null ? store.version(name, book.get(name).live()) : Optional.of(candidate);
  }

  private String accepted(String name, Map<String, FeedVersion> candidates) throws IOException {
    return version(name, candidates)
        .filter(FeedVersion::entriesAccepted)
        .map(v -> " accepted")
        .orElse("");
  }

  /** Everything beside the versions that decides what is in a generation. */
  private String digest(Settings settings, Map<String, FeedVersion> candidates) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(settings.filter()).append('\n');
    text.append(KnownGoodFiles.stamp(settings.allow().knownGood()));
    for (Settings.Feeds.Source s : settings.feeds().sources().values()) {
      text.append(s.name())
          .append(' ')
          .append(s.format())
          .append(' ')
          .append(s.match())
          .append(' ')
          .append(s.allowBogons())
          .append(' ')
          .append(s.guard().minPrefixIpv4())
          .append(' ')
          .append(s.guard().minPrefixIpv6())
          .append(accepted(s.name(), candidates))
          .append('\n');
    }
    for (ProtectedSet set : parts.protectedSets().get()) {
      text.append(set.word())
          .append(set.networks().stream().map(Object::toString).sorted().toList())
          .append(set.names().stream().map(Object::toString).sorted().toList())
          .append(set.trees().stream().map(Object::toString).sorted().toList())
          .append(set.publicSuffixes())
          .append('\n');
    }
    return FeedTrial.sha256(text.toString());
  }
}
