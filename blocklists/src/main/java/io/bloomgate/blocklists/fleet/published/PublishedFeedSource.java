package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.StaticFiles;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.fleet.published.FleetFeeds.StoredTexts;
import io.bloomgate.blocklists.fleet.published.FleetManifest.Delta;
import io.bloomgate.blocklists.fleet.published.FleetManifest.Feed;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.octets.Octets;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A feed as the leader of the fleet has it: what this node has already, else deltas to it, else the
 * whole text. Made for one fetch by {@link Fleet}; blocks its thread.
 */
final class PublishedFeedSource implements FeedSource {

  private static final Logger LOG = LoggerFactory.getLogger(PublishedFeedSource.class);

  /** A leader that had no success for this part of {@code stale_after} gives none to followers. */
  private static final int PART_OF_STALE = 2;

  private static final int BUFFER_OCTETS = 1 << 16;

  private final Source source;
  private final Feed feed;
  private final FleetManifest manifest;
  private final StaticFiles origin;
  private final StoredTexts stored;
  private final FetchMeter meter;
  private final Outcome outcome;

  /** Learns how the files of the leader were, on the thread of the fetch. */
  @FunctionalInterface
  interface Outcome {
    /**
     * A fetch ended.
     *
     * @param why the files could not be taken, naming the file; empty when they could
     */
    void ended(Feed feed, String why);
  }

  /** The leader's files do not give the text of the manifest; the message says why. */
  static final class NotTakenException extends Exception {
    private static final long serialVersionUID = 1L;

    NotTakenException(String why) {
      super(why);
    }
  }

  PublishedFeedSource(
      Source source,
      Feed feed,
      FleetManifest manifest,
      StaticFiles origin,
      StoredTexts stored,
      FetchMeter meter,
      Outcome outcome) {
    this.source = source;
    this.feed = feed;
    this.manifest = manifest;
    this.origin = origin;
    this.stored = stored;
    this.meter = meter;
    this.outcome = outcome;
  }

  @Override
  public String shown() {
    return origin.shown();
  }

  @Override
  public String state() {
    return feed.mark();
  }

  @Override
  public FetchResult fetch(Validators known, Path directory) {
    if (known.files().equals(feed.mark())) {
      return unchanged();
    }
    try {
      Path text = directory.resolve("text");
      take(text, directory);
      outcome.ended(feed, "");
      return new FetchResult.Fetched(
          new FeedContent(split(text, directory)),
          Validators.ofFiles(feed.mark()),
          Optional.empty(),
          feed.accepted());
    } catch (NotTakenException e) {
      String why = String.valueOf(e.getMessage());
      outcome.ended(feed, why);
      // No publisher has seen a visit: it may be asked soon.
      return new FetchResult.Failed(why, why, Optional.empty(), true);
    } catch (IOException e) {
      return FetchResult.Failed.of(
          "the version of the leader cannot be stored; check space and owner of the state"
              + " directory",
          Octets.escape(e.toString()));
    }
  }

  /** Both times are of the leader's clock. */
  private FetchResult unchanged() {
    Duration age = Duration.between(feed.checked(), manifest.time());
    if (age.compareTo(source.staleAfter().dividedBy(PART_OF_STALE)) > 0) {
      String why =
          "the leader %s has had no success with this feed for %d min; see its log"
              .formatted(manifest.node(), age.toMinutes());
      return FetchResult.Failed.of(why, why);
    }
    return new FetchResult.NotModified();
  }

  private void take(Path text, Path directory) throws IOException, NotTakenException {
    Optional<FeedContent> here = stored.find(feed.sha256());
    if (here.isPresent()) {
      join(here.get(), text);
      if (isRight(text, feed.sha256())) {
        return;
      }
    }
    if (!byDeltas(text, directory)) {
      whole(origin, feed, text, directory, meter);
    }
  }

  private static boolean isRight(Path text, String sha256) throws IOException {
    return PackedFiles.sha256(text).equals(sha256);
  }

  private static void join(FeedContent content, Path target) throws IOException {
    try (OutputStream out = Files.newOutputStream(target)) {
      for (Path part : content.parts()) {
        Files.copy(part, out);
      }
    }
  }

  /** A chain that fails anywhere costs a whole text, nothing else. */
  private boolean byDeltas(Path text, Path directory) throws IOException {
    for (Delta first : feed.deltas()) {
      List<Delta> chain = feed.from(first.from());
      long packed = chain.stream().mapToLong(Delta::packed).sum();
      Optional<FeedContent> here =
          packed < feed.packed() ? stored.find(first.from()) : Optional.empty();
      if (here.isEmpty()) {
        continue;
      }
      join(here.get(), text);
      for (Delta delta : chain) {
        Optional<String> trouble = apply(delta, text, directory);
        if (trouble.isPresent()) {
          LOG.warn("feed {}: {}; the whole is taken", feed.name(), trouble.get());
          return false;
        }
      }
      return true;
    }
    return false;
  }

  private Optional<String> apply(Delta delta, Path text, Path directory) throws IOException {
    Path packed = directory.resolve("delta");
    Path next = directory.resolve("next");
    try {
      if (origin.take(delta.path(), Validators.Stamp.NONE, packed, delta.packed(), meter)
          instanceof StaticFiles.Result.Failed(String why)) {
        return Optional.of(why);
      }
      try (InputStream in = PackedFiles.unpack(packed);
          OutputStream out = Files.newOutputStream(next)) {
        LineDelta.apply(text, in, out, delta.octets());
      } catch (IOException e) {
        return Optional.of("a delta of the leader is damaged: " + Octets.escape(e.toString()));
      }
      if (!isRight(next, delta.to())) {
        return Optional.of("a delta of the leader does not give its text");
      }
      Files.move(next, text, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      return Optional.empty();
    } finally {
      Files.deleteIfExists(packed);
      Files.deleteIfExists(next);
    }
  }

  /** Takes the whole text into a file; a folder is needed for what is packed. */
  static void whole(StaticFiles origin, Feed feed, Path text, Path directory, FetchMeter meter)
      throws IOException, NotTakenException {
    Path packed = directory.resolve("blob");
    try {
      if (origin.take(feed.blob(), Validators.Stamp.NONE, packed, feed.packed(), meter)
          instanceof StaticFiles.Result.Failed(String why)) {
        throw new NotTakenException(why);
      }
      try {
        PackedFiles.unpack(packed, text, feed.octets());
      } catch (java.util.zip.ZipException | java.io.EOFException e) {
        throw new NotTakenException(damaged(origin, feed));
      }
      if (!isRight(text, feed.sha256())) {
        throw new NotTakenException(damaged(origin, feed));
      }
    } finally {
      Files.deleteIfExists(packed);
    }
  }

  private static String damaged(StaticFiles origin, Feed feed) {
    return feed.blob()
        + " at "
        + origin.shown()
        + " is not what the manifest there says; it is tried again";
  }

  /** Files as the leader read them: a list in several parts must not become one. */
  private List<Path> split(Path text, Path directory) throws IOException {
    List<Path> parts = new ArrayList<>();
    if (feed.parts().size() == 1) {
      parts.add(Files.move(text, directory.resolve("part-0000")));
      return parts;
    }
    try (InputStream in = Files.newInputStream(text)) {
      for (long octets : feed.parts()) {
        Path part = directory.resolve("part-%04d".formatted(parts.size()));
        try (OutputStream out = Files.newOutputStream(part)) {
          copy(in, out, octets);
        }
        parts.add(part);
      }
    }
    Files.delete(text);
    return parts;
  }

  private static void copy(InputStream in, OutputStream out, long octets) throws IOException {
    byte[] buffer = new byte[BUFFER_OCTETS];
    for (long left = octets; left > 0; ) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        return;
      }
      out.write(buffer, 0, read);
      left -= read;
    }
  }
}
