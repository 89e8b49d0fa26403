package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.entry.PublicSuffixes;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Finds an entry for a {@link ProtectedSet}; what that costs does not grow with the set. Pure. */
final class ProtectedIndex {

  private final AddressUnion ipv4 = new AddressUnion(new EntryLimit(Long.MAX_VALUE));
  private final AddressUnion ipv6 = new AddressUnion(new EntryLimit(Long.MAX_VALUE));
  private final Set<DomainName> names;
  private final NameTrees trees;
  private final NameTrees below;

  /** Names that have a protected one below them. */
  private final Set<DomainName> around;

  private final boolean publicSuffixes;

  ProtectedIndex(ProtectedSet set) {
    set.networks().forEach(network -> of(network).add(network));
    this.ipv4.close();
    this.ipv6.close();
    this.names = set.names();
    this.trees = new NameTrees(set.trees());
    this.below = new NameTrees(List.copyOf(names));
    this.around = NameTrees.around(Stream.concat(names.stream(), set.trees().stream()).toList());
    this.publicSuffixes = set.publicSuffixes();
  }

  private AddressUnion of(IpPrefix network) {
    return network.isV4() ? ipv4 : ipv6;
  }

  /** True when the whole network is protected. */
  boolean holds(IpPrefix network) {
    return of(network).holds(network.network(), network.last());
  }

  /** See {@link ProtectedSet#touches}. */
  boolean touches(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network(IpPrefix prefix, var exception, var line) ->
          of(prefix).touches(prefix.network(), prefix.last());
      case ListEntry.Domain(DomainName name, var match, var exception, var line) ->
          names.contains(name)
              || trees.cover(name)
              || (match != NameMatch.EXACT && around.contains(name))
              || (publicSuffixes && PublicSuffixes.contains(name));
      case ListEntry.Url(WebUrl url, var exception, var line) ->
          url.isHostOnly() && touches(wholeHost(url));
      case ListEntry.Address _, ListEntry.Hash _ -> false;
    };
  }

  /** The entry that a host without a path means: it covers the URLs of the host and below it. */
  private static ListEntry wholeHost(WebUrl url) {
    return switch (url.host()) {
      case DomainName name -> new ListEntry.Domain(name, NameMatch.SUFFIX, false, 0);
      case IpAddress address -> new ListEntry.Network(IpPrefix.host(address), false, 0);
      case MailAddress _, WebUrl _, Fingerprint _, Likeness _ ->
          throw new IllegalStateException("the host of a web address is a name or an address");
    };
  }

  /** See {@link ProtectedSet#protectsHelo}. */
  boolean protectsBelow(ListEntry entry) {
    return entry instanceof ListEntry.Domain domain && below.cover(domain.name());
  }
}
