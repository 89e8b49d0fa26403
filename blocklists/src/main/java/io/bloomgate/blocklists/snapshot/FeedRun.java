package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.feed.FeedContent;
import io.bloomgate.blocklists.feed.FeedSource;
import io.bloomgate.blocklists.feed.FetchResult;
import io.bloomgate.blocklists.feed.Validators;
import io.bloomgate.blocklists.index.TooManyEntriesException;
import io.bloomgate.blocklists.knowngood.KnownGoodSet;
import io.bloomgate.blocklists.snapshot.FeedRecord.Outcome;
import io.bloomgate.blocklists.snapshot.FeedTrial.Judged;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
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
 * One refresh: fetch some feeds side by side, judge each aside, build one generation of all that
 * passed, publish it. Made by {@link FeedRefresher} for each refresh, on its thread.
 *
 * <p>A feed that comes slowly does not keep the others waiting: after a while the generation is
 * made of those that are there, and the late one is taken by a later run.
 *
 * <p>Killed at any step, the live lists stay whole: a version becomes live by being part of a
 * published generation, and what was stored before that is found again or thrown away.
 */
final class FeedRun {

  private static final Logger LOG = LoggerFactory.getLogger(FeedRun.class);

  private final RefreshParts parts;
  private final FeedStore store;
  private final FeedBook book;
  private final FeedBuild build;
  private final FeedSchedule schedule;
  private final Fetches fetches;
  private final Consumer<RefreshProgress> progress;
  private final Settings settings;
  private final Map<String, FeedVersion> candidates = new LinkedHashMap<>();

  FeedRun(
      RefreshParts parts,
      FeedStore store,
      FeedBook book,
      FeedBuild build,
      FeedSchedule schedule,
      Fetches fetches,
      Consumer<RefreshProgress> progress) {
    this.parts = parts;
    this.store = store;
    this.book = book;
    this.build = build;
    this.schedule = schedule;
    this.fetches = fetches;
    this.progress = progress;
    this.settings = parts.settings().get();
  }

  /**
   * Refreshes these feeds, and takes what else has come meanwhile.
   *
   * @param sources none of which is being fetched already
   * @param force without validators: fetch even what did not change
   * @param rebuild publish a generation even if no feed changed
   * @param patience how long the generation waits for a slow feed
   * @return false when a generation was to be published and could not be
   * @throws InterruptedException when the gateway stops; nothing of this refresh goes live
   */
  boolean refresh(List<Source> sources, boolean force, boolean rebuild, Duration patience)
      throws InterruptedException {
    for (Source source : sources) {
      book.update(source.name(), r -> r.with(r.times().attempted(parts.clock().instant())));
      fetches.start(source, () -> fetch(source, force));
      tell(source.name(), "fetching");
    }
    fetches.await(sources, patience);
    for (Fetches.Ended ended : fetches.take()) {
      takeIfWanted(ended);
    }
    return (candidates.isEmpty() && !rebuild) || publish();
  }

  /** While a slow feed came, the settings may have lost it or moved it. */
  private void takeIfWanted(Fetches.Ended ended) {
    Source source = ended.source();
    if (source.equals(settings.feeds().sources().get(source.name()))) {
      take(source, ended.result());
      return;
    }
    try {
      store.discardIncoming(source.name());
    } catch (IOException e) {
      LOG.warn("feed {}: {}", source.name(), e.toString());
    }
  }

  private FetchResult fetch(Source source, boolean force) {
    try {
      FeedSource from =
          parts.sources().of(source, new FetchSteps(source.name(), parts.clock(), progress));
      Validators known = force ? Validators.NONE : validators(source);
      return from.fetch(known, store.incoming(source.name()));
    } catch (IOException e) {
      return FetchResult.Failed.of(
          "the state directory cannot be written; check space and owner", e.toString());
    }
  }

  /**
   * Of the version in hand; after a rollback of what the source had then, so that it need not send
   * that again.
   */
  private Validators validators(Source source) throws IOException {
    FeedRecord record = book.get(source.name());
    Optional<FeedVersion> newest =
        store.versions(source.name()).stream().filter(v -> record.isRolledBack(v.id())).findFirst();
    return (newest.isPresent() ? newest : live(source))
        .filter(v -> v.location().equals(FeedTrial.locationKey(source.location())))
        .map(FeedVersion::validators)
        .orElse(Validators.NONE);
  }

  private Optional<FeedVersion> live(Source source) throws IOException {
    return store.version(source.name(), book.get(source.name()).live());
  }

  private void take(Source source, FetchResult result) {
    try {
      switch (result) {
        case FetchResult.NotModified ignored -> unchanged(source);
        case FetchResult.Failed failed -> {
          LOG.warn("feed {}: {}", source.name(), failed.log());
          failed(source, Outcome.FAILED, failed.message(), failed.retryAfter());
        }
        case FetchResult.Fetched(FeedContent content, Validators validators, var wish) ->
            fetched(source, content, validators);
      }
      if (!candidates.containsKey(source.name())) {
        store.discardIncoming(source.name());
      }
    } catch (IOException e) {
      LOG.warn("feed {}: {}", source.name(), e.toString());
      failed(
          source,
          Outcome.FAILED,
          "the version could not be read or stored; check space and owner of the state directory",
          Optional.empty());
    } catch (RuntimeException | StackOverflowError | InternalError e) {
      // Its own failure and nobody else's: the other feeds go on, and its server is left in peace.
      LOG.error("feed {}: reading its new version failed unexpectedly", source.name(), e);
      failed(source, Outcome.FAILED, "unexpected fault, see the log", Optional.empty());
    }
  }

  private void fetched(Source source, FeedContent content, Validators validators)
      throws IOException {
    tell(source.name(), "reading");
    Optional<FeedVersion> live = live(source);
    String location = FeedTrial.locationKey(source.location());
    boolean samePlace = live.filter(v -> v.location().equals(location)).isPresent();
    if (samePlace && live.get().sha256().equals(content.sha256())) {
      store.update(source.name(), live.get().with(live.get().validators().and(validators)));
      unchanged(source);
      return;
    }
    Optional<FeedVersion> unwanted = rolledBack(source, location, content.sha256());
    if (unwanted.isPresent()) {
      store.update(source.name(), unwanted.get().with(validators));
      unchanged(source);
      return;
    }
    Optional<FeedContent> before =
        live.isPresent()
            ? Optional.of(store.content(source.name(), live.get().id()))
            : Optional.empty();
    FeedTrial trial = new FeedTrial(source, parts.protectedSets().get());
    Judged judged =
        trial.judge(
            content,
            store.nextId(source.name()),
            validators,
            parts.clock().instant(),
            before,
            live);
    String reasons = String.join("; ", judged.judgement().reasons());
    switch (judged.judgement().verdict()) {
      case ACCEPT -> takeCandidate(source, judged, judged.version());
      case ACCEPT_REST ->
          takeCandidate(source, judged, withKnownGood(trial, content, judged, true));
      case HOLD -> hold(source, withKnownGood(trial, content, judged, false), reasons);
      case REJECT -> {
        LOG.warn("feed {}: new version rejected: {}", source.name(), reasons);
        failed(source, Outcome.REJECTED, "rejected: " + reasons, Optional.empty());
      }
    }
  }

  private void takeCandidate(Source source, Judged judged, FeedVersion version) throws IOException {
    prepare(source, judged);
    store.keep(source.name(), version);
    candidates.put(source.name(), version);
    tell(source.name(), "accepted");
  }

  /** So that the operator hears which good senders it would list before accepting it. */
  private FeedVersion withKnownGood(
      FeedTrial trial, FeedContent content, Judged judged, boolean heldEntries) throws IOException {
    KnownGoodSet good = build.knownGoodSet();
    return good.isEmpty()
        ? judged.version()
        : judged.version().with(trial.knownGood(content, judged.version(), good, heldEntries));
  }

  /** The version of these octets, if the operator rolled back from it. */
  private Optional<FeedVersion> rolledBack(Source source, String location, String sha256)
      throws IOException {
    FeedRecord record = book.get(source.name());
    return store.versions(source.name()).stream()
        .filter(v -> record.isRolledBack(v.id()))
        .filter(v -> v.location().equals(location) && v.sha256().equals(sha256))
        .findFirst();
  }

  private void prepare(Source source, Judged judged) throws IOException {
    parts.breaker().prepare(source.name(), judged.version().id(), judged.digest(), judged.live());
  }

  private void unchanged(Source source) throws IOException {
    long held = book.get(source.name()).held();
    if (held != 0) {
      store.remove(source.name(), held);
    }
    Instant now = parts.clock().instant();
    book.update(
        source.name(),
        r ->
            r.ended(
                Outcome.UNCHANGED, "", r.live(), 0, r.times().succeeded(now, next(source), false)));
    tell(source.name(), "unchanged");
  }

  private void hold(Source source, FeedVersion version, String reasons) throws IOException {
    FeedRecord record = book.get(source.name());
    Optional<FeedVersion> held = store.version(source.name(), record.held());
    long id = record.held();
    if (held.isPresent() && held.get().sha256().equals(version.sha256())) {
      store.update(source.name(), held.get().with(version.knownGood()));
    } else {
      store.keep(source.name(), version);
      if (held.isPresent()) {
        store.remove(source.name(), held.get().id());
      }
      id = version.id();
    }
    long waiting = id;
    if (record.held() == 0) {
      // Once, not at every refresh; the metric bloomgate_feed_state stays until it is let through.
      LOG.warn("feed {}: new version is held: {}", source.name(), reasons);
      if (version.knownGood().entries() > 0) {
        LOG.warn(
            "feed {}: if it were accepted, {}",
            source.name(),
            KnownGoodLog.text(version.knownGood()));
      }
    }
    book.update(
        source.name(),
        r ->
            r.ended(
                Outcome.HELD,
                "held: " + reasons,
                r.live(),
                waiting,
                r.times().failed(next(source), null)));
    tell(source.name(), "held");
  }

  private void failed(Source source, Outcome outcome, String why, Optional<Duration> retryAfter) {
    Instant now = parts.clock().instant();
    book.update(
        source.name(),
        r ->
            r.ended(
                outcome,
                why,
                r.live(),
                r.held(),
                r.times()
                    .failed(
                        schedule.afterFailure(
                            now,
                            source,
                            settings.feeds().refreshJitterRatio(),
                            r.times().failures() + 1),
                        retryAfter.map(now::plus).orElse(null))));
    tell(source.name(), outcome == Outcome.REJECTED ? "rejected" : "failed");
  }

  private Instant next(Source source) {
    return schedule.afterSuccess(
        parts.clock().instant(), source, settings.feeds().refreshJitterRatio());
  }

  private boolean publish() {
    progress.accept(
        new RefreshProgress(
            "building the lists", JsonValue.object().put("step", "building").build()));
    try {
      build.publish(candidates);
    } catch (TooManyEntriesException e) {
      return publishWithoutOne(e);
    } catch (IOException | SnapshotBuildException | RuntimeException e) {
      LOG.error("the lists could not be built", e);
      parts
          .alarm()
          .accept("new lists could not be built, the last good ones stay: " + e.getMessage());
      candidates
          .keySet()
          .forEach(name ->
              giveUp(source(name), Outcome.FAILED, "the lists could not be built, see the log"));
      return false;
    }
    candidates.forEach((name, version) -> wentLive(source(name), version));
    return true;
  }

  /** The heap has no room for all: the feed that grew most is refused, the others go live. */
  private boolean publishWithoutOne(TooManyEntriesException tooMany) {
    String why = String.valueOf(tooMany.getMessage());
    LOG.error("the lists could not be built: {}", why);
    parts.alarm().accept("new lists could not be built: " + why);
    Optional<String> grown =
        candidates.keySet().stream().max(Comparator.comparingLong(this::growth));
    if (grown.isEmpty()) {
      return false;
    }
    giveUp(source(grown.get()), Outcome.REJECTED, "rejected: " + why);
    candidates.remove(grown.get());
    return !candidates.isEmpty() && publish();
  }

  private long growth(String name) {
    long live =
        parts.live().current().manifest().feeds().stream()
            .filter(feed -> feed.name().equals(name))
            .mapToLong(FeedCounts::entries)
            .sum();
    return Objects.requireNonNull(candidates.get(name)).entries() - live;
  }

  private Source source(String name) {
    return Objects.requireNonNull(settings.feeds().sources().get(name));
  }

  private void giveUp(Source source, Outcome outcome, String why) {
    try {
      store.remove(source.name(), Objects.requireNonNull(candidates.get(source.name())).id());
    } catch (IOException e) {
      LOG.warn("feed {}: {}", source.name(), e.toString());
    }
    failed(source, outcome, why, Optional.empty());
  }

  private void wentLive(Source source, FeedVersion version) {
    Instant now = parts.clock().instant();
    long overtaken = book.get(source.name()).held();
    // First, so that what the record calls live is watched even if this is killed here.
    parts.breaker().published(source.name(), version.id(), parts.steady().instant());
    book.update(
        source.name(),
        r ->
            r.ended(
                Outcome.FRESH, "", version.id(), 0, r.times().succeeded(now, next(source), true)));
    LOG.info(
        "feed {}: {} entries live, {} held back, {} bad lines",
        source.name(),
        version.entries() - version.heldEntries(),
        version.heldEntries(),
        version.invalid());
    try {
      if (overtaken != 0) {
        store.remove(source.name(), overtaken);
      }
      store.prune(source.name(), settings.feeds().keepGenerations(), Set.of(version.id()));
    } catch (IOException e) {
      LOG.warn("feed {}: old versions cannot be removed: {}", source.name(), e.toString());
    }
    tell(source.name(), "fresh");
  }

  private void tell(String feed, String step) {
    progress.accept(
        new RefreshProgress(
            feed + ": " + step, JsonValue.object().put("feed", feed).put("step", step).build()));
  }
}
