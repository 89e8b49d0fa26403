package io.bloomgate.blocklists.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The mails with the most copies, at most {@link #MOST} of them (Space-Saving, Metwally 2005: the
 * one with the fewest copies makes room for another with as many). Only mails that have many copies
 * by the sketch come here, so other sessions never wait; those that come hold the lock for about
 * one microsecond.
 */
final class HeavyMails {

  /** About 1.2 kB each with its keys. */
  static final int MOST = 4_096;

  /**
   * Bands that make two heavy mails one. Fewer than must agree for a first one, as the first copies
   * know only a part of the bands that most copies have.
   */
  private static final int COMMON_BANDS = 2;

  /** What the sketch says of a mail. Used by one thread. */
  static final class Counts {
    private final int[] ofKey;
    private final int copies;
    private final int frequentFrom;
    private final int heavyFrom;

    /**
     * The counts of a mail.
     *
     * @param ofKey of each key
     * @param copies on which the keys agree
     * @param frequentFrom count from which on a key is remembered
     * @param heavyFrom copies from which on a mail has many
     */
    Counts(int[] ofKey, int copies, int frequentFrom, int heavyFrom) {
      this.ofKey = ofKey;
      this.copies = copies;
      this.frequentFrom = frequentFrom;
      this.heavyFrom = heavyFrom;
    }

    private int highest() {
      int highest = 0;
      for (int i = 1; i < ofKey.length; i++) {
        highest = ofKey[i] > ofKey[highest] ? i : highest;
      }
      return highest;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, HeavyMail> byKey = new HashMap<>();
  private final List<HeavyMail> mails = new ArrayList<>();

  /** Counts a copy of a mail that has many, or that has fewer and resembles such a mail. */
  Bulk count(CopyKeys keys, Counts counts, SentHashes hashes, Instant now, String session) {
    lock.lock();
    try {
      HeavyMail mail = find(keys);
      if (mail == null) {
        mail = counts.copies >= counts.heavyFrom ? begin(keys, counts, now, session) : null;
        if (mail == null) {
          return Bulk.NONE;
        }
      }
      bind(mail, keys, counts);
      mail.count(hashes, now, session);
      return new Bulk(mail.id(), mail.copies(), mail.networks());
    } finally {
      lock.unlock();
    }
  }

  /** The first copy's session was recorded under another id. */
  void recorded(String campaign, String session, String id) {
    lock.lock();
    try {
      for (HeavyMail mail : mails) {
        if (mail.id().equals(campaign)) {
          mail.recorded(session, id);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** What is known of a mail, without counting it. */
  Bulk known(CopyKeys keys) {
    lock.lock();
    try {
      HeavyMail mail = find(keys);
      return mail == null ? Bulk.NONE : new Bulk(mail.id(), mail.copies(), mail.networks());
    } finally {
      lock.unlock();
    }
  }

  /** The one with which a mail has the most keys in common. */
  private @Nullable HeavyMail find(CopyKeys keys) {
    long[] all = keys.keys();
    HeavyMail best = null;
    int most = COMMON_BANDS - 1;
    for (int i = 0; i < all.length; i++) {
      HeavyMail mail = byKey.get(all[i]);
      if (mail != null && mail != best) {
        int common = common(mail, all, i);
        if (common > most) {
          best = mail;
          most = common;
        }
      }
    }
    return best;
  }

  private int common(HeavyMail mail, long[] all, int from) {
    int common = 0;
    for (int i = from; i < all.length; i++) {
      common += byKey.get(all[i]) == mail ? 1 : 0;
    }
    return common;
  }

  private @Nullable HeavyMail begin(CopyKeys keys, Counts counts, Instant now, String session) {
    if (mails.size() == MOST) {
      HeavyMail fewest = fewest();
      if (fewest.copies() > counts.copies) {
        return null;
      }
      remove(fewest);
      mails.remove(fewest);
    }
    HeavyMail mail = new HeavyMail(keys.keys()[counts.highest()], counts.copies, now, session);
    mails.add(mail);
    return mail;
  }

  private HeavyMail fewest() {
    HeavyMail fewest = mails.getFirst();
    for (HeavyMail mail : mails) {
      fewest = mail.copies() < fewest.copies() ? mail : fewest;
    }
    return fewest;
  }

  private void bind(HeavyMail mail, CopyKeys keys, Counts counts) {
    long[] all = keys.keys();
    for (int i = 0; i < all.length; i++) {
      if (counts.ofKey[i] >= counts.frequentFrom
          && !byKey.containsKey(all[i])
          && mail.bind(all[i])) {
        byKey.put(all[i], mail);
      }
    }
  }

  private void remove(HeavyMail mail) {
    for (int i = 0; i < mail.bound(); i++) {
      byKey.remove(mail.key(i));
    }
  }

  /** Another half of the window begins; forgets mails of which no copy came in the last one. */
  void turn() {
    lock.lock();
    try {
      mails.removeIf(mail -> {
        boolean stays = mail.turn();
        if (!stays) {
          remove(mail);
        }
        return !stays;
      });
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return mails.size();
    } finally {
      lock.unlock();
    }
  }

  /** Those with the most copies first. */
  List<Campaign> heaviest(int most) {
    List<Campaign> all;
    lock.lock();
    try {
      all = mails.stream().map(HeavyMail::view).toList();
    } finally {
      lock.unlock();
    }
    return all.stream()
        .sorted(Comparator.comparingInt(Campaign::copies).reversed().thenComparing(Campaign::id))
        .limit(most)
        .toList();
  }
}
