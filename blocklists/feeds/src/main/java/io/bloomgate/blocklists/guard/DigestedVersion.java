package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.guard.FeedDigest.Kind;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A version as the guard looks at it. Immutable; read by the feed-refresher and by {@code feeds
 * test}, on their threads.
 */
public record DigestedVersion(ParseTotals totals, FeedDigest digest) {

  /** Content that is read once, or twice if it has exceptions: see {@link Exceptions}. */
  @FunctionalInterface
  interface Reading {
    ParseTotals into(FeedSink sink) throws IOException;
  }

  /**
   * Reads a version.
   *
   * @param guard says which entries would be held back
   * @param beside takes all entries and problems, too
   * @throws IOException only when the content cannot be read
   */
  static DigestedVersion read(Reading version, EntryGuard guard, FeedSink beside, EntryLimit limit)
      throws IOException {
    Collector collector = new Collector(guard, limit, new Exceptions(limit), beside);
    ParseTotals totals = version.into(collector);
    collector.exceptions.close();
    if (totals.damage().isEmpty() && collector.exceptions.any()) {
      collector = new Collector(guard, limit.again(), collector.exceptions, FeedSink.NONE);
      ParseTotals again = version.into(collector);
      if (again.damage().isPresent()) {
        totals = totals.damaged(again.damage().get());
      }
    }
    return new DigestedVersion(totals, collector.digest());
  }

  /**
   * Collects the entries of a version as numbers, each as far as it may reach, on the thread that
   * parses.
   */
  private static final class Collector implements FeedSink {

    private final EntryGuard guard;
    private final EntryLimit limit;

    /** The entries of each kind that list something and would go live. */
    private final Map<Kind, EntryNumberSet> live = new EnumMap<>(Kind.class);

    /** The same of those that are held back. */
    private final Map<Kind, EntryNumberSet> heldBack = new EnumMap<>(Kind.class);

    private final Exceptions exceptions;
    private final FeedSink beside;
    private final Map<String, Long> held = new LinkedHashMap<>();
    private final List<HeldEntry> heldSamples = new ArrayList<>();

    /** Hosts of URLs that count by their URLs only. */
    private final EntryNumberSet sharedHosts;

    private double ipv6Networks;
    private long lastRange;

    /**
     * @param guard says which entries would be held back
     * @param limit ends the reading
     * @param exceptions of the version: collected while they are open, and known once they are
     *     closed
     * @param beside takes all entries and problems, too
     */
    Collector(EntryGuard guard, EntryLimit limit, Exceptions exceptions, FeedSink beside) {
      this.beside = beside;
      this.guard = guard;
      this.limit = limit;
      this.exceptions = exceptions;
      this.sharedHosts = new EntryNumberSet(limit);
    }

    @Override
    public void entry(ListEntry written) {
      ListEntry entry = guard.narrowed(written);
      beside.entry(entry);
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
      beside.range(first, last, networks);
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
      (holds.isEmpty() ? live : heldBack)
          .computeIfAbsent(kind, _ -> new EntryNumberSet(limit))
          .add(number);
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
    public void problem(ParseProblem problem) {
      beside.problem(problem);
    }

    @Override
    public void end() {
      beside.end();
      live.values().forEach(EntryNumberSet::settle);
      heldBack.values().forEach(EntryNumberSet::settle);
      sharedHosts.settle();
      exceptions.settle();
    }

    /** Makes a digest of the collected entries and takes over their memory. */
    FeedDigest digest() {
      Map<Kind, long[]> goingLive = sorted(live);
      goingLive.put(Kind.EXCEPTION, exceptions.sorted());
      return new FeedDigest(
          goingLive,
          sorted(heldBack),
          sharedHosts.sortedDistinct().length,
          Collections.unmodifiableMap(new LinkedHashMap<>(held)),
          List.copyOf(heldSamples),
          ipv6Networks,
          false);
    }

    private static Map<Kind, long[]> sorted(Map<Kind, EntryNumberSet> numbers) {
      Map<Kind, long[]> sorted = new EnumMap<>(Kind.class);
      numbers.forEach((kind, all) -> sorted.put(kind, all.sortedDistinct()));
      return sorted;
    }
  }
}
