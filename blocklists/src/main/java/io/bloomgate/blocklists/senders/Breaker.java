package io.bloomgate.blocklists.senders;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.database.FeedStates.Part;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The breaker of every feed. Before a version goes live, the breaker finds which good networks its
 * new entries would hit: networks that have sent good mail for days, and networks of mail
 * providers. These are counted by feed over {@link #WINDOW}; at the limit all such entries of the
 * version are held back, those included that came with earlier versions of that time, until the
 * operator accepts them.
 *
 * <p>The feed-refresher judges and accepts; any thread asks for sentences and reports. Thread-safe.
 * What is counted is on disk before the version goes live.
 */
public final class Breaker {

  /** The time for which a hit counts. */
  public static final Duration WINDOW = Duration.ofDays(7);

  /** Hits that are remembered of a feed; no limit is higher. */
  static final int MAX_HITS = 1000;

  /**
   * The limit is at most this part of all known networks (one in twenty), so that few count too.
   */
  private static final int SHARE_OF_KNOWN = 20;

  private final FeedStates states;
  private final Consumer<String> alarm;
  private final Map<String, FeedHits> known = new ConcurrentHashMap<>();

  /** Feeds whose live version was judged before another node held entries back. */
  private final Set<String> due = ConcurrentHashMap.newKeySet();

  private volatile Trips trips = (feed, entries) -> {};

  /** Learns which entries this breaker holds back, for the other nodes of a fleet. */
  @FunctionalInterface
  public interface Trips {
    void tripped(String feed, List<String> entries);
  }

  /**
   * The question about a version.
   *
   * @param most networks at which its entries are held back
   * @param suspects its entries that list good hosts
   * @param isNew says of these and of the providers which are not live already
   * @param isGood says of a host that no other feed lists it
   * @param providers its entries that are held back, as they name networks of mail providers
   * @param first nothing of the feed was live before
   */
  public record Question(
      String feed,
      int most,
      Suspects suspects,
      Predicate<ListEntry> isNew,
      Predicate<IpAddress> isGood,
      List<ListEntry.Network> providers,
      boolean first) {}

  /**
   * A breaker that remembers what was written before.
   *
   * @param states where it is stored
   * @param alarm receives sentences for the operator
   */
  public Breaker(FeedStates states, Consumer<String> alarm) {
    this.states = states;
    this.alarm = alarm;
  }

  /** Reports trips to this from now on, on the feed-refresher thread. */
  public void onTrip(Trips by) {
    trips = by;
  }

  /**
   * Another node holds these entries back: the next versions are judged with them.
   *
   * @throws IOException when it cannot be written down
   */
  public void holdToo(String feed, Set<IpPrefix> entries, String by, Instant now)
      throws IOException {
    Map<IpPrefix, HeldElsewhere> all = new LinkedHashMap<>();
    current(feed, now).forEach(one -> all.put(one.entry(), one));
    for (IpPrefix entry : entries) {
      if (all.size() < MAX_HITS) {
        all.put(entry, new HeldElsewhere(entry, by, now));
      }
    }
    write(feed, hits(feed).with(List.copyOf(all.values())));
    due.add(feed);
  }

  /** Entries that other nodes hold back now. */
  public Set<IpPrefix> heldElsewhere(String feed, Instant now) {
    Set<IpPrefix> entries = new HashSet<>();
    current(feed, now).forEach(one -> entries.add(one.entry()));
    return entries;
  }

  private List<HeldElsewhere> current(String feed, Instant now) {
    return hits(feed).elsewhere().stream()
        .filter(one -> Duration.between(one.at(), now).compareTo(WINDOW) <= 0)
        .toList();
  }

  /** True until the live version is judged again, as another node holds entries back. */
  public boolean wantsAnotherLook(String feed) {
    return due.contains(feed);
  }

  /** The number of hit networks at which entries are held back, by the number of known networks. */
  static int limit(int most, int knownNetworks) {
    return Math.clamp(knownNetworks / SHARE_OF_KNOWN, 1, Math.min(most, MAX_HITS));
  }

  /**
   * Judges the entries of a version that is about to go live, and remembers the networks that they
   * hit.
   *
   * @return those that must be held back
   * @throws IOException when it cannot be written down; the version must not go live then
   */
  public List<ListEntry.Network> judge(Question question, Instant now) throws IOException {
    FeedHits before = hits(question.feed);
    Map<String, GoodHit> counted = new LinkedHashMap<>();
    Set<String> counting = new HashSet<>();
    for (GoodHit hit : before.hits()) {
      if (Duration.between(hit.at(), now).compareTo(WINDOW) <= 0) {
        counted.put(hit.network(), hit);
        counting.add(hit.entry());
      }
    }
    Set<String> there = new HashSet<>();
    question.suspects.found().forEach(entry -> there.add(entry.text()));
    question.providers.forEach(entry -> there.add(entry.text()));
    counted.replaceAll((_, hit) -> hit.gone(!there.contains(hit.entry())));
    GoodHosts good = question.suspects.good();
    int limit = limit(question.most, good.networks());
    List<ListEntry.Network> atStake = new ArrayList<>();
    List<HeldElsewhere> elsewhere = current(question.feed, now);
    Set<IpPrefix> heldThere = heldElsewhere(question.feed, now);
    Map<String, ListEntry.Network> held = new LinkedHashMap<>();
    for (ListEntry.Network suspect : question.suspects.found()) {
      if (heldThere.contains(suspect.prefix())) {
        held.put(suspect.text(), suspect);
      }
      if (question.isNew.test(suspect) || counting.contains(suspect.text())) {
        List<IpPrefix> hit = good.networksIn(suspect.prefix(), question.isGood, MAX_HITS);
        if (!hit.isEmpty()) {
          atStake.add(suspect);
          hit.forEach(n -> count(counted, n, suspect, question.first, now));
        }
      }
    }
    for (ListEntry.Network provider : question.providers) {
      if (question.isNew.test(provider)) {
        List<IpPrefix> hit = good.networksIn(provider.prefix(), question.isGood, MAX_HITS);
        (hit.isEmpty() ? List.of(provider.prefix()) : hit)
            .forEach(n -> count(counted, n, provider, true, now));
      }
    }
    List<ListEntry.Network> own = counted.size() >= limit ? List.copyOf(atStake) : List.of();
    own.forEach(entry -> held.put(entry.text(), entry));
    List<ListEntry.Network> all = List.copyOf(held.values());
    remember(question.feed, before, hits(counted, all, limit).with(elsewhere), own);
    due.remove(question.feed);
    return all;
  }

  private static void count(
      Map<String, GoodHit> counted,
      IpPrefix hit,
      ListEntry.Network by,
      boolean quiet,
      Instant now) {
    String network = hit.toString();
    GoodHit known = counted.get(network);
    if (known == null ? counted.size() < MAX_HITS : known.gone()) {
      Instant since = known == null ? now : known.at();
      boolean silent = quiet && (known == null || known.quiet());
      counted.put(network, new GoodHit(network, by.text(), by.line(), since, false, silent, false));
    }
  }

  private static FeedHits hits(
      Map<String, GoodHit> counted, List<ListEntry.Network> held, int limit) {
    Set<String> texts = new HashSet<>();
    held.forEach(entry -> texts.add(entry.text()));
    return new FeedHits(
        counted.size(),
        limit,
        held.size(),
        counted.values().stream().map(hit -> hit.held(texts.contains(hit.entry()))).toList(),
        List.of());
  }

  private void remember(String feed, FeedHits before, FeedHits now, List<ListEntry.Network> own)
      throws IOException {
    if (!now.equals(before)) {
      write(feed, now);
    }
    boolean worse =
        now.alarms()
            && (now.level().compareTo(before.level()) > 0
                || now.heldEntries() > before.heldEntries());
    if (worse) {
      now.sentence(feed).ifPresent(sentence -> alarm.accept("feed " + feed + ": " + sentence));
    }
    Set<String> heldBefore = new HashSet<>();
    before.hits().stream().filter(GoodHit::held).forEach(hit -> heldBefore.add(hit.entry()));
    List<String> fresh =
        own.stream()
            .map(ListEntry.Network::text)
            .filter(entry -> !heldBefore.contains(entry))
            .limit(MAX_HITS)
            .toList();
    if (!fresh.isEmpty()) {
      trips.tripped(feed, fresh);
    }
  }

  /**
   * The operator lets the entries count that are held back, or went back to another version: what
   * was counted until then is forgotten.
   */
  public void forget(String feed) {
    due.remove(feed);
    try {
      if (!hits(feed).equals(FeedHits.NONE)) {
        write(feed, FeedHits.NONE);
      }
    } catch (IOException e) {
      alarm.accept("the breaker of feed %s cannot be saved: %s".formatted(feed, e.getMessage()));
    }
  }

  /** The alarm while nothing is known of the state of feeds; empty while it is known. */
  public String unknownFeeds() {
    return states.problem();
  }

  /** Says in one sentence what an operator should know of a feed now. */
  public Optional<String> sentence(String feed) {
    return hits(feed).sentence(feed);
  }

  /** True when an operator must look at what new entries of a feed hit. */
  public boolean alarms(String feed) {
    return hits(feed).alarms();
  }

  /** True while entries of a feed are held back. */
  public boolean holds(String feed) {
    return hits(feed).level() == FeedHits.Level.HELD;
  }

  /** The hits of new entries of a feed, for {@code feeds show}; empty while there are none. */
  public Optional<FeedHits> report(String feed) {
    return Optional.of(hits(feed)).filter(hits -> hits.networks() != 0);
  }

  private FeedHits hits(String feed) {
    return known.computeIfAbsent(feed, this::read);
  }

  private FeedHits read(String feed) {
    try {
      return states
          .get(feed, Part.BREAKER)
          .flatMap(stored -> JsonRecords.tryRead(FeedHits.class, stored))
          .orElse(FeedHits.NONE);
    } catch (IOException e) {
      alarm.accept(
          "what the breaker of feed %s had counted cannot be read: %s"
              .formatted(feed, e.getMessage()));
      return FeedHits.NONE;
    }
  }

  private void write(String feed, FeedHits hits) throws IOException {
    states.put(feed, Part.BREAKER, JsonRecords.of(hits));
    known.put(feed, hits);
  }
}
