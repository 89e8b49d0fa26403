package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.config.name.ListKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Measures how much the feeds of a generation share: some entries of each feed are asked of all
 * others. Two lists that copy each other are one opinion, and a rule that needs two must not count
 * both. Used by {@code feeds overlap} in the command line, on one thread.
 */
public final class FeedOverlap {

  /** Entries of each feed that are asked; of a feed with fewer, all. */
  public static final int SAMPLE = 4_096;

  private final ListSnapshot snapshot;
  private final Map<String, Map<String, Long>> shared = new HashMap<>();
  private final Map<String, Map<String, Long>> good = new HashMap<>();
  private long goodSenders;

  /** Asks nothing yet. */
  public FeedOverlap(ListSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  /**
   * The entries of one feed that are asked: those with the smallest hashes, so that each entry has
   * the same chance however often it is repeated, and the same version gives the same sample.
   */
  public static final class Sample implements FeedSink {

    private static final KeyHash HASH = new KeyHash(0, 0);

    private final TreeMap<Long, ListEntry> smallest = new TreeMap<>();

    @Override
    public void entry(ListEntry entry) {
      if (entry.exception()) {
        return;
      }
      long hash = HASH.subject(entry.subject());
      if (smallest.size() < SAMPLE) {
        smallest.put(hash, entry);
      } else if (hash < smallest.lastKey() && smallest.put(hash, entry) == null) {
        smallest.pollLastEntry();
      }
    }
  }

  /** Asks the sample of a feed. */
  public void ask(String feed, Sample sample) {
    sample.smallest.forEach((hash, entry) -> {
      Set<String> feeds = listing(keys(entry, hash));
      // An exception of the feed itself may cover the entry.
      if (feeds.contains(feed)) {
        count(shared, feed, feeds);
      }
    });
  }

  /** Asks senders that are known to be good. */
  public void askGood(KnownGood knownGood) {
    knownGood.forEach((subject, _) -> {
      goodSenders++;
      Set<String> feeds = listing(KnownGood.keys(subject));
      feeds.forEach(feed -> count(good, feed, feeds));
    });
  }

  private static void count(
      Map<String, Map<String, Long>> counts, String feed, Set<String> together) {
    Map<String, Long> row = counts.computeIfAbsent(feed, _ -> new HashMap<>());
    together.forEach(other -> row.merge(other, 1L, Long::sum));
  }

  private Set<String> listing(List<ListKey> keys) {
    return keys.stream()
        .map(snapshot::ask)
        .filter(ListAnswer.Listed.class::isInstance)
        .flatMap(answer -> ((ListAnswer.Listed) answer).listings().stream())
        .map(listing -> listing.feed())
        .collect(Collectors.toSet());
  }

  /**
   * The keys by which a session that the entry lists would be asked; of a network one of its
   * addresses.
   */
  private static List<ListKey> keys(ListEntry entry, long hash) {
    return switch (entry) {
      case ListEntry.Network _, ListEntry.Domain _ -> entry.covered(0, hash).stream().toList();
      case ListEntry.Address _, ListEntry.Url _, ListEntry.Hash _, ListEntry.As _ ->
          entry.subject().keys();
      case ListEntry.AsnRow _ -> List.of();
    };
  }

  /** The feeds of the generation, in feed order. */
  public List<FeedCounts> feeds() {
    return snapshot.manifest().feeds();
  }

  /** Entries of a feed that were asked and that the generation lists. */
  public long asked(String feed) {
    return of(shared, feed, feed);
  }

  /** Share of a feed's entries that another lists too, from 0 to 1; 0 when none was asked. */
  public double share(String feed, String other) {
    long asked = asked(feed);
    return asked == 0 ? 0 : (double) of(shared, feed, other) / asked;
  }

  /** The part of the smaller of two feeds that is in the larger, from 0 to 1. */
  public double overlap(String a, String b) {
    return Math.max(share(a, b), share(b, a));
  }

  /** Good senders that were asked. */
  public long goodSenders() {
    return goodSenders;
  }

  /** Good senders that both feeds list; those of one feed when both are the same. */
  public long good(String feed, String other) {
    return of(good, feed, other);
  }

  private static long of(Map<String, Map<String, Long>> counts, String feed, String other) {
    return counts.getOrDefault(feed, Map.of()).getOrDefault(other, 0L);
  }
}
