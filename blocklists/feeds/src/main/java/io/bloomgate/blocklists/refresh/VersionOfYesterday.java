package io.bloomgate.blocklists.refresh;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The version of a feed that was live a day ago: it shows that a list which loses a little at every
 * refresh has lost much. Pure; asked where versions are judged and removed.
 */
final class VersionOfYesterday {

  /** The time back to the version that is compared; with {@link #STEP} up to 32 h. */
  private static final Duration DAY = Duration.ofDays(1);

  /** The distance in time between the versions of a day that are kept for this. */
  private static final Duration STEP = Duration.ofHours(8);

  private VersionOfYesterday() {}

  /**
   * The version that was live a day ago, or the first one of a younger feed; empty where that is
   * the live one. Nothing before an operator's acceptance counts: what was accepted is not held
   * against a feed, nor is what was rolled back from.
   *
   * @param stored all versions of the feed
   * @param alike only versions from the same place, read in the same way as this one
   */
  static Optional<FeedVersion> of(
      List<FeedVersion> stored, FeedRecord record, FeedVersion alike, Instant now) {
    FeedVersion found = null;
    for (FeedVersion version : newestFirst(stored)) {
      if (version.id() == record.held()
          || record.rollback().from().contains(version.id())
          || !version.location().equals(alike.location())
          || !version.reading().lists(alike.reading())) {
        continue;
      }
      found = version;
      if (version.accepted() != null || !since(version).isAfter(now.minus(DAY))) {
        break;
      }
    }
    return Optional.ofNullable(found).filter(version -> version.id() != record.live());
  }

  /** Numbers of the versions that {@link #of} may want within a day. */
  static Set<Long> wanted(List<FeedVersion> stored, Instant now) {
    Set<Long> wanted = new HashSet<>();
    Instant last = Instant.MAX;
    for (FeedVersion version : newestFirst(stored).reversed()) {
      boolean dayOld = !since(version).isAfter(now.minus(DAY));
      if (dayOld) {
        // Only the newest of these, which comes last.
        wanted.clear();
      }
      if (dayOld || wanted.isEmpty() || !since(version).isBefore(last.plus(STEP))) {
        wanted.add(version.id());
        last = since(version);
      }
    }
    return wanted;
  }

  private static List<FeedVersion> newestFirst(List<FeedVersion> stored) {
    return stored.stream()
        .filter(FeedVersion::wasLive)
        .sorted(Comparator.comparing(VersionOfYesterday::since).reversed())
        .toList();
  }

  private static Instant since(FeedVersion version) {
    return Objects.requireNonNull(version.liveSince());
  }
}
