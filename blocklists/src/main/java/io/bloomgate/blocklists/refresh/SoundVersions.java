package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stored versions whose octets are those that were fetched: a disk that lost or changed some must
 * neither change a list unseen nor keep the other feeds from going live. Reads all octets of a
 * version, some tenths of a second for 150 MB. Used on the feed-refresher thread.
 */
final class SoundVersions {

  private static final Logger LOG = LoggerFactory.getLogger(SoundVersions.class);

  private final FeedFiles files;
  private final FeedArchive archive;

  SoundVersions(FeedFiles files, FeedArchive archive) {
    this.files = files;
    this.archive = archive;
  }

  /** The octets of a version; empty when they are lost or changed. */
  Optional<StoredVersion> of(String name, FeedVersion version) {
    try {
      FeedContent content = files.content(name, version.id());
      if (content.sha256().equals(version.sha256())) {
        return Optional.of(new StoredVersion(version, content));
      }
      LOG.error("feed {}: the octets of stored version {} have changed", name, version.id());
    } catch (IOException e) {
      LOG.error(
          "feed {}: stored version {} cannot be read: {}", name, version.id(), Faults.words(e));
    }
    return Optional.empty();
  }

  /** The same by its number; empty also when there is no such version. */
  Optional<StoredVersion> numbered(String name, long id) {
    try {
      return files.version(name, id).flatMap(v -> of(name, v));
    } catch (IOException e) {
      LOG.error("feed {}: stored version {} cannot be read: {}", name, id, Faults.words(e));
      return Optional.empty();
    }
  }

  /** The live version, or where it is lost the newest older one that was live and is whole. */
  Optional<StoredVersion> live(String name) {
    long live = archive.get(name).live();
    return numbered(name, live).or(() -> older(name, live));
  }

  /** The newest version below this one that is whole and may be live again. */
  private Optional<StoredVersion> older(String name, long than) {
    return wholeOnes(name).filter(v -> v.version().id() < than).findFirst();
  }

  /** Those that a build may take, newest first; each is read when it is asked for. */
  Stream<StoredVersion> wholeOnes(String name) {
    return files.versionsOrNone(name).stream()
        .filter(archive.get(name)::mayBeLive)
        .flatMap(v -> of(name, v).stream());
  }
}
