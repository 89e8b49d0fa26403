package io.bloomgate.catches;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.catches.Copies.Copy;
import io.bloomgate.catches.Copies.Kind;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Networks and names of senders whose mail everybody wants. Every name is asked about; of the
 * addresses only those that some list names, because an address that no list names is accepted
 * without a question. Immutable.
 */
final class GoodSenders {

  /** A client that no list names. */
  private static final IpAddress CLEAN = IpAddress.ofV4(0xc0000201);

  /** Addresses of one listed network that lie in good networks; more are not counted. */
  private static final int MOST_OF_A_NETWORK = 1 << 16;

  /** IPv4 only: the first and the last address of each, in order and without overlaps. */
  private final NavigableMap<Long, Long> ranges = new TreeMap<>();

  /** IPv6. */
  private final List<IpPrefix> wide = new ArrayList<>();

  private final Set<DomainName> names = new LinkedHashSet<>();

  GoodSenders(Copies copies) throws IOException {
    List<IpPrefix> networks = new ArrayList<>();
    for (Copy copy : copies.of(Kind.GOOD_NETWORKS)) {
      copy.readAll(entry -> {
        if (entry instanceof ListEntry.Network network) {
          (network.prefix().isV4() ? networks : wide).add(network.prefix());
        }
      });
    }
    networks.sort(Comparator.comparingLong(GoodSenders::first));
    for (IpPrefix network : networks) {
      Map.Entry<Long, Long> before = ranges.lastEntry();
      if (before != null && before.getValue() >= first(network)) {
        ranges.put(before.getKey(), Math.max(before.getValue(), last(network)));
      } else {
        ranges.put(first(network), last(network));
      }
    }
    for (Copy copy : copies.of(Kind.GOOD_NAMES)) {
      copy.readAll(entry -> {
        if (entry instanceof ListEntry.Domain domain) {
          names.add(domain.name());
        }
      });
    }
  }

  private static long first(IpPrefix network) {
    return Integer.toUnsignedLong(network.network().v4Bits());
  }

  private static long last(IpPrefix network) {
    return Integer.toUnsignedLong(network.last().v4Bits());
  }

  /** How many IPv4 addresses lie in the networks. */
  long addresses() {
    return ranges.entrySet().stream().mapToLong(r -> r.getValue() - r.getKey() + 1).sum();
  }

  /** Sessions of the good addresses that one of these lists names. */
  List<Facts> listedClients(Collection<Copy> lists) throws IOException {
    Set<IpAddress> clients = new LinkedHashSet<>();
    for (Copy copy : lists) {
      copy.readAll(entry -> {
        if (entry instanceof ListEntry.Network network) {
          collect(network.prefix(), clients);
        }
      });
    }
    return clients.stream().map(Facts::ofClient).toList();
  }

  /** The addresses that a listed network shares with good ones; of IPv6 the first one. */
  private void collect(IpPrefix listed, Set<IpAddress> clients) {
    if (!listed.isV4()) {
      wide.stream()
          .filter(listed::overlaps)
          .forEach(
              good -> clients.add((good.length() > listed.length() ? good : listed).network()));
      return;
    }
    Map.Entry<Long, Long> range = ranges.floorEntry(last(listed));
    while (range != null && range.getValue() >= first(listed)) {
      long from = Math.max(range.getKey(), first(listed));
      long to = Math.min(Math.min(range.getValue(), last(listed)), from + MOST_OF_A_NETWORK);
      for (long address = from; address <= to; address++) {
        clients.add(IpAddress.ofV4((int) address));
      }
      range = ranges.lowerEntry(range.getKey());
    }
  }

  /** A session for each good name, which says it in HELO and as its sender's domain. */
  List<Facts> senders() {
    List<Facts> sessions = new ArrayList<>();
    for (DomainName name : names) {
      MailAddress sender = MailAddress.parse("news@" + name).toOptional().orElseThrow();
      sessions.add(Facts.ofClient(CLEAN).withHelo(name).withSender(sender));
    }
    return sessions;
  }
}
