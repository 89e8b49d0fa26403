package io.bloomgate.gateway.session;

import io.bloomgate.config.notation.Rate;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often each of many has done something: clients that connect ({@link Admission}),
 * senders and recipients of mail ({@link MailLimits}), browsers with wrong tokens. Thread-safe.
 *
 * <p>For each one number is kept: the time at which it has its whole burst again (the generic cell
 * rate algorithm, ITU-T I.371). One whose time has come is forgotten, because nothing is known of
 * it any more. Beyond {@link #MAX_KEYS} the one whose time comes next is forgotten: so keys that
 * come once push each other out, and never one that is at its limit. Keys are kept whole: none is
 * limited for what another did.
 *
 * @param <K> what is counted; bounded in size
 */
public final class RateTable<K> {

  /** About 15 MB when full. */
  static final int MAX_KEYS = 65_536;

  /** Number of entries forgotten at each question, at most, so that none takes long. */
  private static final int FORGOTTEN_AT_ONCE = 4;

  private final LongSupplier nanoTime;
  private final int maxKeys;
  private final Map<K, Entry<K>> entries = new HashMap<>();
  private final TreeSet<Entry<K>> byTime =
      new TreeSet<>(
          Comparator.<Entry<K>>comparingLong(Entry::wholeAgain).thenComparingLong(Entry::number));

  /** Times are counted from here, so that they are in order although the clock may wrap. */
  private final long startNanos;

  private long numbers;

  /**
   * The entry of a key. Immutable.
   *
   * @param wholeAgain nanoseconds since the start of the table
   * @param number to tell entries of one time apart
   */
  private record Entry<K>(K key, long wholeAgain, long number) {}

  /**
   * Nothing has happened yet.
   *
   * @param nanoTime monotonic time in nanoseconds
   */
  public RateTable(LongSupplier nanoTime) {
    this(nanoTime, MAX_KEYS);
  }

  /** Makes a table for tests, with room for fewer. */
  RateTable(LongSupplier nanoTime, int maxKeys) {
    this.nanoTime = nanoTime;
    this.maxKeys = maxKeys;
    this.startNanos = nanoTime.getAsLong();
  }

  /** Counts once; false when the key comes too often, and then nothing is counted. */
  public synchronized boolean take(K key, Rate rate) {
    long now = now();
    if (!has(key, rate, now)) {
      return false;
    }
    put(key, now + ahead(entries.get(key), now) + rate.each().toNanos(), now);
    return true;
  }

  /**
   * Counts what was let in elsewhere. No key is ever further from its whole burst than one that is
   * at its limit here, however much came elsewhere at the same time.
   *
   * @param count how often, the burst at most
   * @param agoNanos since it was let in
   */
  public synchronized void add(K key, Rate rate, long count, long agoNanos) {
    long now = now();
    long each = rate.each().toNanos();
    Entry<K> before = entries.get(key);
    long wholeAgain =
        each * Math.min(count, rate.burst())
            + (before == null ? now - agoNanos : Math.max(before.wholeAgain(), now - agoNanos));
    if (wholeAgain > now) {
      put(key, Math.min(wholeAgain, now + each * rate.burst()), now);
    }
  }

  private void put(K key, long wholeAgain, long now) {
    forget(now);
    Entry<K> before = entries.get(key);
    if (before == null && entries.size() >= maxKeys) {
      drop(byTime.getFirst());
    } else if (before != null) {
      drop(before);
    }
    Entry<K> after = new Entry<>(key, wholeAgain, numbers++);
    entries.put(key, after);
    byTime.add(after);
  }

  /** True when {@link #take} would count; counts nothing. */
  public synchronized boolean has(K key, Rate rate) {
    return has(key, rate, now());
  }

  private boolean has(K key, Rate rate, long now) {
    return ahead(entries.get(key), now) <= rate.each().toNanos() * (rate.burst() - 1);
  }

  private long now() {
    return nanoTime.getAsLong() - startNanos;
  }

  private static <K> long ahead(@Nullable Entry<K> entry, long now) {
    return entry == null ? 0 : Math.max(0, entry.wholeAgain() - now);
  }

  private void forget(long now) {
    for (int i = 0; i < FORGOTTEN_AT_ONCE && !byTime.isEmpty(); i++) {
      Entry<K> first = byTime.getFirst();
      if (first.wholeAgain() > now) {
        return;
      }
      drop(first);
    }
  }

  private void drop(Entry<K> entry) {
    byTime.remove(entry);
    entries.remove(entry.key());
  }

  /** Keys that are remembered. */
  synchronized int size() {
    return entries.size();
  }
}
