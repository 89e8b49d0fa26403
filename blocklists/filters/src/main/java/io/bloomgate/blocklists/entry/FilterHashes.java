package io.bloomgate.blocklists.entry;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * The rule by which hashes the filters of a generation hold an entry, and by which hashes a key is
 * looked for in them. No other class knows it. A host, a name and a mail address are in a filter as
 * themselves. A network is there as its pivot, the network of a fixed length around it; a network
 * wider than all pivots is in no filter, but in the list of wide networks beside it. A name is
 * looked for together with its parents of two or more labels, a web address together with its
 * shorter expressions. No list holds likenesses. Built by the snapshot builder, asked by sessions
 * on any thread; immutable, and makes no object.
 */
public final class FilterHashes {

  /** Bits of the pivot of IPv4 networks from /24 to /31. */
  public static final int V4_PIVOT = 24;

  /** Bits of the pivot of IPv6 networks from /64 to /127. */
  public static final int V6_NARROW_PIVOT = 64;

  /** Bits of the pivot of IPv6 networks from /48 to /63. */
  public static final int V6_WIDE_PIVOT = 48;

  /** A value that replaces a pivot: the network is too wide for one. */
  public static final int NO_PIVOT = -1;

  /** The longest pivot, that of an IPv6 host. */
  public static final int MAX_PIVOT = 128;

  private static final int V4_BITS = 32;
  private static final int V6_BITS = MAX_PIVOT;
  private static final long V4_PIVOT_MASK = -1L << (V4_BITS - V4_PIVOT);
  private static final long V6_WIDE_PIVOT_MASK = -1L << (Long.SIZE - V6_WIDE_PIVOT);

  private final KeyHash hash;

  /** False for what no entry has: it is not asked for. */
  private final boolean v4Hosts;

  private final boolean v4Pivots;
  private final boolean v6Hosts;
  private final boolean v6NarrowPivots;
  private final boolean v6WidePivots;

  /**
   * Makes the rule with the seed of one generation.
   *
   * @param hasPivot true for a pivot, as {@link #pivot} gives it, under which an entry is held
   */
  public FilterHashes(KeyHash hash, IntPredicate hasPivot) {
    this.hash = hash;
    this.v4Hosts = hasPivot.test(V4_BITS);
    this.v4Pivots = hasPivot.test(V4_PIVOT);
    this.v6Hosts = hasPivot.test(V6_BITS);
    this.v6NarrowPivots = hasPivot.test(V6_NARROW_PIVOT);
    this.v6WidePivots = hasPivot.test(V6_WIDE_PIVOT);
  }

  /**
   * The bits of the pivot under which a filter holds a network; of a host all its bits.
   *
   * @return {@link #NO_PIVOT} for a network that is in no filter
   */
  public static int pivot(boolean isV4, int length) {
    if (length == (isV4 ? V4_BITS : V6_BITS)) {
      return length;
    }
    if (isV4) {
      return length >= V4_PIVOT ? V4_PIVOT : NO_PIVOT;
    }
    return length >= V6_NARROW_PIVOT
        ? V6_NARROW_PIVOT
        : length >= V6_WIDE_PIVOT ? V6_WIDE_PIVOT : NO_PIVOT;
  }

  /** True for all the bits of an address: what {@link #pivot} gives for a host. */
  public static boolean isHost(int pivot) {
    return pivot == V4_BITS || pivot == V6_BITS;
  }

  /** Gives every hash under which a key is looked for to the sink. */
  public void asked(ListKey key, LongConsumer sink) {
    switch (key) {
      case IpAddress address -> asked(address, sink);
      case DomainName name -> {
        int from = 0;
        for (int label = name.labels() - 2; label >= 0; label--) {
          sink.accept(hash.suffix(name, from));
          from = name.nextLabel(from);
        }
      }
      case MailAddress address -> sink.accept(hash.address(address));
      case WebUrl url ->
          url.forEachExpression((from, to) -> sink.accept(hash.url(url.octets(), from, to)));
      case Fingerprint value -> sink.accept(hash.octets(value.octets()));
      case AsNumber value -> sink.accept(hash.octets(value.octets()));
      case Likeness _ -> {}
    }
  }

  private void asked(IpAddress address, LongConsumer sink) {
    long high = address.high();
    long low = address.low();
    if (address.isV4() ? v4Hosts : v6Hosts) {
      sink.accept(hash.ip(high, low));
    }
    if (address.isV4()) {
      if (v4Pivots) {
        sink.accept(hash.pivot(0, low & V4_PIVOT_MASK, V4_PIVOT));
      }
      return;
    }
    if (v6NarrowPivots) {
      sink.accept(hash.pivot(high, 0, V6_NARROW_PIVOT));
    }
    if (v6WidePivots) {
      sink.accept(hash.pivot(high & V6_WIDE_PIVOT_MASK, 0, V6_WIDE_PIVOT));
    }
  }
}
