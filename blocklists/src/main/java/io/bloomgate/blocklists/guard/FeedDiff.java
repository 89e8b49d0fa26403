package io.bloomgate.blocklists.guard;

import java.util.function.Consumer;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.guard.EntryNumbers.Kind;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares what two versions of a feed list: how many entries came and went, and some of them. Used by {@code feeds diff} in the command line, on
 * one thread, and by the page of the gateway for smaller lists.
 *
 * <p>Neither is kept in memory: eight octets are kept for each entry of the first side and for each
 * new one, so two versions of ten million entries take less than 400 MB.
 */
public final class FeedDiff {

  /** Entries that are shown of what came, and as many of what went, unless more are asked for. */
  public static final int SHOWN = 20;

  /** The most that can be asked for, in entries; each takes about 200 octets of memory. */
  public static final int MOST_SHOWN = 100_000;

  /**
   * One of the two.
   *
   * @param content {@code null} for a list without entries
   * @param guard which of its entries do not go live
   */
  public record Side(
      @Nullable FeedContent content, FeedFormat format, @Nullable Match match, EntryGuard guard) {

    /** The same feed without any entry. */
    public Side emptied() {
      return new Side(null, format, match, guard);
    }

    /** Gives what may go live, a range as its networks. */
    void entries(Consumer<? super ListEntry> entries) throws IOException {
      read(new LiveEntries.Networks(entries));
    }

    /**
     * Gives a sink what may go live.
     *
     * @throws IOException when the content cannot be read, or is damaged
     */
    public void read(FeedSink sink) throws IOException {
      if (content == null) {
        return;
      }
      ParseTotals totals = content.read(format, match, new LiveEntries(guard, sink));
      if (totals.damage().isPresent()) {
        throw new IOException(totals.damage().get());
      }
    }
  }

  /**
   * An entry that came or went.
   *
   * @param line in that version
   */
  public record Sample(String entry, int line) {}

  /**
   * Entries of one side that the other has not.
   *
   * @param counts by kind: ipv4, ipv6, domain, address, exception
   * @param samples the first in feed order, as many as were asked for
   */
  public record Changes(Map<String, Long> counts, List<Sample> samples) {
    /** All kinds together. */
    public long total() {
      return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The numbers of changes by kind. */
    public JsonObject countsJson() {
      ObjectBuilder json = JsonValue.object();
      counts.forEach(json::put);
      return json.build();
    }
  }

  /**
   * The differences that were found.
   *
   * @param same entries that both have
   */
  public record Result(Changes added, Changes removed, long same) {}

  private final Side from;
  private final Side to;
  private final Map<Kind, long[]> keys = new EnumMap<>(Kind.class);
  private final Map<Kind, BitSet> found = new EnumMap<>(Kind.class);

  private final int shown;

  private FeedDiff(Side from, Side to, int shown) {
    this.from = from;
    this.to = to;
    this.shown = shown;
  }

  /**
   * Reads both sides and compares.
   *
   * @param shown how many entries are in {@link Changes#samples} at most, 0 to {@link #MOST_SHOWN}
   * @throws IOException when one cannot be read, or is damaged
   */
  public static Result compare(Side from, Side to, int shown) throws IOException {
    return new FeedDiff(from, to, shown).compare();
  }

  private Result compare() throws IOException {
    Collected collected = new Collected();
    from.read(collected);
    for (Kind kind : Kind.values()) {
      keys.put(kind, collected.distinct(kind));
      found.put(kind, new BitSet());
    }
    Added added = new Added();
    to.read(added);
    Map<String, Long> addedCounts = added.counts();
    long same = found.values().stream().mapToLong(BitSet::cardinality).sum();
    Changes removed = removed();
    return new Result(new Changes(addedCounts, List.copyOf(added.samples)), removed, same);
  }

  private Changes removed() throws IOException {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Kind kind : Kind.values()) {
      counts.put(kind.word(), (long) keys(kind).length - found(kind).cardinality());
    }
    Removed removed = new Removed();
    if (counts.values().stream().anyMatch(c -> c > 0)) {
      from.read(removed);
    }
    return new Changes(counts, List.copyOf(removed.samples));
  }

  private long[] keys(Kind kind) {
    return keys.getOrDefault(kind, new long[0]);
  }

  private BitSet found(Kind kind) {
    return found.computeIfAbsent(kind, k -> new BitSet());
  }

  /** Keeps the number of every entry. */
  private static final class Collected extends KeyedEntries {
    private final EntryLimit limit = EntryLimit.ofHeap();
    private final Map<Kind, EntryNumberSet> lists = new EnumMap<>(Kind.class);

    /** The numbers of a kind, which are given away. */
    long[] distinct(Kind kind) {
      EntryNumberSet list = lists.remove(kind);
      return list == null ? new long[0] : list.sortedDistinct();
    }

    @Override
    void take(Kind kind, long key, int line, Supplier<String> text) {
      lists.computeIfAbsent(kind, k -> new EntryNumberSet(limit)).add(key);
    }

    @Override
    public void end() {
      lists.values().forEach(EntryNumberSet::settle);
    }
  }

  /** The first entries of a side, each once. */
  private abstract class Sampled extends KeyedEntries {
    final List<Sample> samples = new ArrayList<>();
    private final Set<Long> keys = new HashSet<>();

    final void show(long key, int line, Supplier<String> text) {
      if (samples.size() < shown && keys.add(key)) {
        samples.add(new Sample(text.get(), line));
      }
    }
  }

  /** Entries of the second side that the first has not; notes those that it has. */
  private final class Added extends Sampled {
    private final Collected lists = new Collected();

    @Override
    void take(Kind kind, long key, int line, Supplier<String> text) {
      int index = Arrays.binarySearch(keys(kind), key);
      if (index >= 0) {
        found(kind).set(index);
      } else {
        lists.take(kind, key, line, text);
        show(key, line, text);
      }
    }

    @Override
    public void end() {
      lists.end();
    }

    Map<String, Long> counts() {
      Map<String, Long> counts = new LinkedHashMap<>();
      for (Kind kind : Kind.values()) {
        counts.put(kind.word(), (long) lists.distinct(kind).length);
      }
      return counts;
    }
  }

  /** Entries of the first side that were not found in the second. */
  private final class Removed extends Sampled {
    @Override
    void take(Kind kind, long key, int line, Supplier<String> text) {
      if (samples.size() < shown && !found(kind).get(Arrays.binarySearch(keys(kind), key))) {
        show(key, line, text);
      }
    }
  }
}
