package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.guard.EntryNumbers.Kind;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.EnumMap;
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

  private final EntryGuard guard;
  private final EntryLimit limit;

  /** The entries of each kind that list something and would go live. */
  final Map<Kind, EntryNumberSet> live = new EnumMap<>(Kind.class);

  /** The same of those that are held back. */
  final Map<Kind, EntryNumberSet> heldBack = new EnumMap<>(Kind.class);

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
   * @param exceptions of the version: collected while they are open, and known once they are closed
   */
  DigestCollector(EntryGuard guard, EntryLimit limit, Exceptions exceptions) {
    this.guard = guard;
    this.limit = limit;
    this.exceptions = exceptions;
    this.sharedHosts = new EntryNumberSet(limit);
  }

  @Override
  public void entry(ListEntry entry) {
    if (entry.exception()) {
      exceptions.add(entry);
      return;
    }
    Optional<String> holds = guard.holds(entry);
    holds.or(() -> guard.noteOf(entry)).ifPresent(why -> note(why, entry::text, entry.line()));
    if (exceptions.voids(entry)) {
      return;
    }
    if (holds.isEmpty() && entry instanceof ListEntry.Network network) {
      countIpv6(network.prefix());
    } else if (holds.filter(EntryGuard.SHARED_HOST::equals).isPresent()
        && entry instanceof ListEntry.Domain) {
      sharedHosts.add(EntryNumbers.of(entry));
    }
    add(Kind.of(entry), EntryNumbers.of(entry), holds);
  }

  @Override
  public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    Optional<String> holds = guard.holdsAny(networks);
    holds.ifPresent(why -> note(why, () -> first + "-" + last, networks.getFirst().line()));
    if (exceptions.voids(first, last)) {
      return;
    }
    if (holds.isEmpty()) {
      networks.forEach(network -> countIpv6(network.prefix()));
    }
    long number = EntryNumbers.of(first, last);
    add(Kind.of(first), number, holds);
    if (number != lastRange) {
      // A build gets all of them.
      limit.keep(networks.size() - 1L);
      lastRange = number;
    }
  }

  private void add(Kind kind, long number, Optional<String> holds) {
    Map<Kind, EntryNumberSet> into = holds.isEmpty() ? live : heldBack;
    EntryNumberSet numbers = into.get(kind);
    if (numbers == null) {
      numbers = new EntryNumberSet(limit);
      into.put(kind, numbers);
    }
    numbers.add(number);
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
    live.values().forEach(EntryNumberSet::settle);
    heldBack.values().forEach(EntryNumberSet::settle);
    sharedHosts.settle();
    exceptions.settle();
  }
}
