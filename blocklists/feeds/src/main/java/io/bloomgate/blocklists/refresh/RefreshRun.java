package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.FetchResult.Failed.Kind;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.index.TooManyEntriesException;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedIntake.Candidate;
import io.bloomgate.blocklists.score.FetchedOctets;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One refresh: fetch some feeds side by side, let {@link FeedIntake} judge each, build one
 * generation of all that passed, publish it. Made by {@link FeedLoop} for each refresh, on its
 * thread.
 *
 * <p>A feed that comes slowly does not keep the others waiting: after a while the generation is
 * made of those that are there, and the late one is taken by a later run.
 *
 * <p>Killed at any step, the live lists stay whole: a version becomes live by being part of a
 * published generation, and what was stored before that is found again or removed.
 */
final class RefreshRun {

  private static final Logger LOG = LoggerFactory.getLogger(RefreshRun.class);

  private final RefreshParts parts;
  private final FeedArchive archive;
  private final ListPublisher publisher;
  private final RunningFetches fetches;
  private final Consumer<RefreshProgress> progress;
  private final Settings settings;
  private final FeedOutcomes outcomes;
  private final FeedIntake intake;

  /** The part of the work for one feed. */
  @FunctionalInterface
  private interface Step {
    void go() throws IOException;
  }

  RefreshRun(
      RefreshParts parts,
      FeedArchive archive,
      ListPublisher publisher,
      FeedSchedule schedule,
      RunningFetches fetches,
      Consumer<RefreshProgress> progress) {
    this.parts = parts;
    this.archive = archive;
    this.publisher = publisher;
    this.fetches = fetches;
    this.progress = progress;
    this.settings = parts.settings();
    this.outcomes = new FeedOutcomes(parts, archive, schedule, progress);
    this.intake = new FeedIntake(parts, archive, publisher, outcomes);
  }

  /**
   * Refreshes these feeds, and takes what else has come meanwhile.
   *
   * @param sources none of which is being fetched already
   * @param reread those whose stored versions may have to be judged again
   * @param force without validators: fetch even what did not change
   * @param rebuild publish a generation even if no feed changed
   * @param patience how long the generation waits for a slow feed
   * @return false when a generation was to be published and could not be
   * @throws InterruptedException when the gateway stops; nothing of this refresh goes live
   */
  boolean refresh(
      List<Source> sources,
      Collection<Source> reread,
      boolean force,
      boolean rebuild,
      Duration patience)
      throws InterruptedException {
    sources.forEach(source -> begin(source, force));
    fetches.await(sources, patience);
    for (RunningFetches.Ended ended : fetches.take()) {
      takeIfWanted(ended);
    }
    for (Source source : reread) {
      if (!intake.candidates().containsKey(source.name())) {
        guarded(source, () -> intake.reread(source));
      }
    }
    return (intake.candidates().isEmpty() && !rebuild) || publish();
  }

  private void begin(Source source, boolean force) {
    String location = VersionReader.locationKey(source.location());
    archive.update(source.name(), r -> r.attempted(location, parts.now()));
    Optional<FeedVersion> known = force ? Optional.empty() : known(source);
    Validators validators = known.map(FeedVersion::validators).orElse(Validators.NONE);
    fetches.start(source, known.map(FeedVersion::id).orElse(0L), () -> fetch(source, validators));
    outcomes.report(source.name(), "fetching");
  }

  private Optional<FeedVersion> known(Source source) {
    try {
      return intake.known(source);
    } catch (IOException e) {
      LOG.warn("feed {}: {}", source.name(), Faults.words(e));
      return Optional.empty();
    }
  }

  /** Takes what was fetched, unless the settings have lost or moved the feed while it came. */
  private void takeIfWanted(RunningFetches.Ended ended) {
    Source source = ended.source();
    if (source.equals(settings.feeds().sources().get(source.name()))) {
      guarded(source, () -> take(source, ended));
      if (intake.candidates().containsKey(source.name())) {
        return;
      }
    }
    // What is not kept must not fill the disk until the next try.
    tidy(source.name(), () -> archive.files().discardIncoming(source.name()));
  }

  /** Removes what is not needed; what cannot be removed is no reason to fail. */
  private static void tidy(String name, Step removing) {
    try {
      removing.go();
    } catch (IOException e) {
      LOG.warn("feed {}: what is not needed cannot be removed: {}", name, Faults.words(e));
    }
  }

  private FetchResult fetch(Source source, Validators known) {
    try {
      return from(source).fetch(known, archive.files().incoming(source.name()));
    } catch (FeedFiles.NoRoomException e) {
      return FetchResult.Failed.of(Faults.words(e), Faults.words(e));
    } catch (IOException e) {
      return FetchResult.Failed.of(
          "the state directory cannot be written; check space and owner", Faults.words(e));
    }
  }

  private FeedSource from(Source source) {
    String name = source.name();
    RunningFetches.FetchSteps steps = new RunningFetches.FetchSteps(name, parts::even, progress);
    RefreshParts.Fetching from = parts.fetching();
    Optional<FeedSource> leader =
        parts.isLed(name) ? from.fleet().source(source, steps) : Optional.empty();
    return leader.orElseGet(() -> from.sources().of(source, steps));
  }

  private void take(Source source, RunningFetches.Ended ended) throws IOException {
    switch (ended.result()) {
      case FetchResult.NotModified ignored -> intake.notModified(source, ended.asked());
      case FetchResult.Failed failed -> {
        LOG.warn("feed {}: {}", source.name(), failed.log());
        if (failed.kind() == Kind.UNASKED) {
          outcomes.unasked(source, failed.message());
        } else {
          LastCheck outcome = failed.kind() == Kind.GONE ? LastCheck.GONE : LastCheck.FAILED;
          outcomes.failed(source, outcome, failed.message(), failed.retryAfter());
        }
      }
      case FetchResult.Fetched(FeedContent content, Validators validators, var leader) -> {
        if (!(source.location() instanceof Location.Files)) {
          new FetchedOctets(parts.states()).add(source.name(), content.octets(), parts.now());
        }
        intake.fetched(source, content, validators, leader);
      }
    }
  }

  /** A failure of one feed stops no other: the others go on, and its server is left alone. */
  private void guarded(Source source, Step step) {
    try {
      step.go();
    } catch (IOException e) {
      // A watched file is tried each second: the alarm of its state has said it once.
      if (!archive.isUnwritten(source.name())) {
        LOG.warn("feed {}: {}", source.name(), Faults.words(e));
      }
      failed(
          source,
          "the version could not be read or stored; check space and owner of the state directory");
    } catch (RuntimeException | StackOverflowError | InternalError e) {
      LOG.error("feed {}: reading its new version failed unexpectedly", source.name(), e);
      failed(source, "unexpected fault, see the log");
    }
  }

  private void failed(Source source, String why) {
    intake.candidates().remove(source.name());
    outcomes.failed(source, LastCheck.FAILED, why, Optional.empty());
  }

  private boolean publish() {
    progress.accept(RefreshProgress.step("building the lists", null, "building"));
    Map<String, FeedVersion> versions = new LinkedHashMap<>();
    intake.candidates().forEach((name, candidate) -> versions.put(name, candidate.version()));
    boolean published = false;
    Set<String> refused = versions.keySet();
    try {
      refused = publisher.publish(versions, false);
      published = true;
    } catch (TooManyEntriesException e) {
      return publishWithoutOne(e);
    } catch (IOException
        | SnapshotBuildException
        | RuntimeException
        | StackOverflowError
        | InternalError e) {
      LOG.error("the lists could not be built", e);
      parts.raise("new lists could not be built, the last good ones stay: " + Faults.words(e));
    }
    for (Map.Entry<String, Candidate> one : intake.candidates().entrySet()) {
      if (refused.contains(one.getKey())) {
        giveUp(
            source(one.getKey()),
            one.getValue().version(),
            LastCheck.FAILED,
            "the lists could not be built, see the log");
      } else {
        wentLive(source(one.getKey()), one.getValue());
      }
    }
    return published;
  }

  /** The heap has no room for all: the feed that grew most is refused, the others go live. */
  private boolean publishWithoutOne(TooManyEntriesException tooMany) {
    String why = String.valueOf(tooMany.getMessage());
    LOG.error("the lists could not be built: {}", why);
    parts.raise("new lists could not be built: " + why);
    Optional<String> grown =
        intake.candidates().keySet().stream().max(Comparator.comparingLong(this::growth));
    if (grown.isEmpty()) {
      return false;
    }
    Candidate refused = Objects.requireNonNull(intake.candidates().remove(grown.get()));
    giveUp(source(grown.get()), refused.version(), LastCheck.REJECTED, "rejected: " + why);
    return !intake.candidates().isEmpty() && publish();
  }

  private long growth(String name) {
    long live = parts.manifest().feed(name).map(FeedCounts::entries).orElse(0L);
    return Objects.requireNonNull(intake.candidates().get(name)).version().entries() - live;
  }

  private Source source(String name) {
    return Objects.requireNonNull(settings.feeds().sources().get(name));
  }

  private void giveUp(Source source, FeedVersion version, LastCheck outcome, String why) {
    if (version.id() != archive.get(source.name()).held()) {
      tidy(source.name(), () -> archive.files().remove(source.name(), version.id()));
    }
    outcomes.failed(source, outcome, why, Optional.empty());
  }

  private void wentLive(Source source, Candidate judged) {
    String name = source.name();
    long id = judged.version().id();
    // The finished generation may have shown that more of it is held back.
    Candidate candidate =
        new Candidate(archive.files().version(name, id).orElse(judged.version()), judged.origin());
    long overtaken = archive.get(name).held();
    outcomes.wentLive(source, candidate);
    if (overtaken != 0 && overtaken != id) {
      tidy(name, () -> archive.files().remove(name, overtaken));
    }
    int keep = settings.feeds().keepGenerations();
    tidy(name, () -> archive.prune(name, keep, Set.of(id), parts.now()));
  }
}
