package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The exceptions of a version, collected while it is read, and asked while it is read again for the
 * entries that they leave without effect: a listing that lies wholly inside an exception of the
 * same feed lists nothing (rules of decision in gateway/README.md). Used by {@link DigestedVersion}
 * on the thread that parses.
 */
final class Exceptions {

  /** The lists are asked for names of two or more labels. */
  private static final int FEWEST_LABELS = 2;

  private final AddressUnion networks;
  private final EntryNumberSet numbers;

  /** Numbers of labels that a name has which is taken out with what is below. */
  private final BitSet treeLabels = new BitSet();

  private long[] sorted = {};
  private boolean closed;

  Exceptions(EntryLimit limit) {
    this.networks = new AddressUnion(limit);
    this.numbers = new EntryNumberSet(limit);
  }

  /** Adds one; nothing once they are closed. */
  void add(ListEntry entry) {
    if (closed) {
      return;
    }
    numbers.add(EntryNumbers.signed(entry));
    if (entry instanceof ListEntry.Network network) {
      networks.add(network.prefix());
    } else if (entry instanceof ListEntry.Domain domain && domain.match() != NameMatch.EXACT) {
      treeLabels.set(domain.name().labels());
    }
  }

  /** Counts all that was added against the limit. */
  void settle() {
    numbers.settle();
  }

  /** Ends the adding; until then nothing counts as taken out. */
  void close() {
    closed = true;
    networks.close();
    sorted = numbers.sortedDistinct();
  }

  /** The numbers of all exceptions, in order. */
  long[] sorted() {
    return sorted;
  }

  /** True when something is taken out, for which the list is to be read again. */
  boolean any() {
    return sorted.length > 0;
  }

  /** True for a span of addresses that lists nothing. */
  boolean voids(IpAddress first, IpAddress last) {
    return networks.holds(first, last);
  }

  /** True for a listing that lists nothing. */
  boolean voids(ListEntry entry) {
    if (sorted.length == 0) {
      return false;
    }
    return switch (entry) {
      case ListEntry.Network(IpPrefix prefix, var exception, var line) ->
          voids(prefix.network(), prefix.last());
      case ListEntry.Domain domain -> voidsItself(domain) || isBelowOne(domain.name());
      case ListEntry.Address _, ListEntry.Url _, ListEntry.Hash _, ListEntry.As _ ->
          has(EntryNumbers.of(entry));
      case ListEntry.AsnRow _ -> false;
    };
  }

  private boolean voidsItself(ListEntry.Domain domain) {
    DomainName name = domain.name();
    if (has(EntryNumbers.of(name, NameMatch.SUFFIX))) {
      return true;
    }
    return switch (domain.match()) {
      case EXACT -> has(EntryNumbers.of(name, NameMatch.EXACT));
      case BELOW -> has(EntryNumbers.of(name, NameMatch.BELOW));
      case SUFFIX ->
          has(EntryNumbers.of(name, NameMatch.EXACT))
              && has(EntryNumbers.of(name, NameMatch.BELOW));
    };
  }

  private boolean isBelowOne(DomainName name) {
    int from = 0;
    for (int labels = name.labels() - 1; labels >= FEWEST_LABELS; labels--) {
      from = name.nextLabel(from);
      if (treeLabels.get(labels)
          && (has(EntryNumbers.of(name, from, NameMatch.SUFFIX))
              || has(EntryNumbers.of(name, from, NameMatch.BELOW)))) {
        return true;
      }
    }
    return false;
  }

  private boolean has(long number) {
    return Arrays.binarySearch(sorted, number) >= 0;
  }
}
