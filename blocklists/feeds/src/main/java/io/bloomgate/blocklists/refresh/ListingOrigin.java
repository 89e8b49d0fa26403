package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.KeptGenerations;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.index.Listing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a listing: the version of the feed, and since when the feed lists the entry, as far
 * as kept generations know. Made for {@code explain}, on the thread of the command, from files that
 * are only read. Immutable.
 *
 * @param version of the feed in the generation that was asked; {@code null} when its record is gone
 * @param since when the version was fetched with which the entry is listed without a gap; when the
 *     oldest such generation was made where that version is not kept any more
 * @param atLeast true when the entry may be older, because no generation before is kept
 * @param until when a generation without the entry was made; {@code null} while it is listed
 * @param reference what the feed says of the entry, such as an SBL number; {@code null} for nothing
 */
public record ListingOrigin(
    @Nullable Version version,
    Instant since,
    boolean atLeast,
    @Nullable Instant until,
    @Nullable String reference) {

  /**
   * A version of a feed.
   *
   * @param number as {@code feeds show} names it
   * @param fetched when
   * @param sha256 over its octets, in hexadecimal
   */
  public record Version(long number, Instant fetched, String sha256) {}

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
    if (manifest.feed(listing.feed()).isEmpty()) {
      return Optional.empty();
    }
    FeedFiles files = FeedFiles.open(stateDir.resolve("feeds"));
    Optional<FeedVersion> version = version(files, manifest, listing.feed());
    KeptGenerations.Span span =
        KeptGenerations.of(stateDir.resolve("snapshots")).span(manifest, listing);
    return Optional.of(
        new ListingOrigin(
            version.map(FeedVersion::name).orElse(null),
            version(files, span.first(), listing.feed())
                .map(FeedVersion::fetched)
                .orElse(span.first().created()),
            span.atLeast(),
            span.until(),
            version.map(known -> reference(files, known, listing)).orElse(null)));
  }

  private static Optional<FeedVersion> version(
      FeedFiles files, SnapshotManifest manifest, String feed) throws IOException {
    return files.version(feed, manifest.feed(feed).map(FeedCounts::number).orElse(0L));
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
