package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.fetch.StaticFiles;
import io.bloomgate.blocklists.fetch.StaticFiles.Result;
import io.bloomgate.blocklists.fetch.Validators.Stamp;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.fleet.published.FleetManifest.Feed;
import io.bloomgate.blocklists.fleet.published.FleetManifest.Rank;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The follower's side: the newest manifest of the leader that has the right signature and is no
 * older than one before. {@link #look} belongs to the fleet's thread; the rest is asked on any.
 *
 * <p>A leader lives while its counter rises, by this node's clock: how clocks differ does not
 * matter, and who presents the same manifest for ever is no leader.
 */
final class Follower {

  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

  private final StaticFiles origin;
  private final PublicKey key;
  private final Duration every;
  private final Path stored;
  private final Path work;
  private final Counter counter;
  private final LongSupplier nanoTime;
  private final Consumer<String> alarm;

  private final MissingTexts missing = new MissingTexts();
  private volatile View view;
  private volatile String problem = "";
  private Stamp stamp = Stamp.NONE;
  private boolean unsure;
  private boolean away;

  /**
   * @param sha256 of the manifest's octets, empty before the first
   * @param risen when its counter rose, in nanoseconds
   */
  private record View(@Nullable FleetManifest manifest, String sha256, long risen) {}

  /** How a look ended. */
  enum Looked {
    /** The refresher has nothing to do. */
    NOTHING_NEW,
    /** The leader has other versions, has gone, or is back. */
    NEWS,
    /** Two files that do not belong together: the leader is just writing. */
    AGAIN_SOON
  }

  /** A manifest is not used; the message says why. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Somebody else signed it, or it is an old one: more than a server that is away. */
    private final boolean suspicious;

    RefusedException(String why, boolean suspicious) {
      super(why);
      this.suspicious = suspicious;
    }
  }

  /**
   * @param every how often this node looks
   * @param directory of the fleet's state
   * @param alarm receives sentences for the operator
   */
  Follower(
      StaticFiles origin,
      PublicKey key,
      Duration every,
      Path directory,
      Counter counter,
      LongSupplier nanoTime,
      Consumer<String> alarm) {
    this.origin = origin;
    this.key = key;
    this.every = every;
    this.stored = directory.resolve(FleetManifest.NAME);
    this.work = directory.resolve(Fleet.WORK);
    this.counter = counter;
    this.nanoTime = nanoTime;
    this.alarm = alarm;
    this.view = load();
  }

  /** The last manifest counts for a while, so that a restart asks no publisher. */
  private View load() {
    try {
      byte[] octets = DurableFiles.read(stored, FleetLimits.MANIFEST_OCTETS);
      FleetManifest manifest = FleetManifest.read(octets);
      counter.raise(manifest.rank());
      return new View(manifest, PackedFiles.sha256(octets), nanoTime.getAsLong());
    } catch (NoSuchFileException e) {
      LOG.debug("no manifest was taken yet");
    } catch (IOException e) {
      LOG.warn("{} is not used: {}", stored, Faults.words(e));
    }
    return new View(null, "", nanoTime.getAsLong());
  }

  StaticFiles origin() {
    return origin;
  }

  /** What the leader has; empty before the first manifest. */
  Optional<FleetManifest> manifest() {
    return Optional.ofNullable(view.manifest());
  }

  /** True while feeds come from the leader: its manifest rose lately, or the wait for it began. */
  boolean isLed() {
    return nanoTime.getAsLong() - view.risen() < patience();
  }

  /** True while the files of this feed come from the leader. */
  boolean leads(String feed) {
    return isLed() && !missing.isLost(feed);
  }

  private long patience() {
    FleetManifest manifest = view.manifest();
    Duration interval =
        manifest != null && manifest.every().compareTo(every) > 0 ? manifest.every() : every;
    return interval.multipliedBy(FleetLimits.INTERVALS).toNanos();
  }

  /** A sentence for the operator; empty while all is well. */
  String problem() {
    if (!isLed()) {
      return absence();
    }
    return problem.isEmpty() ? missing.sentence().orElse("") : problem;
  }

  private String absence() {
    return "the leader of the fleet has published nothing new at "
        + origin.shown()
        + (problem.isEmpty() ? "" : " (" + problem + ")")
        + "; this gateway fetches its feeds itself until the leader is back";
  }

  /** Asks once for a newer manifest. */
  Looked look() {
    boolean risen = false;
    try {
      risen = take();
      unsure = false;
    } catch (RefusedException e) {
      if (!unsure) {
        unsure = true;
        return Looked.AGAIN_SOON;
      }
      report(String.valueOf(e.getMessage()), e.suspicious);
    } catch (IOException e) {
      report("the manifest of the fleet cannot be taken: " + Faults.words(e), true);
    }
    boolean changed = presence();
    return texts() || changed || risen ? Looked.NEWS : Looked.NOTHING_NEW;
  }

  private boolean take() throws RefusedException, IOException {
    Path file = work.resolve("manifest");
    Path signature = work.resolve("signature");
    try {
      switch (origin.take(
          FleetManifest.NAME, stamp, file, FleetLimits.MANIFEST_OCTETS, FetchMeter.NONE)) {
        case Result.NotModified() -> {
          return false;
        }
        case Result.Failed(String why) -> throw new RefusedException(why, false);
        case Result.Taken(Stamp fresh) -> {
          byte[] octets = Files.readAllBytes(file);
          boolean same = PackedFiles.sha256(octets).equals(view.sha256());
          boolean changed = !same && take(octets, signature);
          stamp = fresh;
          return changed;
        }
      }
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(signature);
    }
  }

  private boolean take(byte[] octets, Path signature) throws RefusedException, IOException {
    if (origin.take(
            FleetManifest.SIGNATURE,
            Stamp.NONE,
            signature,
            FleetLimits.SIGNATURE_OCTETS,
            FetchMeter.NONE)
        instanceof Result.Failed(String why)) {
      throw new RefusedException(why, false);
    }
    if (!FleetKeys.isSigned(key, octets, Files.readAllBytes(signature))) {
      throw new RefusedException(
          "the manifest at "
              + origin.shown()
              + " is not signed by the key of fleet.public_key; nothing of it is used",
          true);
    }
    FleetManifest fresh;
    try {
      fresh = FleetManifest.read(octets);
    } catch (FleetManifest.UnusableException e) {
      throw new RefusedException(origin.shown() + ": " + e.getMessage(), true);
    }
    counter.check();
    FleetManifest before = view.manifest();
    Rank seen = counter.highest();
    boolean first = before == null && fresh.rank().equals(seen);
    if (!fresh.rank().isAbove(seen) && !first) {
      throw new RefusedException(why(fresh, seen), true);
    }
    DurableFiles.replace(stored, octets);
    counter.raise(fresh.rank());
    view = new View(fresh, PackedFiles.sha256(octets), nanoTime.getAsLong());
    problem = "";
    return before == null || !before.marks().equals(fresh.marks());
  }

  private String why(FleetManifest fresh, Rank seen) {
    if (seen.isOfLaterLease(fresh.rank())) {
      return "the manifest at %s is of %s, whose lease %d ended: lease %d was seen before; nothing of it is used"
          .formatted(origin.shown(), fresh.node(), fresh.rank().term(), seen.term());
    }
    return fresh.rank().counter() == seen.counter()
        ? "two manifests at %s have number %d: two gateways publish, or a copy is torn"
            .formatted(origin.shown(), seen.counter())
        : "the manifest at %s has number %d, and number %d was seen before: it is old"
            .formatted(origin.shown(), fresh.rank().counter(), seen.counter());
  }

  private void report(String why, boolean alarming) {
    if (why.equals(problem)) {
      return;
    }
    problem = why;
    if (alarming) {
      alarm.accept("fleet: " + why);
    } else {
      LOG.warn("fleet: {}", why);
    }
  }

  /** True when this gateway fetches other feeds itself than before. */
  private boolean texts() {
    FleetManifest manifest = view.manifest();
    if (manifest == null) {
      return false;
    }
    boolean changed = false;
    for (String feed : missing.due(manifest.marks(), nanoTime.getAsLong(), every.toNanos())) {
      changed |= manifest.feed(feed).map(this::isThere).orElse(false);
    }
    if (!missing.lose(nanoTime.getAsLong(), patience()).isEmpty()) {
      missing.sentence().ifPresent(why -> alarm.accept("fleet: " + why));
      changed = true;
    }
    return changed;
  }

  /** Looks whether the files of a feed that is fetched here can be had again. */
  private boolean isThere(Feed feed) {
    Path text = work.resolve("text");
    try {
      PublishedFeedSource.whole(origin, feed, text, work, FetchMeter.NONE);
      LOG.info("fleet: feed {} comes from {} again", feed.name(), origin.shown());
      return missing.found(feed.name());
    } catch (PublishedFeedSource.NotTakenException | IOException e) {
      missing.failed(feed.name(), feed.mark(), Faults.words(e), nanoTime.getAsLong());
      return false;
    } finally {
      remove(text);
    }
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("{} cannot be removed: {}", file, Faults.words(e));
    }
  }

  /** Notes how a fetch of a feed from the leader ended; on the thread of the fetch. */
  void fetched(Feed feed, String why) {
    if (why.isEmpty()) {
      missing.found(feed.name());
    } else {
      missing.failed(feed.name(), feed.mark(), why, nanoTime.getAsLong());
    }
  }

  /** True when the leader has gone or is back; the operator gets one alarm. */
  private boolean presence() {
    boolean led = isLed();
    if (led == !away) {
      return false;
    }
    away = !led;
    if (away) {
      alarm.accept(absence());
    } else {
      LOG.info("fleet: the leader is back; feeds come from {}", origin.shown());
    }
    return true;
  }
}
