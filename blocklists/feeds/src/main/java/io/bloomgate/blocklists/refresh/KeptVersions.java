package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.guard.GuardedText;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges.Compared;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges.NotCompared;
import io.bloomgate.blocklists.refresh.VersionReader.Stored;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The versions of one feed that are kept, read beside a gateway or without one and without changing
 * anything: for {@code feeds diff} in the command line and for the page, on the thread that asks.
 */
public record KeptVersions(FeedFiles files, VersionReader reader, FeedRecord record) {

  /**
   * One of them.
   *
   * @param id its number, as {@code feeds show} has it
   * @param status live, held, rolled-back or kept
   * @param side ready to be compared
   * @param knownGood the good senders that {@code feeds accept} would list, if it waits or holds
   *     entries back
   */
  public record Kept(
      long id, String status, Instant fetched, GuardedText side, KnownGoodHits knownGood) {}

  /**
   * Reads what is known of a feed.
   *
   * @param stateDir {@code STATE_DIR}
   * @param protectedSets what no feed may list
   * @throws IOException when something there cannot be read; a missing file is no failure
   */
  public static KeptVersions of(Path stateDir, Source source, List<ProtectedSet> protectedSets)
      throws IOException {
    FeedFiles files = FeedFiles.open(stateDir.resolve("feeds"));
    SnapshotManifest manifest = manifest(stateDir.resolve("snapshots"));
    FeedStates states = FeedStates.read(stateDir);
    FeedArchive archive = new FeedArchive(files, states, () -> manifest, problem -> {});
    // Reads it first, as a damaged one is no reason to say that nothing is live.
    FeedArchive.stored(states, source.name());
    return new KeptVersions(
        files, new VersionReader(source, protectedSets), archive.get(source.name()));
  }

  private static SnapshotManifest manifest(Path snapshots) throws IOException {
    try {
      return SnapshotStore.currentManifest(snapshots);
    } catch (DamagedFileException e) {
      // What the next build takes is live then.
      return SnapshotManifest.EMPTY;
    }
  }

  /** The live one, if there is one. */
  public Optional<Kept> live() throws IOException {
    return kept(record.live(), false);
  }

  /** The one that waits, as {@code feeds accept} would let it through. */
  public Optional<Kept> held() throws IOException {
    return kept(record.held(), false);
  }

  /** The live one as a further {@code feeds accept} would make it, if entries of it are held. */
  public Optional<Kept> liveWithHeldEntries() throws IOException {
    return files.version(record.name(), record.live()).filter(FeedVersion::holdsEntries).isEmpty()
        ? Optional.empty()
        : kept(record.live(), true);
  }

  /** The newest one below the live one that was not rolled back from. */
  public Optional<Kept> previous() throws IOException {
    for (FeedVersion version : files.versions(record.name())) {
      if (version.id() < record.live()
          && version.wasLive()
          && !record.rollback().from().contains(version.id())) {
        return kept(version.id(), false);
      }
    }
    return Optional.empty();
  }

  /** One by its number. */
  public Optional<Kept> numbered(long id) throws IOException {
    return kept(id, false);
  }

  private Optional<Kept> kept(long id, boolean accepted) throws IOException {
    Optional<FeedVersion> version = files.version(record.name(), id);
    if (version.isEmpty()) {
      return Optional.empty();
    }
    Stored stored = files.stored(record.name(), version.get());
    return Optional.of(
        new Kept(
            id,
            record.status(id),
            version.get().fetched(),
            accepted ? reader.accepted(stored) : reader.inForce(stored),
            version.get().knownGood()));
  }

  /**
   * Compares what is held of a feed with what is live, as {@link FeedLoop#heldChanges}: one
   * comparison at a time, so that its memory is bounded.
   */
  static synchronized HeldChanges heldChanges(
      RefreshParts parts, FeedArchive archive, String feed, int shown, long maxEntries) {
    Source source = parts.feeds().get(feed);
    if (source == null) {
      return new NotCompared("there is no feed " + feed);
    }
    FeedRecord record = archive.get(feed);
    KeptVersions versions = new KeptVersions(archive.files(), parts.reader(source), record);
    try {
      long entries = versions.entries(record.held()) + versions.entries(record.live());
      if (entries > maxEntries) {
        return new NotCompared(
            String.format(
                Locale.ROOT,
                "the two versions have %,d entries, and the page compares %,d at most",
                entries,
                maxEntries));
      }
      Optional<Kept> held = versions.held();
      return held.isEmpty()
          ? new NotCompared("no version of feed " + feed + " is held")
          : compared(versions.live(), held.get(), shown);
    } catch (IOException e) {
      return new NotCompared(
          "the versions cannot be read, perhaps because a new one came meanwhile: "
              + e.getMessage());
    }
  }

  private long entries(long version) throws IOException {
    return files.version(record.name(), version).map(FeedVersion::entries).orElse(0L);
  }

  private static Compared compared(Optional<Kept> live, Kept held, int shown) throws IOException {
    GuardedText from = live.map(Kept::side).orElseGet(() -> held.side().emptied());
    FeedDiff.Result found =
        FeedDiff.compare(from, held.side(), Math.clamp(shown, 0, FeedDiff.MOST_SHOWN));
    return new Compared(
        held.id(), live.map(Kept::id).orElse(0L), found.added(), found.removed(), found.same());
  }

  /** A file or a download, as a new version of the feed would be. */
  public GuardedText fresh(FeedContent content) throws IOException {
    return reader.fresh(content);
  }
}
