package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.guard.SubjectIndex.Way;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Networks in order of their first address, the wider one first, each with the one around it.
 * Networks nest or are apart, so the networks that overlap an entry are one run, or are around its
 * start. Immutable.
 */
final class NetworkTable {

  private static final int NONE = -1;

  private final IpPrefix[] networks;
  private final int[] subjects;

  /** The nearest network before that holds this one. */
  private final int[] around;

  NetworkTable(List<Way<IpPrefix>> ways) {
    List<Way<IpPrefix>> sorted =
        ways.stream()
            .sorted(
                Comparator.comparing((Way<IpPrefix> w) -> w.key().network())
                    .thenComparingInt(w -> w.key().length())
                    .thenComparingInt(Way::subject))
            .toList();
    networks = sorted.stream().map(Way::key).toArray(IpPrefix[]::new);
    subjects = sorted.stream().mapToInt(Way::subject).toArray();
    around = new int[networks.length];
    for (int i = 0; i < networks.length; i++) {
      int outer = i - 1;
      while (outer != NONE && !holds(networks[outer], networks[i])) {
        outer = around[outer];
      }
      around[i] = outer;
    }
  }

  /** True when the inner network lies in the outer one, or is it. */
  static boolean holds(IpPrefix outer, IpPrefix inner) {
    return outer.isV4() == inner.isV4()
        && outer.length() <= inner.length()
        && outer.contains(inner.network());
  }

  int size() {
    return networks.length;
  }

  int subject(int index) {
    return subjects[index];
  }

  IpPrefix network(int index) {
    return networks[index];
  }

  /** Index of the first network that does not begin before this address. */
  int from(IpAddress address) {
    int low = 0;
    int high = networks.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (networks[middle].network().compareTo(address) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Gives the index of every network that shares an address with this one. */
  void overlapping(IpPrefix entry, IntConsumer indexes) {
    int first = from(entry.network());
    for (int outer = first - 1; outer != NONE; outer = around[outer]) {
      if (holds(networks[outer], entry)) {
        indexes.accept(outer);
      }
    }
    IpAddress last = entry.last();
    for (int i = first; i < networks.length && networks[i].network().compareTo(last) <= 0; i++) {
      indexes.accept(i);
    }
  }
}
