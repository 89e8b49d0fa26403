package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.format.DamagedFeedException;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
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
 * The follower's side: the newest {@link ListSums} of the leader that have the right signature and
 * are no older than those before. {@link #look} belongs to the fleet's thread; the rest is asked on
 * any.
 *
 * <p>A leader lives while its number rises, by this node's clock: how clocks differ does not
 * matter, and who presents the same file for ever is no leader.
 */
final class Follower {

  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

  /** Intervals without a new publication, after which followers fetch feeds themselves. */
  private static final int INTERVALS = 3;

  private final FeedSources sources;
  private final String origin;
  private final FeedSource sums;
  private final PublicKey key;
  private final Duration every;
  private final Path stored;
  private final Path work;
  private final LongSupplier nanoTime;
  private final Consumer<String> alarm;

  private volatile View view;
  private volatile String problem = "";
  private Validators known = Validators.NONE;
  private boolean away;

  /**
   * @param risen when its number rose, in nanoseconds
   */
  private record View(@Nullable ListSums sums, long risen) {}

  /**
   * @param origin an address that ends with /, or the absolute path of a folder
   * @param every how often this node looks
   * @param directory of the fleet's state
   * @param alarm receives sentences for the operator
   */
  Follower(
      String origin,
      FeedSources sources,
      PublicKey key,
      Duration every,
      Path directory,
      LongSupplier nanoTime,
      Consumer<String> alarm) {
    this.origin = origin.endsWith("/") ? origin : origin + "/";
    this.sources = sources;
    this.sums = file(ListSums.NAME, FetchMeter.NONE);
    this.key = key;
    this.every = every;
    this.stored = directory.resolve(ListSums.NAME);
    this.work = directory.resolve(Fleet.WORK);
    this.nanoTime = nanoTime;
    this.alarm = alarm;
    this.view = load();
  }

  /** Reads what was taken last, which counts for a while, so that a restart asks no publisher. */
  private View load() {
    try {
      byte[] octets = DurableFiles.read(stored, ListSums.MAX_OCTETS);
      ListSums last = ListSums.read(octets, (text, signature) -> true);
      return new View(last, nanoTime.getAsLong());
    } catch (NoSuchFileException e) {
      LOG.debug("nothing was taken from a leader yet");
    } catch (IOException e) {
      LOG.warn("{} is not used: {}", stored, Faults.words(e));
    }
    return new View(null, nanoTime.getAsLong());
  }

  /** This node published that as the leader: when it leads no more, it follows from there. */
  void published(ListSums own, byte[] octets) throws IOException {
    view = new View(own, nanoTime.getAsLong());
    DurableFiles.replace(stored, octets);
  }

  private FeedSource file(String name, FetchMeter meter) {
    return sources.published(origin + name, meter);
  }

  /** Returns what the leader has; empty before the first. */
  Optional<ListSums> sums() {
    return Optional.ofNullable(view.sums());
  }

  /** A feed of the leader; empty where it has none of this name. */
  Optional<FeedSource> feed(String name, Duration staleAfter, FetchMeter meter) {
    return sums()
        .flatMap(now ->
            now.feed(name)
                .map(feed -> new FollowedFeed(feed, now, file -> file(file, meter), staleAfter)));
  }

  /** True while feeds come from the leader: its number rose lately, or the wait for it began. */
  boolean isLed() {
    return nanoTime.getAsLong() - view.risen() < patience();
  }

  private long patience() {
    ListSums last = view.sums();
    Duration interval = last != null && last.every().compareTo(every) > 0 ? last.every() : every;
    return interval.multipliedBy(INTERVALS).toNanos();
  }

  /** A sentence for the operator; empty while all is well. */
  String problem() {
    return isLed() ? problem : absence();
  }

  private String absence() {
    return "the leader of the fleet has published nothing new at "
        + sums.shown()
        + (problem.isEmpty() ? "" : " (" + problem + ")")
        + "; this gateway fetches its feeds itself until the leader is back";
  }

  /**
   * Asks once for something newer.
   *
   * @return true when the refresher has something to do: the leader has other versions, has gone,
   *     or is back
   */
  boolean look() {
    boolean news = false;
    try {
      news = take();
    } catch (DamagedFeedException e) {
      report(sums.shown() + " " + e.getMessage() + "; nothing of it is used", true);
    } catch (IOException e) {
      report("what the leader has live cannot be taken: " + Faults.words(e), true);
    }
    return presence() || news;
  }

  private boolean take() throws IOException {
    Path directory = work.resolve("sums");
    DurableFiles.deleteTree(directory);
    DurableFiles.createPrivateDirectory(directory);
    switch (sums.fetch(known, directory)) {
      case FetchResult.NotModified _ -> {
        return false;
      }
      case FetchResult.Failed failed -> {
        report(
            (failed.kind() == FetchResult.Failed.Kind.GONE
                    ? "there is no " + sums.shown()
                    : failed.message())
                + "; check fleet.generations and that the leader publishes",
            false);
        return false;
      }
      case FetchResult.Fetched taken -> {
        byte[] octets = DurableFiles.read(taken.content().parts().getFirst(), ListSums.MAX_OCTETS);
        boolean changed = take(octets);
        known = taken.validators();
        return changed;
      }
    }
  }

  private boolean take(byte[] octets) throws IOException {
    ListSums fresh =
        ListSums.read(octets, (text, signature) -> FleetKeys.isSigned(key, text, signature));
    if (fresh.equals(view.sums())) {
      return false;
    }
    ListSums before = view.sums();
    if (before != null && fresh.number() <= before.number()) {
      throw new DamagedFeedException(why(fresh, before.number()));
    }
    DurableFiles.replace(stored, octets);
    boolean changed = before == null || !before.marks().equals(fresh.marks());
    view = new View(fresh, nanoTime.getAsLong());
    problem = "";
    return changed;
  }

  private static String why(ListSums fresh, long seen) {
    return fresh.number() == seen
        ? "is another one with number %d: two gateways publish".formatted(seen)
        : "of %s has number %d, and number %d was seen before: it is old"
            .formatted(fresh.node(), fresh.number(), seen);
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
      LOG.info("fleet: the leader is back; feeds come from {}", sums.shown());
    }
    return true;
  }
}
