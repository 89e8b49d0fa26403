package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.guard.FirstListed;
import io.bloomgate.blocklists.index.Listing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a listing comes from: the version of the feed, and since when the feed lists the entry.
 * Made for {@code explain}, on the thread of the command, from files that are only read. Immutable.
 *
 * @param version of the feed in the generation that was asked; {@code null} when its record is gone
 * @param since when the first version was fetched that lists the entry without a gap
 * @param atLeast true when the history begins at that time, so that the entry may be older
 * @param until when a generation without the entry went live; {@code null} while it is listed
 * @param reference what the feed says of the entry, such as an SBL number; {@code null} for nothing
 */
public record ListingOrigin(
    FirstListed.@Nullable Version version,
    Instant since,
    boolean atLeast,
    @Nullable Instant until,
    @Nullable String reference) {

  /**
   * Reads the origin of a listing.
   *
   * @param stateDir {@code STATE_DIR}; nothing is changed there
   * @param manifest of the generation that made the listing
   * @return empty when the generation does not have the feed
   * @throws IOException when what is there cannot be read
   */
  public static Optional<ListingOrigin> of(
      Path stateDir, SnapshotManifest manifest, Listing listing) throws IOException {
    Optional<FeedCounts> feed = manifest.feed(listing.feed());
    if (feed.isEmpty()) {
      return Optional.empty();
    }
    FeedFiles files = FeedFiles.forReading(stateDir.resolve("feeds"));
    Optional<FeedVersion> version =
        feed.get().version().matches("[1-9][0-9]{0,17}")
            ? files.version(listing.feed(), Long.parseLong(feed.get().version()))
            : Optional.empty();
    return Optional.of(
        version.isPresent()
            ? of(files, version.get(), listing)
            : new ListingOrigin(null, manifest.created(), true, null, null));
  }

  private static ListingOrigin of(FeedFiles files, FeedVersion version, Listing listing)
      throws IOException {
    FirstListed history = files.firstListed(listing.feed(), version);
    Optional<FirstListed.Version> brought = history.of(listing.entry());
    return new ListingOrigin(
        version.name(),
        brought.orElse(history.begin()).fetched(),
        brought.isEmpty(),
        null,
        reference(files, version, listing));
  }

  /** A version still lists its entries when its octets are pruned or damaged. */
  private static @Nullable String reference(FeedFiles files, FeedVersion version, Listing listing) {
    try {
      return files
          .content(listing.feed(), version.id())
          .reference(version.format(), listing.entry().line())
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }
}
