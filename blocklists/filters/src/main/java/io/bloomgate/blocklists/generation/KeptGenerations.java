package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.blocklists.index.NetworkIndex;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The generations that are kept on disk, read beside a gateway or without one: the lists of a past
 * time, and since when and until when an entry is listed. Made for one command, used on its thread;
 * {@link SnapshotStore} asks {@link #staying} which generations it keeps.
 */
public final class KeptGenerations {

  /** The time for which the newest generation of each hour is kept, and after that of each day. */
  private static final Duration MAX_HOURLY = Duration.ofDays(1);

  private static final Duration MAX_DAILY = Duration.ofDays(30);

  private final GenerationDirectory directory;

  /** Newest first. */
  private final List<SnapshotManifest> manifests;

  private KeptGenerations(GenerationDirectory directory, List<SnapshotManifest> manifests) {
    this.directory = directory;
    this.manifests = manifests;
  }

  /**
   * The time in which an entry was listed, as far as kept generations know.
   *
   * @param first the oldest generation that lists the entry without a gap
   * @param atLeast true when the entry may be older: no generation before it is kept
   * @param until when a generation without the entry was made; {@code null} while it is listed
   */
  public record Span(SnapshotManifest first, boolean atLeast, @Nullable Instant until) {}

  /**
   * The lists of a past time.
   *
   * @param lists of the newest kept generation that was there by then
   * @param next the one that was made after that time; {@code null} when there is none
   */
  public record Past(Instant at, ListSnapshot lists, @Nullable SnapshotManifest next) {

    /** True when the generation that was live at that time may not be kept any more. */
    public boolean isBetween() {
      return next != null && next.generation() != lists.generation() + 1;
    }
  }

  /**
   * Reads which generations are kept; damaged ones, and those of other releases, are left out.
   *
   * @param directory {@code STATE_DIR/snapshots}; nothing is changed there
   */
  public static KeptGenerations of(Path directory) throws IOException {
    GenerationDirectory names = new GenerationDirectory(directory);
    return new KeptGenerations(names, manifests(names, names.current().orElse(0)));
  }

  /** The manifests of a generation and of those before it, newest first. */
  static List<SnapshotManifest> manifests(GenerationDirectory directory, long newest)
      throws IOException {
    List<SnapshotManifest> found = new ArrayList<>();
    for (long generation : directory.generations()) {
      if (generation <= newest) {
        manifest(directory.path(generation)).ifPresent(found::add);
      }
    }
    return found;
  }

  private static Optional<SnapshotManifest> manifest(Path folder) throws IOException {
    try {
      return Optional.of(ManifestFile.read(folder));
    } catch (DamagedFileException | OtherReleaseException | NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Opens the lists of a time, every page proven.
   *
   * @param live the live generation, or the last one where no gateway runs
   * @return a sentence that says how far back generations are kept, when none is that old
   * @throws IOException when the generation of that time is damaged or cannot be read
   */
  public Parsed<Past> at(Instant time, ListSnapshot live) throws IOException {
    SnapshotManifest next = null;
    for (SnapshotManifest one : manifests) {
      if (!one.created().isAfter(time)) {
        boolean isLive = one.generation() == live.generation();
        return Parsed.ok(new Past(time, isLive ? live : open(one.generation()), next));
      }
      next = one;
    }
    return Parsed.bad(
        next == null
            ? "no generation of the lists is kept yet"
            : "the lists of %s are not known: kept versions go back to %s only"
                .formatted(time, firstSecond(next.created())));
  }

  /** The first whole second from then on, which people can type. */
  private static Instant firstSecond(Instant time) {
    return time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
  }

  private ListSnapshot open(long generation) throws IOException {
    MappedSnapshot snapshot = MappedSnapshot.open(directory.path(generation));
    snapshot.verify();
    return snapshot;
  }

  /**
   * Finds since when and until when an entry is listed.
   *
   * @param lists the generation that lists the entry
   */
  public Span span(SnapshotManifest lists, Listing listing) {
    SnapshotManifest first = lists;
    boolean atLeast = true;
    Instant until = null;
    for (SnapshotManifest one : manifests) {
      if (one.generation() == lists.generation()) {
        continue;
      }
      boolean older = one.generation() < lists.generation();
      Optional<Boolean> has = has(one, listing);
      if (!older) {
        until = has.orElse(true) ? until : one.created(); // the oldest of these comes last
      } else if (has.orElse(false)) {
        first = one;
      } else {
        atLeast = has.isEmpty() || one.generation() + 1 != first.generation();
        break;
      }
    }
    return new Span(first, atLeast, until);
  }

  /** True when the exact index has the very entry; empty where that cannot be read. */
  private Optional<Boolean> has(SnapshotManifest manifest, Listing listing) {
    List<String> feeds = manifest.feeds().stream().map(FeedCounts::name).toList();
    int feed = feeds.indexOf(listing.feed());
    try {
      return Optional.of(
          feed >= 0 && line(manifest.generation(), feeds, feed, listing.entry()).isPresent());
    } catch (IOException | RuntimeException | InternalError e) {
      return Optional.empty();
    }
  }

  /**
   * Finds the line of an entry; only the index of such entries is opened, because the filters of
   * many generations take memory.
   */
  private OptionalInt line(long generation, List<String> feeds, int feed, ListEntry entry)
      throws IOException {
    Path folder = directory.path(generation);
    return entry instanceof ListEntry.Network network
        ? NetworkIndex.open(folder.resolve(MappedSnapshot.NETWORK_INDEX), feeds).line(feed, network)
        : NameIndex.open(folder.resolve(MappedSnapshot.NAME_INDEX), feeds).line(feed, entry);
  }

  /**
   * The generations that stay on disk: the newest ones, and of those before the newest of each hour
   * for a day and of each day for 30 days, as far as there is room for them.
   *
   * @param manifests newest first, the live one among them
   * @param keep how many of the newest stay, at least 1
   * @param room octets that the others may take in all
   * @param octets the size of a generation
   */
  static Set<Long> staying(
      List<SnapshotManifest> manifests,
      int keep,
      long room,
      ToLongFunction<SnapshotManifest> octets) {
    Set<Long> staying = new HashSet<>();
    Instant last = Instant.MAX;
    long left = room;
    for (SnapshotManifest one : manifests) {
      Duration age = Duration.between(one.created(), manifests.getFirst().created());
      boolean hourly = age.compareTo(MAX_HOURLY) < 0;
      Instant from = one.created().truncatedTo(hourly ? ChronoUnit.HOURS : ChronoUnit.DAYS);
      if (staying.size() < keep) {
        staying.add(one.generation());
      } else if (from.equals(last) || age.compareTo(MAX_DAILY) > 0) {
        continue;
      } else {
        left -= octets.applyAsLong(one);
        if (left < 0) {
          break;
        }
        staying.add(one.generation());
      }
      last = from;
    }
    return staying;
  }
}
