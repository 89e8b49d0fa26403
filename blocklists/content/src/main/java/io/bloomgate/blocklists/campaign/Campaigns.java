package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts copies of mails within a window, and of those with many copies the networks, senders and
 * recipients. Sessions call {@link #seen} once a mail on their threads, a slow chore calls {@link
 * #tick}; nothing else has a clock. Thread-safe by one lock, which a session holds for
 * microseconds.
 *
 * <p>Memory is fixed by the mails that are expected: {@link CopySketch} takes about 13.5 octets
 * each and at least 18 kB, and the {@link #MOST_TRACKED} mails with the most copies at most 30 MB
 * together. When more mails come than expected, counters are shared by more of them: then {@link
 * #heavyFrom} rises, so that campaigns are found later, but single mails are not taken for copies.
 * Nothing is stored; a restart begins with nothing.
 */
public final class Campaigns {

  /**
   * Copies from which on other nodes count with this one, when counters are not crowded: so single
   * mails, which are most, do not travel. What a campaign has on each node below that is not seen
   * by the others.
   */
  public static final int SHARED = 3;

  /** The most mails in a window that may be expected: 135 MB. */
  public static final int MOST_MAILS = 10_000_000;

  /**
   * Mails whose senders are counted (Space-Saving, Metwally 2005: the one with the fewest copies
   * makes room for another with as many).
   */
  static final int MOST_TRACKED = 4_096;

  /** Keys that lead to one of them. */
  private static final int MOST_KEYS = 32;

  /**
   * Keys that make a mail a copy of one of them. Fewer than must agree for a first one, as the
   * first copies know only a part of the keys that most copies have.
   */
  private static final int COMMON_KEYS = 2;

  private final CopySketch sketch;
  private final Map<Long, HeavyMail> byKey = new HashMap<>();
  private final List<HeavyMail> tracked = new ArrayList<>();
  private final int copies;
  private final Hasher64 hash;
  private final long sliceSeconds;

  /** The slice that is counted in, in slices since 1970. */
  private long slice;

  /** Number of slices that have begun. */
  private long turns;

  /** Copies that counters show for keys that never came, because other keys share them. */
  private int noise;

  private @Nullable Sharing sharing;

  /**
   * Takes what other nodes of a fleet are to count, on threads of sessions; returns at once.
   *
   * @param counts takes one copy
   * @param likenesses true when all nodes make likenesses with one seed
   */
  public record Sharing(Consumer<SharedCopy> counts, boolean likenesses) {}

  /**
   * Nothing seen yet.
   *
   * @param mails that are expected within a window, at most {@link #MOST_MAILS}
   * @param copies from which on a mail is a campaign, when counters are not crowded
   * @param window at least a minute; counts cover five sixths of it and more
   * @param seed of this gateway, secret: who knows it can write mails that seem to be copies
   */
  public Campaigns(int mails, int copies, Duration window, long seed, Instant now) {
    Hasher64 seeds = Hashing.wyhashFinal4(seed);
    this.copies = copies;
    this.hash = Hashing.wyhashFinal4(seeds.hashLongToLong(1));
    long expected = Math.clamp(mails, 0, MOST_MAILS);
    this.sketch = new CopySketch(expected * SharedCopy.KEYS_A_MAIL, seeds.hashLongToLong(2));
    this.sliceSeconds = Math.max(1, window.toSeconds() / CopySketch.SLICES);
    this.slice = slice(now);
  }

  /** Makes other nodes count from now on what is counted here; all of them have the same seed. */
  public synchronized void shareBy(Sharing by) {
    sharing = by;
  }

  private long slice(Instant now) {
    return Math.floorDiv(now.getEpochSecond(), sliceSeconds);
  }

  /** Counts a mail, and says of how many it is a copy; {@code null} for few. */
  public @Nullable Bulk seen(MailPrint print, PassingMail mail, Instant now) {
    return print.isEmpty() ? null : seen(SharedCopy.of(print, mail, hash), now, mail.session());
  }

  private synchronized @Nullable Bulk seen(SharedCopy copy, Instant now, String session) {
    int[] counts = sketch.add(copy.keys);
    Sharing by = sharing;
    if (by != null && copy.agreed(counts) >= SHARED + noise) {
      SharedCopy shared = by.likenesses() ? copy : copy.exact();
      if (shared != null) {
        by.counts().accept(shared);
      }
    }
    return count(copy, counts, now, session);
  }

  /**
   * Counts a copy that passed at another node, as if it had passed here.
   *
   * @param at when it passed; one that is older than the window is not counted
   */
  public synchronized void merge(SharedCopy copy, Instant at, Instant now) {
    if (slice(now) - slice(at) < CopySketch.SLICES) {
      count(copy, sketch.add(copy.keys), now, "");
    }
  }

  /** Senders are counted from a quarter of the copies on, so that a campaign begins with some. */
  private @Nullable Bulk count(SharedCopy copy, int[] counts, Instant now, String session) {
    int agreed = copy.agreed(counts);
    int from = Math.max(1, copies / 4) + noise;
    if (agreed < from) {
      return null;
    }
    HeavyMail mail = agreed == 1 ? null : find(copy.keys);
    mail = mail == null ? begin(copy.keys, agreed, now) : mail;
    if (mail == null) {
      return null;
    }
    for (int i = 0; i < counts.length && mail.keys.size() < MOST_KEYS; i++) {
      if (counts[i] >= from && byKey.putIfAbsent(copy.keys[i], mail) == null) {
        mail.keys.add(copy.keys[i]);
      }
    }
    mail.count(copy, turns, now);
    if (mail.copies() < heavyFrom()) {
      return null;
    }
    mail.session = mail.session.isEmpty() ? session : mail.session;
    return mail.bulk();
  }

  /** The mail with which this one has the most keys in common. */
  private @Nullable HeavyMail find(long[] keys) {
    Map<HeavyMail, Integer> common = new HashMap<>();
    HeavyMail best = null;
    int most = COMMON_KEYS - 1;
    for (long key : keys) {
      HeavyMail mail = byKey.get(key);
      if (mail != null && common.merge(mail, 1, Integer::sum) > most) {
        best = mail;
        most++;
      }
    }
    return best;
  }

  private @Nullable HeavyMail begin(long[] keys, int agreed, Instant now) {
    if (tracked.size() == MOST_TRACKED) {
      HeavyMail fewest = Collections.min(tracked, Comparator.comparingInt(HeavyMail::copies));
      if (fewest.copies() > agreed) {
        return null;
      }
      fewest.keys.forEach(byKey::remove);
      tracked.remove(fewest);
    }
    long own = Arrays.stream(keys).filter(key -> !byKey.containsKey(key)).findFirst().orElse(0);
    HeavyMail mail = new HeavyMail(own, agreed - 1, turns, now);
    tracked.add(mail);
    return mail;
  }

  /**
   * Says under which id a mail that was counted is found: a refusal has another id.
   *
   * @param mail as {@link #seen} answered
   * @param session as the mail was counted with
   * @param id under which it was recorded; empty when its network was refused too often for one
   */
  public synchronized void recorded(Bulk mail, String session, String id) {
    if (!id.isEmpty()) {
      tracked.stream()
          .filter(one -> one.id.equals(mail.campaign()) && one.session.equals(session))
          .forEach(one -> one.session = id);
    }
  }

  /** Copies that a mail needs to be a campaign now: as many as asked above what counters share. */
  public synchronized int heavyFrom() {
    return copies + noise;
  }

  /**
   * Forgets what is too old. For one thread, every few seconds; takes milliseconds now and then.
   */
  public synchronized void tick(Instant now) {
    long next = slice(now);
    // A clock that was set far forward makes no more turns than forget everything.
    for (long due = Math.min(next - slice, CopySketch.SLICES); due > 0; due--) {
      sketch.turn();
      turns++;
    }
    slice = next;
    noise = sketch.noise();
    tracked.removeIf(mail -> {
      boolean isOld = !mail.forget(turns - CopySketch.SLICES + 1);
      if (isOld) {
        mail.keys.forEach(byKey::remove);
      }
      return isOld;
    });
  }

  private Stream<HeavyMail> campaigns() {
    int from = heavyFrom();
    return tracked.stream().filter(mail -> mail.copies() >= from);
  }

  /** The campaigns with the most copies first. */
  public synchronized List<Campaign> heaviest(int most) {
    return campaigns()
        .map(HeavyMail::view)
        .sorted(
            Comparator.comparingInt(Campaign::copies).reversed().thenComparing(Campaign::campaign))
        .limit(most)
        .toList();
  }

  /** Returns the number of campaigns now. */
  public synchronized int size() {
    return (int) campaigns().count();
  }
}
