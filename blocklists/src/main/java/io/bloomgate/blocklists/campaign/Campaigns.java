package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.hashing.Hasher64;
import io.bloomgate.blocklists.entry.KeyHash;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts copies of mails within a window, and of those with many copies the networks, senders and
 * recipients. Sessions call {@link #seen} once a mail on their threads, a slow chore calls {@link
 * #tick}; nothing else has a clock. Thread-safe; what threads at the same time cost is written at
 * {@link CopySketch} and {@link HeavyMails}.
 *
 * <p>Memory is fixed by the mails that are expected: {@link CopySketch} takes about 13.5 octets
 * each and at least 18 kB, and mails with many copies take at most 5 MB together. When more mails
 * come than expected, counters are shared by more of them: then {@link #heavyFrom} rises, so that
 * campaigns are found later, but single mails are not taken for copies. Nothing is stored; a
 * restart begins with nothing.
 */
public final class Campaigns {

  /** Copies from which on a mail is a campaign, when counters are not crowded. */
  public static final int HEAVY = 50;

  /**
   * Copies from which on other nodes count with this one, when counters are not crowded: so single
   * mails, which are most, do not travel. What a campaign has on each node below that is not seen
   * by the others.
   */
  public static final int SHARED = 3;

  /** The most mails in a window that may be expected: 135 MB. */
  public static final int MOST_MAILS = 10_000_000;

  private final CopySketch sketch;
  private final HeavyMails heavy = new HeavyMails();
  private final Hasher64 hash;
  private final KeyHash names;
  private final long sliceSeconds;

  /** The slice that is counted in, in slices since 1970; of the chore. */
  private long slice;

  /** How many slices have begun; of the chore. */
  private long turns;

  private volatile @Nullable Sharing sharing;

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
   * @param window at least a minute; counts cover five sixths of it and more
   * @param seed of this gateway, secret: who knows it can write mails that seem to be copies
   */
  public Campaigns(int mails, Duration window, long seed, Instant now) {
    this.hash = CopyKeys.hash(Seeds.of(seed, 1));
    this.names = new KeyHash(Seeds.of(seed, 2), Seeds.of(seed, 3));
    long expected = Math.clamp(mails, 0, MOST_MAILS);
    this.sketch = new CopySketch(expected * CopyKeys.KEYS_A_MAIL, Seeds.of(seed, 4));
    this.sliceSeconds = Math.max(1, window.toSeconds() / CopySketch.SLICES);
    this.slice = slice(now);
  }

  /** From now on other nodes count what is counted here; all of them have the same seed. */
  public void shareBy(Sharing by) {
    sharing = by;
  }

  private long slice(Instant now) {
    return Math.floorDiv(now.getEpochSecond(), sliceSeconds);
  }

  /** Counts a mail, and says of how many it is a copy. */
  public Bulk seen(MailPrint print, PassingMail mail, Instant now) {
    if (print.isEmpty()) {
      return Bulk.NONE;
    }
    CopyKeys keys = CopyKeys.of(print, hash);
    int[] counts = sketch.add(keys.keys());
    int copies = keys.agreed(counts);
    Sharing by = sharing;
    if (copies < (by == null ? frequentFrom() : SHARED + sketch.noise())) {
      return Bulk.NONE;
    }
    SentHashes hashes = new SentHashes(mail, names);
    if (by != null) {
      share(keys, hashes, by);
    }
    return count(keys, counts, hashes, now, mail.session());
  }

  private Bulk count(CopyKeys keys, int[] counts, SentHashes hashes, Instant now, String session) {
    int copies = keys.agreed(counts);
    int from = heavyFrom();
    int frequent = frequentFrom();
    return copies < frequent
        ? Bulk.NONE
        : heavy.count(
            keys, new HeavyMails.Counts(counts, copies, frequent, from), hashes, now, session);
  }

  private static void share(CopyKeys keys, SentHashes hashes, Sharing by) {
    long[] all = by.likenesses() ? keys.keys() : keys.exact();
    if (all.length > 0) {
      by.counts().accept(hashes.with(all, by.likenesses() ? keys.bands() : 0));
    }
  }

  /**
   * Counts a copy that passed at another node, as if it had passed here.
   *
   * @param at when it passed; one that is older than the window is not counted
   */
  public void merge(SharedCopy copy, Instant at, Instant now) {
    if (slice(now) - slice(at) < CopySketch.SLICES) {
      CopyKeys keys = CopyKeys.of(copy);
      count(keys, sketch.add(keys.keys()), new SentHashes(copy), now, "");
    }
  }

  /**
   * Says under which id a mail that was counted is found: a refusal has another id.
   *
   * @param mail as {@link #seen} answered
   * @param session as the mail was counted with
   * @param id under which it was recorded; empty when its network was refused too often for one
   */
  public void recorded(Bulk mail, String session, String id) {
    if (mail.isCampaign() && !id.isEmpty()) {
      heavy.recorded(mail.campaign(), session, id);
    }
  }

  /** The same without counting the mail, for {@code explain}. */
  public Bulk known(MailPrint print) {
    return print.isEmpty() ? Bulk.NONE : heavy.known(CopyKeys.of(print, hash));
  }

  /** Copies that a mail needs to be a campaign now: {@link #HEAVY} above what counters share. */
  public int heavyFrom() {
    return HEAVY + sketch.noise();
  }

  private int frequentFrom() {
    return heavyFrom() - HEAVY / 2;
  }

  /**
   * Forgets what is too old. For one thread, every few seconds; takes milliseconds now and then.
   */
  public void tick(Instant now) {
    long next = slice(now);
    // A clock that was set far forward makes no more turns than forget everything.
    long due = Math.min(next - slice, CopySketch.SLICES);
    for (long i = 0; i < due; i++) {
      sketch.turn();
      turns++;
      if (turns % (CopySketch.SLICES / 2) == 0) {
        heavy.turn();
      }
    }
    slice = next;
    sketch.measureNoise();
  }

  /** The campaigns with the most copies first. */
  public List<Campaign> heaviest(int most) {
    return heavy.heaviest(most);
  }

  /** How many campaigns there are now. */
  public int size() {
    return heavy.size();
  }

  /** Octets of the counters; fixed. */
  public int sketchOctets() {
    return sketch.octets();
  }
}
