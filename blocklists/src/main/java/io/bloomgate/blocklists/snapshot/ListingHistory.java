package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.blocklists.key.ListEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Looks an entry up in the kept generations, newest first, for {@code explain}. Opens only manifest
 * and index of each, on the thread of the command; nothing is kept open.
 */
final class ListingHistory {

  private ListingHistory() {}

  static Optional<Instant> since(GenerationDirectory names, String feed, ListEntry entry)
      throws IOException {
    OptionalLong current = names.current();
    Optional<Instant> oldest = Optional.empty();
    for (long generation : names.generations()) {
      if (current.isEmpty() || generation > current.getAsLong()) {
        continue;
      }
      Optional<Instant> created = createdIfListed(names.path(generation), feed, entry);
      if (created.isEmpty()) {
        break;
      }
      oldest = created;
    }
    return oldest;
  }

  /**
   * A generation that is pruned or damaged meanwhile ends the search like one without the entry.
   */
  private static Optional<Instant> createdIfListed(Path path, String feed, ListEntry entry) {
    try {
      SnapshotManifest manifest = ManifestFile.read(path);
      List<String> feeds = manifest.feeds().stream().map(FeedCounts::name).toList();
      int number = feeds.indexOf(feed);
      return number >= 0 && lists(path, feeds, number, entry)
          ? Optional.of(manifest.created())
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean lists(Path path, List<String> feeds, int feed, ListEntry entry)
      throws IOException {
    return switch (entry) {
      case ListEntry.Network network ->
          NetworkIndex.open(path.resolve(MappedSnapshot.NETWORK_INDEX), feeds)
              .line(feed, network)
              .isPresent();
      case ListEntry.Domain domain ->
          NameIndex.open(path.resolve(MappedSnapshot.NAME_INDEX), feeds)
              .line(feed, domain)
              .isPresent();
      case ListEntry.Address address ->
          NameIndex.open(path.resolve(MappedSnapshot.NAME_INDEX), feeds)
              .line(feed, address)
              .isPresent();
    };
  }
}
