package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.distinctcount.UltraLogLog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One mail with many copies, as {@link Campaigns} counts it under its lock, slice by slice. */
final class HeavyMail {

  /** 64 registers of one octet each: a standard error of 10 % (Ertl, UltraLogLog, 2023). */
  private static final int PRECISION = 6;

  /** Networks that are counted exactly: of 64 registers, 3 networks share one in 5 % of mails. */
  private static final int MAX_EXACT_NETWORKS = 32;

  /** The keys that lead here. */
  final List<Long> keys = new ArrayList<>();

  /** 8 hexadecimal digits of one of its keys. */
  final String id;

  /** Id of the first copy here that was one of many; empty while all came to other nodes. */
  String session = "";

  private final Instant first;
  private final Map<Long, Slice> slices = new HashMap<>();

  /** The newest slice of each of the first networks. */
  private final Map<Long, Long> networks = new HashMap<>();

  /** More networks came than are counted exactly. */
  private boolean crowded;

  private Instant last;
  private int copies;

  private static final class Slice {
    private int copies;
    private final UltraLogLog networks = UltraLogLog.create(PRECISION);
    private final UltraLogLog senders = UltraLogLog.create(PRECISION);
    private final UltraLogLog recipients = UltraLogLog.create(PRECISION);
  }

  /**
   * A mail that had some copies before it was known as one.
   *
   * @param key of this mail and of no other one
   */
  HeavyMail(long key, int copies, long slice, Instant now) {
    this.id = HexFormat.of().toHexDigits((int) (key >>> Integer.SIZE));
    this.first = now;
    this.last = now;
    this.copies = copies;
    slice(slice).copies = copies;
  }

  private Slice slice(long number) {
    return slices.computeIfAbsent(number, n -> new Slice());
  }

  /** Counts one more copy. */
  void count(SharedCopy copy, long slice, Instant at) {
    last = at;
    Slice now = slice(slice);
    now.copies++;
    copies++;
    now.networks.add(copy.network);
    if (networks.size() < MAX_EXACT_NETWORKS || networks.containsKey(copy.network)) {
      networks.put(copy.network, slice);
    } else {
      crowded = true;
    }
    now.senders.add(copy.sender);
    for (long recipient : copy.recipients) {
      now.recipients.add(recipient);
    }
  }

  /** Forgets the slices before this one; false when none is left. */
  boolean forget(long oldest) {
    slices.keySet().removeIf(number -> number < oldest);
    networks.values().removeIf(number -> number < oldest);
    copies = slices.values().stream().mapToInt(slice -> slice.copies).sum();
    return !slices.isEmpty();
  }

  int copies() {
    return copies;
  }

  private int distinct(Function<Slice, UltraLogLog> of) {
    UltraLogLog all = UltraLogLog.create(PRECISION);
    slices.values().forEach(slice -> all.add(of.apply(slice)));
    return (int) Math.round(all.getDistinctCountEstimate());
  }

  Bulk bulk() {
    int exact = networks.size();
    return new Bulk(
        id, copies, crowded ? Math.max(exact, distinct(slice -> slice.networks)) : exact);
  }

  Campaign view() {
    Bulk bulk = bulk();
    int senders = distinct(slice -> slice.senders);
    int recipients = distinct(slice -> slice.recipients);
    return new Campaign(
        id, bulk.copies(), bulk.networks(), senders, recipients, first, last, session);
  }
}
