package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.index.EntryVisitor;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.ListKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks the live lists for random entries of each feed, as mail asks: the filters, then the exact
 * index. {@link SelfCheck} proved every entry before the lists went live; this finds what memory or
 * disk lost since. Run each minute on a thread that gives way to mail; the results are read on any
 * thread.
 *
 * <p>The entries of a few minutes are drawn in one pass through the exact index, so that each has
 * the same chance and the index needs no order by number.
 */
public final class SelfTest {

  /** Entries of each feed that are asked for in a round. */
  static final int ENTRIES = KeyBatch.MAX_KEYS;

  /** Rounds for which entries are drawn. */
  private static final int ROUNDS = 16;

  /** Misses of a generation that are named. */
  private static final int MAX_NAMED = 5;

  private final RandomGenerator random;
  private final Consumer<String> alarm;
  private final LongAdder checked = new LongAdder();
  private final LongAdder missed = new LongAdder();
  private final KeyBatch keys = new KeyBatch();
  private Sample sample = new Sample(ListSnapshot.EMPTY);
  private int round;
  private volatile Report last = Report.NONE;

  /**
   * The result of a round.
   *
   * @param at when, {@code null} before the first round
   * @param entries that were asked for in this round
   * @param missed that were not found since the generation went live
   * @param alarms about some of these, sentences for the operator
   */
  public record Report(@Nullable Instant at, long entries, long missed, List<String> alarms) {

    /** Nothing was asked for yet. */
    static final Report NONE = new Report(null, 0, 0, List.of());

    public Report {
      alarms = List.copyOf(alarms);
    }
  }

  /**
   * Nothing is asked for yet.
   *
   * @param alarm receives a sentence for each miss that is named
   */
  public SelfTest(RandomGenerator random, Consumer<String> alarm) {
    this.random = random;
    this.alarm = alarm;
  }

  /** One round. */
  public synchronized void run(ListSnapshot live, Instant now) {
    if (live.generation() == 0) {
      return;
    }
    boolean other = live.generation() != sample.snapshot.generation();
    if (other || round == ROUNDS) {
      sample = new Sample(live);
      live.forEachEntry(sample);
      round = 0;
    }
    Report before = other ? Report.NONE : last;
    List<String> alarms = new ArrayList<>(before.alarms());
    long asked = 0;
    long lost = 0;
    for (Sample.Feed feed : sample.feeds) {
      int count = Math.min(ENTRIES, feed.drawn.size());
      for (int i = 0; i < count; i++) {
        ListEntry entry = feed.drawn.get((round * ENTRIES + i) % feed.drawn.size());
        String why = miss(live, feed, entry);
        asked++;
        if (why != null) {
          lost++;
          if (alarms.size() < MAX_NAMED) {
            alarms.add(sentence(feed, entry, why));
            alarm.accept(alarms.getLast());
          }
        }
      }
    }
    round++;
    checked.add(asked);
    missed.add(lost);
    last = new Report(now, asked, before.missed() + lost, alarms);
  }

  /** The result of the last round. */
  public Report last() {
    return last;
  }

  /** Entries asked for since the start. */
  public long checked() {
    return checked.sum();
  }

  /** The number of entries that were not found. */
  public long missed() {
    return missed.sum();
  }

  private static String sentence(Sample.Feed feed, ListEntry entry, String why) {
    return ("feed %s: the self-test missed %s, line %d: %s; look at memory and disk, and restart"
            + " the gateway")
        .formatted(feed.name, entry.text(), entry.line(), why);
  }

  /** The reason why an entry is not found; {@code null} when it is. */
  private @Nullable String miss(ListSnapshot live, Sample.Feed feed, ListEntry entry) {
    try {
      ListKey key =
          entry
              .covered(random.nextLong(), random.nextLong())
              .orElseThrow(() -> new IllegalStateException("nothing fits below so long a name"));
      keys.clear();
      keys.add(key);
      if ((live.mayList(keys) & 1) == 0) {
        return "the filter does not know it";
      }
      boolean found =
          live.ask(key) instanceof ListAnswer.Listed listed
              && (feed.exceptions
                  || listed.listings().stream()
                      .anyMatch(one ->
                          one.feed().equals(feed.name) && one.entry().text().equals(entry.text())));
      return found ? null : "the exact index does not find it";
    } catch (RuntimeException | InternalError e) {
      return "asking failed: " + Faults.words(e);
    }
  }

  /** Draws entries that list something: of each feed as many as the rounds need, or all. */
  private final class Sample implements EntryVisitor {

    private static final int SIZE = ENTRIES * ROUNDS;

    private final ListSnapshot snapshot;
    private final List<Feed> feeds = new ArrayList<>();

    /** The index at which the current entry is stored. */
    private int place;

    private static final class Feed {
      private final String name;
      private final boolean exceptions;
      private final List<ListEntry> drawn = new ArrayList<>();
      private long seen;

      Feed(FeedCounts counts) {
        name = counts.name();
        exceptions = counts.exceptions() > 0;
      }
    }

    Sample(ListSnapshot snapshot) {
      this.snapshot = snapshot;
      snapshot.manifest().feeds().forEach(feed -> feeds.add(new Feed(feed)));
    }

    /** Algorithm R (Vitter, "Random Sampling with a Reservoir", 1985). */
    @Override
    public boolean wants(int feed, boolean exception) {
      if (exception) {
        return false;
      }
      Feed its = feeds.get(feed);
      its.seen++;
      if (its.drawn.size() < SIZE) {
        // In random order, as the rounds take one part after the other.
        place = random.nextInt(its.drawn.size() + 1);
        return true;
      }
      long drawn = random.nextLong(its.seen);
      place = (int) Math.min(SIZE, drawn);
      return place < SIZE;
    }

    @Override
    public void entry(int feed, ListEntry entry) {
      List<ListEntry> drawn = feeds.get(feed).drawn;
      if (drawn.size() == SIZE) {
        drawn.set(place, entry);
        return;
      }
      drawn.add(entry);
      Collections.swap(drawn, place, drawn.size() - 1);
    }
  }
}
