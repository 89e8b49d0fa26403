package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Collects the entries of one version as numbers. Made by {@link DigestedVersion} for one version;
 * used on the thread that parses.
 */
final class DigestCollector implements FeedSink {

  /** The entries of one kind. */
  static final class Kind {
    final EntryNumberSet read;
    final EntryNumberSet held;

    /** The entries that an exception leaves without effect, found when the list is read again. */
    final EntryNumberSet voided;

    private Kind(EntryLimit limit) {
      this.read = new EntryNumberSet(limit);
      this.held = new EntryNumberSet(limit);
      this.voided = new EntryNumberSet(limit);
    }

    private void settle() {
      read.settle();
      held.settle();
      voided.settle();
    }
  }

  private final EntryGuard guard;
  private final EntryLimit limit;
  final Kind ipv4;
  final Kind ipv6;
  final Kind domains;
  final Kind addresses;
  final Kind urls;
  final Kind fingerprints;
  final EntryNumberSet ipv6Parts;
  final Exceptions exceptions;
  final Map<String, Long> held = new LinkedHashMap<>();
  final List<HeldEntry> heldSamples = new ArrayList<>();

  /** Hosts of URLs that count by their URLs only. */
  final EntryNumberSet sharedHosts;

  double ipv6Networks;
  private long lastRange;

  /**
   * @param guard says which entries would be held back
   * @param limit ends the reading
   */
  DigestCollector(EntryGuard guard, EntryLimit limit) {
    this.guard = guard;
    this.limit = limit;
    this.ipv4 = new Kind(limit);
    this.ipv6 = new Kind(limit);
    this.domains = new Kind(limit);
    this.addresses = new Kind(limit);
    this.urls = new Kind(limit);
    this.fingerprints = new Kind(limit);
    this.sharedHosts = new EntryNumberSet(limit);
    this.ipv6Parts = new EntryNumberSet(limit);
    this.exceptions = new Exceptions(limit);
  }

  @Override
  public void entry(ListEntry entry) {
    if (entry.exception()) {
      exceptions.add(entry);
      return;
    }
    Optional<String> holds = guard.holds(entry);
    if (holds.isPresent()) {
      note(holds.get(), entry::text, entry.line());
      if (holds.get().equals(EntryGuard.SHARED_HOST) && entry instanceof ListEntry.Domain) {
        sharedHosts.add(EntryNumbers.of(entry));
      }
    }
    switch (entry) {
      case ListEntry.Network(IpPrefix prefix, var exception, var line) -> {
        if (holds.isEmpty()) {
          countIpv6(prefix);
        }
        add(kind(prefix.network()), number(prefix), holds);
      }
      case ListEntry.Domain(DomainName name, NameMatch match, var exception, var line) ->
          add(domains, EntryNumbers.of(name, match), holds);
      case ListEntry.Address _, ListEntry.Url _, ListEntry.Hash _ ->
          add(kind(entry), EntryNumbers.of(entry), holds);
    }
  }

  @Override
  public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    Optional<String> holds = guard.holdsAny(networks);
    if (holds.isPresent()) {
      note(holds.get(), () -> first + "-" + last, networks.getFirst().line());
    } else {
      networks.forEach(network -> countIpv6(network.prefix()));
    }
    long number = EntryNumbers.of(first, last);
    add(kind(first), number, holds);
    if (!first.isV4()) {
      networks.forEach(network -> ipv6Parts.add(number(network.prefix())));
    } else if (number != lastRange) {
      // A build and a search for new entries get all of them.
      limit.keep(networks.size() - 1L);
      lastRange = number;
    }
  }

  private Kind kind(IpAddress address) {
    return address.isV4() ? ipv4 : ipv6;
  }

  private Kind kind(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network network -> kind(network.prefix().network());
      case ListEntry.Domain _ -> domains;
      case ListEntry.Address _ -> addresses;
      case ListEntry.Url _ -> urls;
      case ListEntry.Hash _ -> fingerprints;
    };
  }

  private static long number(IpPrefix network) {
    return EntryNumbers.of(network.network(), network.last());
  }

  private static void add(Kind kind, long number, Optional<String> holds) {
    kind.read.add(number);
    if (holds.isPresent()) {
      kind.held.add(number);
    }
  }

  private void note(String reason, Supplier<String> entry, int line) {
    if (held.merge(reason, 1L, Long::sum) <= FeedLimits.SHOWN_HELD) {
      heldSamples.add(new HeldEntry(entry.get(), line, reason));
    }
  }

  private void countIpv6(IpPrefix network) {
    if (!network.isV4()) {
      ipv6Networks += Math.scalb(1.0, Math.max(0, Long.SIZE - network.length()));
    }
  }

  @Override
  public void problem(ParseProblem problem) {}

  @Override
  public void end() {
    List.of(ipv4, ipv6, domains, addresses, urls, fingerprints).forEach(Kind::settle);
    sharedHosts.settle();
    ipv6Parts.settle();
    exceptions.settle();
  }

  /** Takes the same version again, to find the entries that its exceptions leave without effect. */
  FeedSink secondReading() {
    return new Voided();
  }

  private final class Voided implements FeedSink {
    @Override
    public void entry(ListEntry entry) {
      if (entry.exception()) {
        return;
      }
      switch (entry) {
        case ListEntry.Network(IpPrefix prefix, var exception, var line) ->
            span(prefix.network(), prefix.last());
        case ListEntry.Domain(DomainName name, NameMatch match, var exception, var line) -> {
          if (exceptions.voids(entry)) {
            domains.voided.add(EntryNumbers.of(name, match));
          }
        }
        case ListEntry.Address _, ListEntry.Url _, ListEntry.Hash _ -> {
          if (exceptions.voids(entry)) {
            kind(entry).voided.add(EntryNumbers.of(entry));
          }
        }
      }
    }

    @Override
    public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
      span(first, last);
    }

    private void span(IpAddress first, IpAddress last) {
      if (!first.isV4() && exceptions.voids(first, last)) {
        ipv6.voided.add(EntryNumbers.of(first, last));
      }
    }

    @Override
    public void problem(ParseProblem problem) {}

    @Override
    public void end() {
      DigestCollector.this.end();
    }
  }
}
