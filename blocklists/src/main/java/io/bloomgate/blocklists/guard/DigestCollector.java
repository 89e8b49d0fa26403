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

  /** The entries of one kind. */
  static final class Numbers {
    final EntryNumberSet read;
    final EntryNumberSet held;

    /** The entries that an exception leaves without effect, found when the list is read again. */
    final EntryNumberSet voided;

    private Numbers(EntryLimit limit) {
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

  /** The entries of each kind that lists something. */
  final Map<Kind, Numbers> kinds = new EnumMap<>(Kind.class);

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
    this.sharedHosts = new EntryNumberSet(limit);
    this.exceptions = new Exceptions(limit);
  }

  private Numbers of(Kind kind) {
    Numbers numbers = kinds.get(kind);
    if (numbers == null) {
      numbers = new Numbers(limit);
      kinds.put(kind, numbers);
    }
    return numbers;
  }

  @Override
  public void entry(ListEntry entry) {
    if (entry.exception()) {
      exceptions.add(entry);
      return;
    }
    Optional<String> holds = guard.holds(entry);
    holds.or(() -> guard.noteOf(entry)).ifPresent(why -> note(why, entry::text, entry.line()));
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
    if (holds.isPresent()) {
      note(holds.get(), () -> first + "-" + last, networks.getFirst().line());
    } else {
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
    Numbers numbers = of(kind);
    numbers.read.add(number);
    if (holds.isPresent()) {
      numbers.held.add(number);
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
    kinds.values().forEach(Numbers::settle);
    sharedHosts.settle();
    exceptions.settle();
  }

  /** Takes the same version again, to find the entries that its exceptions leave without effect. */
  FeedSink secondReading() {
    return new Voided();
  }

  private final class Voided implements FeedSink {
    @Override
    public void entry(ListEntry entry) {
      if (!entry.exception() && exceptions.voids(entry)) {
        of(Kind.of(entry)).voided.add(EntryNumbers.of(entry));
      }
    }

    @Override
    public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
      if (exceptions.voids(first, last)) {
        of(Kind.of(first)).voided.add(EntryNumbers.of(first, last));
      }
    }

    @Override
    public void problem(ParseProblem problem) {}

    @Override
    public void end() {
      kinds.values().forEach(numbers -> numbers.voided.settle());
    }
  }
}
