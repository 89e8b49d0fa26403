package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of one mail with many copies: of this half of the window and the one before it.
 * Used under the lock of {@link HeavyMails}.
 */
final class HeavyMail {

  /** Keys that lead to one of these. */
  static final int MOST_KEYS = 32;

  /** 64 registers of one octet each: a standard error of 10 % (Ertl, UltraLogLog, 2023). */
  private static final int PRECISION = 6;

  private final String id;
  private final Instant first;
  private String session;
  private final long[] keys = new long[MOST_KEYS];
  private int bound;
  private Instant last;
  private Half now = new Half();
  private @Nullable Half before;

  /** Half a window. */
  private static final class Half {
    private int copies;
    private final UltraLogLog networks = UltraLogLog.create(PRECISION);
    private final UltraLogLog senders = UltraLogLog.create(PRECISION);
    private final UltraLogLog recipients = UltraLogLog.create(PRECISION);
  }

  /** A mail that has had {@code copies} so far. */
  HeavyMail(long key, int copies, Instant first, String session) {
    this.id = HexFormat.of().toHexDigits((int) (key >>> Integer.SIZE));
    this.first = first;
    this.last = first;
    this.session = session;
    this.now.copies = copies - 1;
  }

  String id() {
    return id;
  }

  /** The session of the first copy has another id, if it was this one. */
  void recorded(String counted, String other) {
    session = session.equals(counted) ? other : session;
  }

  /** Remembers a key that leads here; false when there is no room for it. */
  boolean bind(long key) {
    if (bound == MOST_KEYS) {
      return false;
    }
    keys[bound++] = key;
    return true;
  }

  /** How many keys lead here. */
  int bound() {
    return bound;
  }

  long key(int index) {
    return keys[index];
  }

  /**
   * Counts one more copy.
   *
   * @param by its session; empty for one of another node
   */
  void count(SentHashes hashes, Instant at, String by) {
    session = session.isEmpty() ? by : session;
    now.copies += now.copies == Integer.MAX_VALUE ? 0 : 1;
    hashes.addTo(now.networks, now.senders, now.recipients);
    last = at;
  }

  /**
   * Another half begins.
   *
   * @return false when no copy came within the whole window
   */
  boolean turn() {
    boolean cameLately = now.copies > 0;
    before = now.copies > 0 ? now : null;
    now = new Half();
    return cameLately;
  }

  int copies() {
    return (int) Math.min(Integer.MAX_VALUE, now.copies + (before == null ? 0L : before.copies));
  }

  int networks() {
    return distinct(now.networks, before == null ? null : before.networks);
  }

  Campaign view() {
    return new Campaign(
        id,
        copies(),
        networks(),
        distinct(now.senders, before == null ? null : before.senders),
        distinct(now.recipients, before == null ? null : before.recipients),
        first,
        last,
        session);
  }

  private static int distinct(UltraLogLog now, @Nullable UltraLogLog before) {
    UltraLogLog all = before == null ? now : UltraLogLog.merge(now, before);
    return (int) Math.round(all.getDistinctCountEstimate());
  }
}
