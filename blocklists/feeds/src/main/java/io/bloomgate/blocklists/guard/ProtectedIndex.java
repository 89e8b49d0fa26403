package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.PublicSuffixes;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Finds an entry for a {@link ProtectedSet}, or for all sets of an {@link EntryGuard} at once:
 * feeds have millions of entries, and most touch none of them. The cost does not grow with the
 * sets. Pure.
 */
final class ProtectedIndex {

  private static final int FIRST_OCTETS = 1 << Byte.SIZE;

  /** The first octets of IPv4 that reach into one of the networks: true for each. */
  private final boolean[] firstOctets = new boolean[FIRST_OCTETS];

  private final AddressUnion networks = new AddressUnion(new EntryLimit(Long.MAX_VALUE));
  private final Set<DomainName> names;
  private final NameTrees trees;
  private final NameTrees below;

  /** Names that have a protected one below them. */
  private final Set<DomainName> around;

  private final boolean publicSuffixes;

  ProtectedIndex(
      Collection<IpPrefix> networks,
      Set<DomainName> names,
      List<DomainName> trees,
      boolean publicSuffixes) {
    networks.forEach(this::add);
    this.networks.close();
    this.names = names;
    this.trees = NameTrees.of(trees);
    this.below = NameTrees.of(names);
    this.around =
        Stream.concat(names.stream(), trees.stream())
            .flatMap(name -> parents(name).skip(1))
            .collect(Collectors.toUnmodifiableSet());
    this.publicSuffixes = publicSuffixes;
  }

  /** An index of all that these sets have, and of reserved networks. */
  static ProtectedIndex of(List<ProtectedSet> sets) {
    List<IpPrefix> networks = new ArrayList<>(ReservedNetworks.ALL);
    sets.forEach(set -> networks.addAll(set.networks()));
    return new ProtectedIndex(
        networks,
        sets.stream().flatMap(set -> set.names().stream()).collect(Collectors.toUnmodifiableSet()),
        sets.stream().flatMap(set -> set.trees().stream()).toList(),
        sets.stream().anyMatch(ProtectedSet::publicSuffixes));
  }

  /** True when public suffixes are protected. */
  boolean publicSuffixes() {
    return publicSuffixes;
  }

  private void add(IpPrefix network) {
    networks.add(network);
    if (network.isV4()) {
      int last = firstOctet(network.last());
      Arrays.fill(firstOctets, firstOctet(network.network()), last + 1, true);
    }
  }

  private static int firstOctet(IpAddress address) {
    return address.v4Bits() >>> (Integer.SIZE - Byte.SIZE);
  }

  /** True when the whole network is protected. */
  boolean holds(IpPrefix network) {
    return networks.holds(network.network(), network.last());
  }

  /** See {@link ProtectedSet#touches}. */
  boolean touches(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network(IpPrefix prefix, var exception, var line) ->
          (!prefix.isV4()
                  || prefix.length() < Byte.SIZE
                  || firstOctets[firstOctet(prefix.network())])
              && networks.touches(prefix.network(), prefix.last());
      case ListEntry.Domain(DomainName name, var match, var exception, var line) ->
          names.contains(name)
              || trees.cover(name)
              || (match != NameMatch.EXACT && around.contains(name))
              || (publicSuffixes && PublicSuffixes.contains(name));
      case ListEntry.Url(WebUrl url, var exception, var line) ->
          url.isHostOnly() && touches(wholeHost(url));
      case ListEntry.Address _, ListEntry.Hash _, ListEntry.As _, ListEntry.AsnRow _ -> false;
    };
  }

  /** The entry that a host without a path means: it covers the URLs of the host and below it. */
  private static ListEntry wholeHost(WebUrl url) {
    return switch (url.host()) {
      case DomainName name -> new ListEntry.Domain(name, NameMatch.SUFFIX, false, 0);
      case IpAddress address -> new ListEntry.Network(IpPrefix.host(address), false, 0);
      case MailAddress _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ ->
          throw new IllegalStateException("the host of a web address is a name or an address");
    };
  }

  /** See {@link ProtectedSet#protectsHelo}. */
  boolean protectsBelow(ListEntry entry) {
    return entry instanceof ListEntry.Domain domain && below.cover(domain.name());
  }

  /** The name and all names of two or more labels around it. */
  private static Stream<DomainName> parents(DomainName name) {
    return IntStream.rangeClosed(0, name.labels() - 2).mapToObj(name::from);
  }

  /**
   * Names that are protected with all below them.
   *
   * @param tops those of one label
   */
  private record NameTrees(Set<DomainName> names, List<DomainName> tops) {

    static NameTrees of(Collection<DomainName> names) {
      return new NameTrees(
          Set.copyOf(names), names.stream().filter(name -> name.labels() == 1).toList());
    }

    /** True for one of the names and for what is below one. */
    boolean cover(DomainName name) {
      for (int label = 0; label <= name.labels() - 2; label++) {
        if (names.contains(name.from(label))) {
          return true;
        }
      }
      return tops.stream().anyMatch(top -> top.covers(name));
    }
  }
}
