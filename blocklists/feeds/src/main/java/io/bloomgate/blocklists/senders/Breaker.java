package io.bloomgate.blocklists.senders;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.database.FeedStates.Part;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.senders.FeedHits.Hit;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.settings.Settings;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The breaker of every feed. It counts by feed which good senders new entries hit over {@link
 * #WINDOW}, as {@link GoodSenders} found them in a finished generation; at the limit all such
 * entries of the version are held back, those included that came with earlier versions of that
 * time, until the operator accepts them. So are those of one version of a list that refuses mail
 * when it hits more than {@code max_good_hits} at once.
 *
 * <p>The feed-refresher judges and accepts; any thread asks for sentences and reports. Thread-safe.
 * What is counted is on disk before the version goes live.
 */
public final class Breaker {

  /** The time for which a hit counts, and for which a note of the operator holds. */
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

  /** Feeds whose new version would be held as a whole without what is held back of it. */
  private final Set<String> keeping = ConcurrentHashMap.newKeySet();

  /**
   * The answers of a finished generation about one new version.
   *
   * @param source whose guard has the limits
   * @param knownNetworks how many networks are known
   * @param found the entries that list good senders
   * @param first nothing of the feed was live before
   */
  record Question(
      Settings.Feeds.Source source,
      int knownNetworks,
      Map<ListEntry, Found> found,
      boolean first) {}

  /**
   * The good senders that an entry lists.
   *
   * @param isNew it is not live already
   * @param networks of known senders, at most {@link #MAX_HITS}
   * @param owned what an owner named, as many
   */
  record Found(boolean isNew, Set<String> networks, Set<String> owned) {}

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

  private static boolean counts(Instant at, Instant now) {
    return Duration.between(at, now).compareTo(WINDOW) <= 0;
  }

  /**
   * The guard judged the next version of a feed.
   *
   * @param keep it passes only without what is held back of it already
   */
  public void keepHeld(String feed, boolean keep) {
    if (keep) {
      keeping.add(feed);
    } else {
      keeping.remove(feed);
    }
  }

  /** True when a version may get back what is held back of it already. */
  boolean mayRelease(String feed) {
    return !keeping.contains(feed);
  }

  /** The number of hit networks at which entries are held back, by the number of known networks. */
  private static int limit(int most, int knownNetworks) {
    return Math.clamp(knownNetworks / SHARE_OF_KNOWN, 1, Math.min(most, MAX_HITS));
  }

  /**
   * Judges the entries of a version that is about to go live, and remembers whom they hit.
   *
   * @return those that must be held back
   * @throws IOException when it cannot be written down; the version must not go live then
   */
  List<ListEntry> judge(Question question, Instant now) throws IOException {
    String feed = question.source.name();
    FeedHits before = hits(feed);
    Counted counted = counted(question, before, now);
    Set<String> texts = counted.held.stream().map(ListEntry::text).collect(Collectors.toSet());
    FeedHits hits =
        new FeedHits(
            counted.hits.size(),
            counted.limit,
            counted.held.size(),
            counted.hits.stream().map(hit -> hit.held(texts.contains(hit.entry()))).toList(),
            before.accepted(),
            before.noteAt(now).orElse(null));
    remember(feed, before, hits, now);
    return counted.held;
  }

  /** The entries that are held back of a list that nobody had before. Pure. */
  static List<ListEntry> heldAtFirst(Question question, Instant now) {
    return counted(question, FeedHits.NONE, now).held;
  }

  /**
   * The counts of one version.
   *
   * @param limit at which entries are held back
   * @param held those that are
   */
  private record Counted(List<Hit> hits, int limit, List<ListEntry> held) {}

  private static Counted counted(Question question, FeedHits before, Instant now) {
    Map<String, Hit> counted = new LinkedHashMap<>();
    Set<String> counting = new HashSet<>();
    for (Hit hit : before.hits()) {
      if (counts(hit.at(), now)) {
        counted.put(hit.network(), hit);
        counting.add(hit.entry());
      }
    }
    Set<String> atOnce = new HashSet<>();
    List<ListEntry> atStake = new ArrayList<>();
    for (Map.Entry<ListEntry, Found> one : question.found.entrySet()) {
      ListEntry entry = one.getKey();
      Found found = one.getValue();
      boolean isOld = !found.isNew && !counting.contains(entry.text());
      if (!isOld && !before.accepted().contains(entry.text())) {
        atStake.add(entry);
        count(counted, found.networks, entry, question.first, false, now);
        if (!question.first) { // the known-good set says what a first version lists of it
          count(counted, found.owned, entry, false, true, now);
        }
        if (found.isNew) {
          Stream.concat(found.networks.stream(), found.owned.stream()).forEach(atOnce::add);
        }
      }
    }
    Integer most = question.source.guard().breakerNetworks();
    Integer mostAtOnce = question.source.guard().maxGoodHits();
    long ofKnown = counted.values().stream().filter(hit -> !hit.owner()).count();
    int limit = most == null ? 0 : limit(most, question.knownNetworks);
    boolean trips = most != null && (ofKnown >= limit || counted.size() >= most);
    if (most != null && !trips) {
      // What owners named counts towards the larger number only.
      limit = ofKnown == 0 ? most : Math.min(most, limit + counted.size() - (int) ofKnown);
    }
    if (!trips
        && mostAtOnce != null
        && question.source.action().refuses()
        && atOnce.size() > mostAtOnce) {
      trips = true;
      limit = mostAtOnce + 1;
    } else if (most == null) {
      counted.clear();
    }
    return new Counted(List.copyOf(counted.values()), limit, trips ? atStake : List.of());
  }

  private static void count(
      Map<String, Hit> counted,
      Set<String> hit,
      ListEntry by,
      boolean quiet,
      boolean owner,
      Instant now) {
    for (String network : hit) {
      if (counted.size() < MAX_HITS) {
        counted.putIfAbsent(
            network, new Hit(network, by.text(), by.line(), now, false, quiet, owner));
      }
    }
  }

  private void remember(String feed, FeedHits before, FeedHits hits, Instant now)
      throws IOException {
    if (!hits.equals(before)) {
      write(feed, hits);
    }
    boolean worse =
        hits.level().compareTo(before.level()) > 0 || hits.heldEntries() > before.heldEntries();
    if (worse && hits.alarms(now)) {
      hits.sentence(feed, now).ifPresent(text -> alarm.accept("feed " + feed + ": " + text));
    }
  }

  /** The operator went back to another version: what was counted until then is forgotten. */
  public void forget(String feed) {
    replace(feed, FeedHits.NONE);
  }

  /** The operator lets the entries count that are held back: they are not counted again. */
  public void accept(String feed) {
    FeedHits before = hits(feed);
    List<String> accepted =
        Stream.concat(
                before.hits().stream().filter(Hit::held).map(Hit::entry),
                before.accepted().stream())
            .distinct()
            .limit(MAX_HITS)
            .toList();
    replace(feed, new FeedHits(0, 0, 0, List.of(), accepted, null));
  }

  private void replace(String feed, FeedHits hits) {
    try {
      if (!hits(feed).equals(hits)) {
        write(feed, hits);
      }
    } catch (IOException e) {
      alarm.accept("the breaker of feed %s cannot be saved: %s".formatted(feed, Faults.words(e)));
    }
  }

  /**
   * An operator has seen the alarm of a feed: for {@link #WINDOW} it is a note, unless more is hit
   * or held.
   *
   * @return the sentence of the alarm, with who and until when; empty when there is no alarm
   * @throws IOException when it cannot be written down
   */
  public Optional<String> note(String feed, String by, Instant now) throws IOException {
    FeedHits hits = hits(feed);
    if (hits.level().compareTo(FeedHits.Level.NOTE) <= 0) {
      return Optional.empty();
    }
    write(
        feed,
        hits.with(new FeedHits.Note(by, now.plus(WINDOW), hits.networks(), hits.heldEntries())));
    return hits(feed).sentence(feed, now);
  }

  /** The facts that are known of a feed. */
  public FeedHits hits(String feed) {
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
              .formatted(feed, Faults.words(e)));
      return FeedHits.NONE;
    }
  }

  private void write(String feed, FeedHits hits) throws IOException {
    states.put(feed, Part.BREAKER, JsonRecords.of(hits));
    known.put(feed, hits);
  }
}
