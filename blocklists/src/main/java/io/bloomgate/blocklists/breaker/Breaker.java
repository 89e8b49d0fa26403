package io.bloomgate.blocklists.breaker;

import io.bloomgate.blocklists.feed.EntryKeys;
import io.bloomgate.blocklists.feed.FeedDigest;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.senders.KnownSenders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The breaker of every feed: when the entries that one publish brought hit too many client networks
 * that had mail accepted before, within 24 hours, these entries count as observe from then on. What
 * counts are distinct networks, never sessions, so a flood from few networks moves nothing.
 *
 * <p>The feed-refresher tells what it publishes, the gateway's sender thread what hit whom,
 * sessions read {@link #tripped} anew at every decision, control threads accept and report.
 * Thread-safe; only {@link #tripped} is asked where mail waits, and it takes no lock.
 *
 * <p>A trip is on disk before its alarm is heard, and holds over restarts until {@link #accept} or
 * until a version of the feed lists none of the entries any more.
 */
public final class Breaker {

  /** Publishes of one feed that are watched at a time: a day of one every five minutes. */
  static final int MAX_PUBLISHES = 300;

  private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);

  private final PublishFiles files;
  private final KnownSenders senders;
  private final Function<String, @Nullable Integer> limits;
  private final Consumer<String> alarm;
  private final ReentrantLock lock = new ReentrantLock();

  /** Of each feed, oldest first. */
  private final Map<String, List<Publish>> publishes = new HashMap<>();

  private final Map<String, Prepared> prepared = new HashMap<>();

  private volatile Tripped tripped = Tripped.NONE;

  /**
   * What is to be done when a version goes live.
   *
   * @param over tripped versions of which it lists nothing any more
   */
  private record Prepared(long version, Set<Long> over) {}

  private Breaker(
      PublishFiles files,
      KnownSenders senders,
      Function<String, @Nullable Integer> limits,
      Consumer<String> alarm) {
    this.files = files;
    this.senders = senders;
    this.limits = limits;
    this.alarm = alarm;
  }

  /**
   * Takes up what was saved.
   *
   * @param feeds {@code STATE_DIR/feeds}
   * @param limits networks at which the breaker of a feed trips; {@code null} for never
   * @param alarm hears sentences fit for the operator
   * @throws IOException when the directory may not be read
   */
  public static Breaker open(
      Path feeds,
      KnownSenders senders,
      Function<String, @Nullable Integer> limits,
      Consumer<String> alarm)
      throws IOException {
    Breaker breaker = new Breaker(new PublishFiles(feeds), senders, limits, alarm);
    for (String feed : breaker.files.names()) {
      for (long version : breaker.files.versions(feed)) {
        breaker.load(feed, version);
      }
    }
    breaker.renew();
    return breaker;
  }

  private void load(String feed, long version) {
    try {
      files.publish(feed, version).ifPresent(of(feed)::add);
    } catch (IOException e) {
      alarm.accept(
          "what version %d of feed %s brought is not watched any more: %s"
              .formatted(version, feed, e.getMessage()));
    }
  }

  /**
   * What breakers took back, read beside a gateway or without one.
   *
   * @param feeds {@code STATE_DIR/feeds}
   * @throws IOException when it is there and cannot be read
   */
  public static Tripped stored(Path feeds) throws IOException {
    PublishFiles files = new PublishFiles(feeds);
    Map<String, List<EntryKeys>> sets = new HashMap<>();
    for (String feed : files.names()) {
      for (long version : files.versions(feed)) {
        files
            .publish(feed, version)
            .filter(Publish::isTripped)
            .ifPresent(p -> sets.computeIfAbsent(feed, n -> new ArrayList<>()).add(p.entries));
      }
    }
    return new Tripped(sets);
  }

  private List<Publish> of(String feed) {
    return publishes.computeIfAbsent(feed, name -> new ArrayList<>());
  }

  /**
   * Notes on disk what a version brings, before it is built.
   *
   * @param live the version that it replaces; empty when all of it is new
   * @throws IOException when that cannot be written; the version must not go live then
   */
  public void prepare(String feed, long version, FeedDigest fresh, Optional<FeedDigest> live)
      throws IOException {
    EntryKeys brought = fresh.newSince(live);
    lock.lock();
    try {
      files.remove(feed, version);
      if (brought.size() > 0) {
        files.writeEntries(feed, version, brought);
      }
      Set<Long> over = new HashSet<>();
      List<Publish> tripping = of(feed).stream().filter(Publish::isTripped).toList();
      if (!tripping.isEmpty()) {
        EntryKeys all = fresh.newSince(Optional.empty());
        tripping.stream().filter(p -> !p.entries.intersects(all)).forEach(p -> over.add(p.version));
      }
      prepared.put(feed, new Prepared(version, over));
    } finally {
      lock.unlock();
    }
  }

  /** A version went live: what it brought is watched from now on. */
  public void published(String feed, long version, Instant when) {
    lock.lock();
    try {
      Prepared next = prepared.remove(feed);
      if (next != null && next.version == version) {
        drop(feed, p -> next.over.contains(p.version));
      }
      if (of(feed).stream().noneMatch(p -> p.version == version)) {
        watch(feed, version, when);
      }
      forgetOld(when);
      renew();
    } finally {
      lock.unlock();
    }
  }

  private void watch(String feed, long version, Instant when) {
    try {
      Optional<EntryKeys> brought = files.entries(feed, version);
      if (brought.isPresent()) {
        Publish publish = new Publish(feed, version, when, brought.get());
        of(feed).add(publish);
        files.save(publish);
      }
      for (long left : files.versions(feed)) {
        if (left < version && of(feed).stream().noneMatch(p -> p.version == left)) {
          files.remove(feed, left);
        }
      }
    } catch (IOException e) {
      alarm.accept(
          "what version %d of feed %s brought cannot be watched: %s"
              .formatted(version, feed, e.getMessage()));
    }
  }

  /**
   * A listing refused, tagged or would have refused a client.
   *
   * @param now time of the decision
   */
  public void hit(Listing listing, IpAddress client, Instant now) {
    Integer limit = limits.apply(listing.feed());
    if (limit == null || !senders.knownBefore(client, now, now)) {
      return;
    }
    lock.lock();
    try {
      Publish birth = birth(listing);
      if (birth == null
          || !birth.onProbation(now)
          || !senders.knownBefore(client, birth.published, now)) {
        return;
      }
      int networks = birth.hit(client, listing.entry().text(), listing.entry().line());
      if (networks >= limit) {
        trip(birth, now);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The last publish that brought the entry; {@code null} when it is older than all watched. */
  private @Nullable Publish birth(Listing listing) {
    List<Publish> watched = publishes.getOrDefault(listing.feed(), List.of());
    try {
      for (Publish publish : watched.reversed()) {
        if (publish.entries.contains(listing.entry())) {
          return publish;
        }
      }
    } catch (InternalError e) {
      // What the JVM makes of a mapped page that cannot be read.
      LOG.error("the new entries of feed {} cannot be read", listing.feed(), e);
    }
    return null;
  }

  private void trip(Publish publish, Instant now) {
    publish.trip(now);
    renew();
    save(publish);
    publish
        .report()
        .ifPresent(trip -> alarm.accept("feed " + publish.feed + ": " + trip.sentence()));
  }

  /**
   * The operator lets the entries count that a breaker took back; the same publish never trips
   * again.
   *
   * @return false when no breaker of that feed had tripped
   */
  public boolean accept(String feed) {
    lock.lock();
    try {
      List<Publish> tripping = of(feed).stream().filter(Publish::isTripped).toList();
      tripping.forEach(Publish::accept);
      tripping.forEach(this::save);
      renew();
      return !tripping.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The breakers of a feed that have tripped, oldest first. */
  public List<Trip> trips(String feed) {
    lock.lock();
    try {
      return publishes.getOrDefault(feed, List.of()).stream()
          .flatMap(p -> p.report().stream())
          .toList();
    } finally {
      lock.unlock();
    }
  }

  /** The entries that count as observe now. */
  public Tripped tripped() {
    return tripped;
  }

  /** Saves what was counted since, and forgets what is no longer watched: a chore. */
  public void tick(Instant now) {
    lock.lock();
    try {
      forgetOld(now);
      for (List<Publish> watched : publishes.values()) {
        watched.stream().filter(p -> !p.isSaved()).forEach(this::save);
      }
    } finally {
      lock.unlock();
    }
  }

  private void save(Publish publish) {
    try {
      files.save(publish);
    } catch (IOException e) {
      alarm.accept(
          "the breaker of feed %s cannot be saved: %s".formatted(publish.feed, e.getMessage()));
    }
  }

  /** An accepted publish is watched as long as any other, so that it hides no older one. */
  private void forgetOld(Instant now) {
    for (String feed : List.copyOf(publishes.keySet())) {
      int surplus = of(feed).size() - MAX_PUBLISHES;
      long oldestKept = surplus > 0 ? of(feed).get(surplus).version : 0;
      drop(feed, p -> !p.isTripped() && (p.isOver(now) || p.version < oldestKept));
    }
  }

  private void drop(String feed, Predicate<Publish> over) {
    for (Iterator<Publish> all = of(feed).iterator(); all.hasNext(); ) {
      Publish publish = all.next();
      if (over.test(publish)) {
        all.remove();
        if (publish.isTripped()) {
          LOG.info("feed {}: its breaker is lifted, the entries are listed no more", publish.feed);
        }
        try {
          files.remove(feed, publish.version);
        } catch (IOException e) {
          LOG.warn("feed {}: {}", feed, e.toString());
        }
      }
    }
  }

  private void renew() {
    Map<String, List<EntryKeys>> sets = new HashMap<>();
    publishes.forEach((feed, watched) -> {
      List<EntryKeys> tripping =
          watched.stream().filter(Publish::isTripped).map(p -> p.entries).toList();
      if (!tripping.isEmpty()) {
        sets.put(feed, tripping);
      }
    });
    tripped = sets.isEmpty() ? Tripped.NONE : new Tripped(sets);
  }
}
