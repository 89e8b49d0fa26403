package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges.Compared;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges.NotCompared;
import io.bloomgate.blocklists.refresh.KeptVersions.Kept;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Compares what is held of a feed with what is live, for the page. Called on threads of HTTP
 * requests and control connections; one comparison at a time, so that its memory is bounded.
 */
final class HeldComparison {

  private final RefreshParts parts;
  private final FeedFiles files;
  private final FeedArchive archive;

  HeldComparison(RefreshParts parts, FeedFiles files, FeedArchive archive) {
    this.parts = parts;
    this.files = files;
    this.archive = archive;
  }

  /** See {@link FeedCommands#heldChanges}. */
  synchronized HeldChanges of(String feed, int shown, long maxEntries) {
    Source source = parts.settings().get().feeds().sources().get(feed);
    if (source == null) {
      return new NotCompared("there is no feed " + feed);
    }
    FeedRecord record = archive.get(source.name());
    KeptVersions versions =
        new KeptVersions(
            files, new VersionReader(source, parts.protectedSets().get(), files), record);
    try {
      long entries = entries(record, record.held()) + entries(record, record.live());
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
          ? new NotCompared("no version of feed " + source.name() + " is held")
          : compare(versions.live(), held.get(), shown);
    } catch (IOException e) {
      return new NotCompared(
          "the versions cannot be read, perhaps because a new one came meanwhile: "
              + e.getMessage());
    }
  }

  private long entries(FeedRecord record, long version) throws IOException {
    return files.version(record.name(), version).map(FeedVersion::entries).orElse(0L);
  }

  private static Compared compare(Optional<Kept> live, Kept held, int shown) throws IOException {
    FeedDiff.Side from = live.map(Kept::side).orElseGet(() -> held.side().emptied());
    FeedDiff.Result found =
        FeedDiff.compare(from, held.side(), List.of(), Math.clamp(shown, 0, FeedDiff.MOST_SHOWN));
    return new Compared(
        held.id(), live.map(Kept::id).orElse(0L), found.added(), found.removed(), found.same());
  }
}
