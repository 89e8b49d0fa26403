package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The keys that lists are asked about a set of sessions, so that of a long list only the few
 * entries are picked that could answer. It picks a few too many, never too few: the decision is
 * exact. Keys of a kind are collected when the first entry of that kind comes, because most lists
 * have one kind. Part of {@link AcceptedMail}; on the thread of the refresh.
 */
final class MailKeys {

  private final List<PastSession> sessions;

  /** IPv4 addresses as unsigned numbers, in order; the same may come several times. */
  private long @Nullable [] ipv4;

  /** Upper halves of IPv6 addresses, in unsigned order with the sign bit turned. */
  private long @Nullable [] ipv6;

  /** Names and their parents. */
  private @Nullable Set<DomainName> names;

  private @Nullable Set<MailAddress> addresses;

  MailKeys(List<PastSession> sessions) {
    this.sessions = sessions;
  }

  /** All keys of the sessions of one kind. */
  private <K extends ListKey> void each(Class<K> kind, Consumer<K> taker) {
    Consumer<@Nullable ListKey> ofKind =
        key -> {
          if (kind.isInstance(key)) {
            taker.accept(kind.cast(key));
          }
        };
    for (PastSession session : sessions) {
      Facts facts = session.facts();
      ofKind.accept(facts.client());
      ofKind.accept(facts.helo());
      ofKind.accept(facts.seen().name().key());
      ofKind.accept(facts.senderDomain());
      facts.sender().forEach(ofKind);
    }
  }

  private Set<DomainName> names() {
    Set<DomainName> all = new HashSet<>();
    each(
        DomainName.class,
        name -> {
          if (all.add(name)) {
            for (int label = 1; label <= name.labels() - 2; label++) {
              all.add(name.from(label));
            }
          }
        });
    return all;
  }

  private Set<MailAddress> addresses() {
    Set<MailAddress> all = new HashSet<>();
    each(MailAddress.class, all::add);
    return all;
  }

  private long[] numbers(boolean isV4) {
    LongStream.Builder numbers = LongStream.builder();
    each(
        IpAddress.class,
        host -> {
          if (host.isV4() == isV4) {
            numbers.add(number(host));
          }
        });
    return numbers.build().sorted().toArray();
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
      case ListEntry.Domain domain -> {
        names = names == null ? names() : names;
        yield names.contains(domain.name());
      }
      case ListEntry.Address address -> {
        addresses = addresses == null ? addresses() : addresses;
        yield addresses.contains(address.address());
      }
      // What mails carried is not kept.
      case ListEntry.Url _, ListEntry.Hash _ -> false;
    };
  }

  private boolean isInside(IpPrefix network) {
    long[] hosts;
    if (network.isV4()) {
      hosts = ipv4 == null ? numbers(true) : ipv4;
      ipv4 = hosts;
    } else {
      hosts = ipv6 == null ? numbers(false) : ipv6;
      ipv6 = hosts;
    }
    int found = Arrays.binarySearch(hosts, number(network.network()));
    int at = found < 0 ? -found - 1 : found;
    return at < hosts.length && hosts[at] <= number(network.last());
  }
}
