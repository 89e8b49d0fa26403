package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What lists are asked about a set of sessions, so that of a long list only the few entries are
 * picked that could answer. It picks a few too many, never too few: the decision is exact. Part of
 * {@link AcceptedMail}; immutable.
 */
final class MailKeys {

  /** IPv4 addresses as unsigned numbers, in order. */
  private final long[] ipv4;

  /** Upper halves of IPv6 addresses, in unsigned order with the sign bit turned. */
  private final long[] ipv6;

  /** Names and their parents. */
  private final Set<DomainName> names = new HashSet<>();

  private final Set<MailAddress> addresses = new HashSet<>();

  MailKeys(Collection<PastSession> sessions) {
    List<IpAddress> hosts = new ArrayList<>();
    for (PastSession session : sessions) {
      Facts facts = session.facts();
      hosts.add(facts.client());
      add(facts.helo(), hosts);
      add(facts.seen().name().key(), hosts);
      add(facts.senderDomain(), hosts);
      facts.sender().forEach(form -> add(form, hosts));
    }
    this.ipv4 = numbers(hosts, true);
    this.ipv6 = numbers(hosts, false);
  }

  private void add(@Nullable ListKey key, List<IpAddress> hosts) {
    switch (key) {
      case null -> {}
      case IpAddress address -> hosts.add(address);
      case DomainName name -> add(name);
      case MailAddress address -> addresses.add(address);
    }
  }

  private void add(DomainName name) {
    if (names.add(name)) {
      for (int label = 1; label <= name.labels() - 2; label++) {
        names.add(name.from(label));
      }
    }
  }

  private static long[] numbers(List<IpAddress> hosts, boolean isV4) {
    long[] numbers =
        hosts.stream()
            .filter(host -> host.isV4() == isV4)
            .mapToLong(MailKeys::number)
            .distinct()
            .toArray();
    Arrays.sort(numbers);
    return numbers;
  }

  private static long number(IpAddress address) {
    return address.isV4()
        ? Integer.toUnsignedLong(address.v4Bits())
        : address.high() ^ Long.MIN_VALUE;
  }

  /** True when the entry, or exception, may concern one of the sessions. */
  boolean mayConcern(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network network -> isInside(network.prefix());
      case ListEntry.Domain domain -> names.contains(domain.name());
      case ListEntry.Address address -> addresses.contains(address.address());
    };
  }

  private boolean isInside(IpPrefix network) {
    long[] hosts = network.isV4() ? ipv4 : ipv6;
    int found = Arrays.binarySearch(hosts, number(network.network()));
    int at = found < 0 ? -found - 1 : found;
    return at < hosts.length && hosts[at] <= number(network.last());
  }
}
