package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fleet.published.LiveVersion;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the versions in the live generation, for the leader of a fleet. Made by {@link
 * FeedRefresher}; used on the fleet's thread, while the refresher may change what is stored: a
 * version that has just gone is left out.
 */
final class LiveVersions {

  private static final Logger LOG = LoggerFactory.getLogger(LiveVersions.class);

  private final RefreshParts parts;
  private final FeedFiles files;
  private final FeedArchive archive;

  LiveVersions(RefreshParts parts, FeedFiles files, FeedArchive archive) {
    this.parts = parts;
    this.files = files;
    this.archive = archive;
  }

  /** One of each feed that the live generation and the settings have. */
  List<LiveVersion> now() {
    SnapshotManifest manifest = parts.live().current().manifest();
    List<LiveVersion> all = new ArrayList<>();
    for (FeedCounts feed : manifest.feeds()) {
      if (parts.settings().get().feeds().sources().containsKey(feed.name())) {
        version(feed).ifPresent(all::add);
      }
    }
    return all;
  }

  private Optional<LiveVersion> version(FeedCounts feed) {
    String name = feed.name();
    try {
      Optional<FeedVersion> stored = files.version(name, feed.number());
      if (stored.isEmpty()) {
        return Optional.empty();
      }
      FeedVersion version = stored.get();
      return Optional.of(
          new LiveVersion(
              name,
              version.id(),
              checked(name, version),
              accepted(archive.get(name), version),
              () -> archive.whole(name, version).map(FeedArchive.Stored::content),
              files.goodFile(version, name)));
    } catch (IOException e) {
      LOG.warn("feed {}: {}", name, Faults.words(e));
      return Optional.empty();
    }
  }

  private Instant checked(String name, FeedVersion version) {
    return Objects.requireNonNullElse(archive.get(name).times().success(), version.fetched());
  }

  /**
   * The acceptance of a version; a person who goes back to an older version has looked at it, so
   * followers need not be asked again.
   */
  private static @Nullable Acceptance accepted(FeedRecord record, FeedVersion version) {
    Acceptance accepted = version.accepted();
    Instant at = record.rollback().at();
    if (at != null && record.isRolledBack() && record.rollback().to() == version.id()) {
      return new Acceptance(name(record.rollback().by()), at, version.entriesAccepted());
    }
    return accepted == null
        ? null
        : new Acceptance(name(accepted.by()), accepted.at(), accepted.entries());
  }

  /** A name that a manifest may hold. */
  private static String name(String by) {
    String plain = by.replaceAll("[^!-~]", "_");
    return plain.isEmpty() ? "operator" : plain.substring(0, Math.min(64, plain.length()));
  }
}
