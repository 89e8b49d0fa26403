package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.PublicSuffixes;
import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds in one step most of the entries that no rule of an {@link EntryGuard} can hold back: feeds
 * have millions of them, and rules compare each with dozens of networks and names. Immutable, pure.
 */
final class ProtectedSketch {

  private static final int FIRST_OCTETS = 1 << Byte.SIZE;

  /** The first octets of IPv4 that reach into a reserved or protected network: true for each. */
  private final boolean[] touched = new boolean[FIRST_OCTETS];

  /** Protected names, and those that have one below them. */
  private final Set<DomainName> names = new HashSet<>();

  private final NameTrees trees;
  private final boolean publicSuffixes;

  ProtectedSketch(List<ProtectedSet> sets) {
    ReservedNetworks.ALL.forEach(this::touch);
    sets.forEach(set -> set.networks().forEach(this::touch));
    sets.forEach(set -> names.addAll(set.names()));
    sets.forEach(set -> names.addAll(NameTrees.around(set.names())));
    sets.forEach(set -> names.addAll(NameTrees.around(set.trees())));
    trees = new NameTrees(sets.stream().flatMap(set -> set.trees().stream()).toList());
    publicSuffixes = sets.stream().anyMatch(ProtectedSet::publicSuffixes);
  }

  private void touch(IpPrefix network) {
    if (network.isV4()) {
      for (int i = firstOctet(network); i <= network.last().v4Bits() >>> 24; i++) {
        touched[i] = true;
      }
    }
  }

  private static int firstOctet(IpPrefix network) {
    return network.network().v4Bits() >>> 24;
  }

  /** False for an entry that is neither reserved nor protected. */
  boolean mayTouch(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network(IpPrefix prefix, var exception, var line) ->
          !prefix.isV4() || prefix.length() < Byte.SIZE || touched[firstOctet(prefix)];
      case ListEntry.Domain(DomainName name, var match, var exception, var line) ->
          names.contains(name)
              || trees.cover(name)
              || (publicSuffixes && PublicSuffixes.contains(name));
      // A whole host is protected as its name is; most URLs have a path.
      case ListEntry.Url url -> url.url().isHostOnly();
      case ListEntry.Address _, ListEntry.Hash _ -> true;
    };
  }
}
