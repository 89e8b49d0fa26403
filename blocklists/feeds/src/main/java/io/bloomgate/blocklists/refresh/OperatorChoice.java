package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.generation.SnapshotBuildException;
import io.bloomgate.blocklists.guard.FeedDigest;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.FeedRecord.Rollback;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the operator choose which version of a feed is live: {@code feeds accept} and {@code feeds
 * rollback}. Carried out on the feed-refresher thread between two refreshes, so that neither
 * crosses the other; a version is live, and durably so, when an act returns.
 */
record OperatorChoice(RefreshParts parts, FeedArchive archive, ListPublisher publisher) {

  private static final Logger LOG = LoggerFactory.getLogger(OperatorChoice.class);

  private static final String ONE_VERSION =
      "this holds for version %d only; the next one is judged again";

  private static final String NEVER =
      "default routes or protected by never_block, which nothing lets through";

  /** An act about a feed of the settings. */
  @FunctionalInterface
  private interface Act {
    ActResult carryOut(Source source) throws IOException, SnapshotBuildException;
  }

  /**
   * Lets through what is held of a feed.
   *
   * @param by the Unix user who asks
   */
  ActResult accept(String feed, String by) {
    return carryOut(feed, source -> accept(source, by));
  }

  /**
   * Goes back to an older version.
   *
   * @param to number of a version, {@code null} for the one before
   */
  ActResult rollback(String feed, @Nullable Long to, String by) {
    return carryOut(feed, source -> rollback(source, to, by));
  }

  /** Carries it out; when this returns the chosen version is live, or nothing has changed. */
  private ActResult carryOut(String feed, Act act) {
    Source source = parts.feeds().get(feed);
    if (source == null) {
      return new ActResult.Refused(
          2,
          "there is no feed " + feed + " in the settings in force",
          "if you just added it: `bloomgate config reload`; `bloomgate feeds list` shows their"
              + " names");
    }
    try {
      return act.carryOut(source);
    } catch (IOException | SnapshotBuildException e) {
      LOG.error("feed {}: {}", feed, Faults.words(e));
      return ActResult.refused(
          "nothing was changed: the lists could not be built or written: " + e.getMessage(),
          "check space and owner of the state directory");
    }
  }

  private FeedFiles files() {
    return archive.files();
  }

  private ActResult accept(Source source, String by) throws IOException, SnapshotBuildException {
    FeedRecord record = archive.get(source.name());
    Optional<FeedVersion> held = files().version(source.name(), record.held());
    if (held.isPresent()) {
      return acceptVersion(source, record, held.get(), by);
    }
    Optional<FeedVersion> live = files().version(source.name(), record.live());
    return live.isPresent() && live.get().holdsEntries()
        ? acceptEntries(source, live.get(), by)
        : ActResult.refused(
            "nothing of feed " + source.name() + " is held",
            FeedReports.afterFailure(record)
                .orElse("`bloomgate feeds show " + source.name() + "` shows its state"));
  }

  /**
   * Accepts a version without its held entries: who accepts the size of a feed has not accepted
   * those entries.
   */
  private ActResult acceptVersion(Source source, FeedRecord record, FeedVersion held, String by)
      throws IOException, SnapshotBuildException {
    Instant now = parts.now();
    FeedVersion version =
        publish(
            source,
            held.with(heldKnownGood(source, held)),
            new Acceptance(by, now, false),
            held.versionReasons());
    // The held version was the source's own at the last try, so that try was a successful check.
    Instant checked =
        record.outcome() == LastCheck.HELD && record.times().attempt() != null
            ? record.times().attempt()
            : held.fetched();
    archive.update(source.name(), r -> r.wentLive(version.id(), r.times().accepted(checked, now)));
    archive.prune(
        source.name(),
        parts.settings().feeds().keepGenerations(),
        Set.of(version.id(), record.live()),
        now);
    return accepted(
        source,
        version,
        null,
        version.heldEntries(),
        version.versionReasons(),
        versionNotes(version, source));
  }

  private ActResult acceptEntries(Source source, FeedVersion live, String by)
      throws IOException, SnapshotBuildException {
    Instant now = parts.now();
    FeedDigest freed = heldBack(source, live);
    if (freed.entries() == 0) {
      return ActResult.refused(
          "what feed %s holds back (%d) are ".formatted(source.name(), live.heldEntries()) + NEVER,
          "`bloomgate feeds show "
              + source.name()
              + "` names them; block them yourself if you must");
    }
    FeedVersion version = publish(source, live, new Acceptance(by, now, true), live.entryReasons());
    parts.breaker().accept(source.name());
    archive.update(source.name(), r -> r.with(r.times().changed(now)));
    return accepted(
        source,
        version,
        freed.entries(),
        Math.max(0, live.heldEntries() - freed.entries()),
        live.entryReasons(),
        List.of(
            (freed.entries() == 1
                    ? "1 entry that was held back is let through;"
                    : freed.entries() + " entries that were held back are let through;")
                + " default routes and what"
                + " never_block protects stay without effect",
            ONE_VERSION.formatted(version.id())));
  }

  /** The known-good senders that accepting its held entries would list, if there are any. */
  private KnownGoodHits heldKnownGood(Source source, FeedVersion version) throws IOException {
    return version.holdsEntries()
        ? publisher.knownGood(files().stored(source.name(), version), source, true, true)
        : KnownGoodHits.NONE;
  }

  /** The entries that are held back and that an acceptance lets through. */
  private FeedDigest heldBack(Source source, FeedVersion version) throws IOException {
    return parts.reader(source).text(files().stored(source.name(), version)).heldBack();
  }

  /**
   * The acceptance is on disk before the accepted version is live; the next start completes a
   * publish that was cut off.
   */
  private FeedVersion publish(
      Source source, FeedVersion version, Acceptance word, List<String> reasons)
      throws IOException, SnapshotBuildException {
    FeedVersion accepted = version.with(word);
    files().update(source.name(), accepted);
    publish(source, accepted, () -> files().update(source.name(), version));
    LOG.info(
        "feed {}: version {} accepted by {}: {}",
        source.name(),
        version.id(),
        word.by(),
        String.join("; ", reasons));
    return files().version(source.name(), version.id()).orElse(accepted);
  }

  private ActResult accepted(
      Source source,
      FeedVersion version,
      @Nullable Long entries,
      long stillHeld,
      List<String> reasons,
      List<String> notes) {
    List<String> all = new ArrayList<>(notes);
    if (parts.liveEntries(source.name()) == 0) {
      all.addFirst("none of its entries counts, so " + source.name() + " lists nothing now");
    }
    return new ActResult.Accepted(
        source.name(),
        version.id(),
        version.sha256(),
        parts.liveEntries(source.name()),
        entries,
        stillHeld,
        reasons,
        parts.generation(),
        withPause(source, all));
  }

  private static List<String> versionNotes(FeedVersion version, Source source) {
    List<String> notes = new ArrayList<>();
    if (version.holdsEntries()) {
      notes.add(
          ("of it %s; `bloomgate feeds show %s` names them, and a second `bloomgate feeds accept"
                  + " %s` lets them through, but for default routes and what never_block protects")
              .formatted(String.join(", ", version.entryReasons()), source.name(), source.name()));
    }
    notes.add(ONE_VERSION.formatted(version.id()));
    return notes;
  }

  private ActResult rollback(Source source, @Nullable Long to, String by)
      throws IOException, SnapshotBuildException {
    FeedRecord record = archive.get(source.name());
    Optional<FeedVersion> target = target(source, record, to);
    if (target.isEmpty()) {
      return noTarget(source, record, to);
    }
    FeedVersion version = target.get();
    Instant now = parts.now();
    String before =
        files().version(source.name(), record.live()).map(FeedVersion::sha256).orElse("");
    Rollback rollback = new Rollback(left(source, record, version.id()), version.id(), by, now);
    publish(source, version, record.rolledBack(rollback, record.times().changed(now)));
    parts.breaker().forget(source.name());
    LOG.info(
        "feed {}: rolled back from version {} to {} by {}",
        source.name(),
        record.live(),
        version.id(),
        by);
    List<String> notes = new ArrayList<>();
    if (archive.get(source.name()).isRolledBack()) {
      notes.add(
          "it stays until "
              + source.name()
              + " publishes another version; the newer versions will not come back by themselves");
    }
    return new ActResult.RolledBack(
        source.name(),
        version.id(),
        version.sha256(),
        record.live(),
        before,
        parts.liveEntries(source.name()),
        version.fetched(),
        parts.generation(),
        withPause(source, notes));
  }

  /**
   * The operator's choice is on disk before the version is live; the next start completes a publish
   * that was cut off.
   */
  private void publish(Source source, FeedVersion version, FeedRecord chosen)
      throws IOException, SnapshotBuildException {
    FeedRecord before = archive.get(source.name());
    if (!archive.update(source.name(), r -> chosen)) {
      archive.update(source.name(), r -> before);
      throw new IOException("the state of the feed cannot be written");
    }
    publish(source, version, () -> archive.update(source.name(), r -> before));
  }

  /** Takes back what was written where the version does not go live. */
  @FunctionalInterface
  private interface Undo {
    void run() throws IOException;
  }

  private void publish(Source source, FeedVersion version, Undo undo)
      throws IOException, SnapshotBuildException {
    boolean live = false;
    try {
      publisher.publish(Map.of(source.name(), version), true);
      live = true;
    } finally {
      if (!live) {
        undo.run();
      }
    }
  }

  private Optional<FeedVersion> target(Source source, FeedRecord record, @Nullable Long to)
      throws IOException {
    if (to != null) {
      return to == record.live() || to == record.held()
          ? Optional.empty()
          : files().version(source.name(), to);
    }
    return files().versions(source.name()).stream()
        .filter(v -> v.id() < record.live() && v.id() != record.held() && v.wasLive())
        .filter(v -> !record.rollback().from().contains(v.id()))
        .findFirst();
  }

  private static ActResult noTarget(Source source, FeedRecord record, @Nullable Long to) {
    String name = source.name();
    if (to == null) {
      return ActResult.refused(
          "no older version of feed " + name + " is kept", "name one of `bloomgate feeds show`");
    }
    if (to == record.live()) {
      return ActResult.refused("version " + to + " of feed " + name + " is live already", "");
    }
    return to == record.held()
        ? ActResult.refused(
            "version " + to + " of feed " + name + " is held",
            "`bloomgate feeds accept " + name + "` lets it through")
        : ActResult.refused(
            "version " + to + " of feed " + name + " is not kept",
            "`bloomgate feeds show " + name + "` lists those that are");
  }

  /** Every version that is newer than the chosen one, and those that were left before. */
  private Set<Long> left(Source source, FeedRecord record, long chosen) throws IOException {
    Set<Long> left = new TreeSet<>();
    for (FeedVersion version : files().versions(source.name())) {
      long id = version.id();
      boolean before = record.rollback().from().contains(id) && id != chosen;
      if (id != record.held() && (id > chosen || before)) {
        left.add(id);
      }
    }
    return left;
  }

  private List<String> withPause(Source source, List<String> notes) {
    List<String> all = new ArrayList<>(notes);
    if (archive.get(source.name()).pause().holdsAt(parts.now())) {
      all.add("warning: the feed is disabled, so its listings do not count");
    }
    return all;
  }
}
