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
import java.util.stream.Stream;
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
   * @param over tripped publishes of which it lists nothing any more
   */
  private record Prepared(long version, Set<PublishId> over) {}

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
      breaker.of(feed).addAll(breaker.files.load(feed, alarm));
    }
    breaker.renew();
    return breaker;
  }

  /**
   * What breakers took back, read beside a gateway or without one.
   *
   * @param feeds {@code STATE_DIR/feeds}
   * @param told hears what is damaged, in sentences fit for the operator
   * @throws IOException when it is there and cannot be read
   */
  public static Tripped stored(Path feeds, Consumer<String> told) throws IOException {
    PublishFiles files = new PublishFiles(feeds);
    List<List<Publish>> noted = new ArrayList<>();
    for (String feed : files.names()) {
      noted.add(files.load(feed, told));
    }
    return Tripped.of(noted);
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
      note(feed, new PublishId(version, false), brought);
      note(feed, new PublishId(version, true), EntryKeys.NONE);
      Set<PublishId> over = new HashSet<>();
      if (hasTripped(feed)) {
        EntryKeys all = fresh.newSince(Optional.empty());
        tripping(feed).filter(p -> !p.broughtAnyOf(all)).forEach(p -> over.add(p.id));
      }
      prepared.put(feed, new Prepared(version, over));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes on disk which held entries of a version are to go live, before it is built.
   *
   * @param accepted these entries alone
   * @throws IOException when that cannot be written; they must not go live then
   */
  public void prepareAccepted(String feed, long version, FeedDigest accepted) throws IOException {
    lock.lock();
    try {
      note(feed, new PublishId(version, true), accepted.newSince(Optional.empty()));
    } finally {
      lock.unlock();
    }
  }

  private void note(String feed, PublishId id, EntryKeys brought) throws IOException {
    files.remove(feed, id);
    of(feed).removeIf(p -> p.id.equals(id));
    if (brought.size() > 0) {
      files.writeEntries(feed, id, brought);
    }
  }

  /**
   * A version went live: what it brought is watched from now on. Told again at every start of what
   * is live, so that a kill between the two loses nothing; what is watched already stays.
   */
  public void published(String feed, long version, Instant when) {
    lock.lock();
    try {
      Prepared next = prepared.remove(feed);
      if (next != null && next.version == version) {
        drop(feed, p -> next.over.contains(p.id));
        tripping(feed).forEach(p -> p.sleep(false));
      }
      watch(feed, new PublishId(version, false), when);
      forgetSurplus(feed);
      renew();
    } finally {
      lock.unlock();
    }
  }

  /** The same of held entries of a version. */
  public void acceptedEntries(String feed, long version, Instant when) {
    lock.lock();
    try {
      watch(feed, new PublishId(version, true), when);
      forgetSurplus(feed);
    } finally {
      lock.unlock();
    }
  }

  private void watch(String feed, PublishId id, Instant when) {
    if (of(feed).stream().anyMatch(p -> p.id.equals(id))) {
      return;
    }
    try {
      Optional<EntryKeys> brought = files.entries(feed, id);
      if (brought.isPresent()) {
        Publish publish = new Publish(feed, id, when, brought.get());
        of(feed).add(publish);
        files.save(publish);
      }
      for (PublishId left : files.ids(feed)) {
        if (left.compareTo(id) < 0 && of(feed).stream().noneMatch(p -> p.id.equals(left))) {
          files.remove(feed, left);
        }
      }
    } catch (IOException e) {
      alarm.accept(
          "what version %d of feed %s brought cannot be watched: %s"
              .formatted(id.version(), feed, e.getMessage()));
    }
  }

  /** True when a breaker of that feed has tripped, be it for entries that are not live now. */
  public boolean hasTripped(String feed) {
    lock.lock();
    try {
      return tripping(feed).findAny().isPresent();
    } finally {
      lock.unlock();
    }
  }

  private Stream<Publish> tripping(String feed) {
    return of(feed).stream().filter(Publish::isTripped);
  }

  /**
   * The operator went back to another version: trips of entries that it does not list are told no
   * more. They hold where the feed brings these entries again.
   *
   * @param live what is live now
   */
  public void rolledBack(String feed, FeedDigest live) {
    EntryKeys all = live.newSince(Optional.empty());
    lock.lock();
    try {
      tripping(feed).forEach(p -> p.sleep(!p.broughtAnyOf(all)));
      saveChanged();
    } finally {
      lock.unlock();
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
      Publish birth = Publish.lastOf(of(listing.feed()), listing.entry());
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
   * @return false when no breaker of that feed had tripped for what is live
   */
  public boolean accept(String feed) {
    lock.lock();
    try {
      List<Publish> felt = of(feed).stream().filter(Publish::isFelt).toList();
      felt.forEach(Publish::accept);
      saveChanged();
      drop(feed, p -> p.entriesLost && !p.isTripped());
      renew();
      return !felt.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** The breakers of a feed that have tripped for what is live, oldest first. */
  public List<Trip> trips(String feed) {
    lock.lock();
    try {
      return publishes.getOrDefault(feed, List.of()).stream()
          .filter(Publish::isFelt)
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

  /** Saves what was counted since: a chore. */
  public void tick() {
    lock.lock();
    try {
      saveChanged();
    } finally {
      lock.unlock();
    }
  }

  private void saveChanged() {
    publishes.values().stream().flatMap(List::stream).filter(p -> !p.isSaved()).forEach(this::save);
  }

  /**
   * Forgets what is no longer watched: a chore, for when the clock can be trusted.
   *
   * <p>An accepted publish is watched as long as any other, so that it hides no older one.
   */
  public void forgetOld(Instant now) {
    lock.lock();
    try {
      for (String feed : List.copyOf(publishes.keySet())) {
        drop(feed, p -> !p.isTripped() && p.isOver(now));
      }
    } finally {
      lock.unlock();
    }
  }

  private void forgetSurplus(String feed) {
    List<Publish> all = of(feed);
    Set<Publish> surplus = Set.copyOf(all.subList(0, Math.max(0, all.size() - MAX_PUBLISHES)));
    drop(feed, p -> !p.isTripped() && surplus.contains(p));
  }

  private void save(Publish publish) {
    try {
      files.save(publish);
    } catch (IOException e) {
      alarm.accept(
          "the breaker of feed %s cannot be saved: %s".formatted(publish.feed, e.getMessage()));
    }
  }

  private void drop(String feed, Predicate<Publish> over) {
    for (Iterator<Publish> all = of(feed).iterator(); all.hasNext(); ) {
      Publish publish = all.next();
      if (over.test(publish)) {
        all.remove();
        if (publish.isFelt()) {
          LOG.info("feed {}: its breaker is lifted, the entries are listed no more", publish.feed);
        }
        try {
          files.remove(feed, publish.id);
        } catch (IOException e) {
          LOG.warn("feed {}: {}", feed, e.toString());
        }
      }
    }
  }

  private void renew() {
    tripped = Tripped.of(publishes.values());
  }
}
