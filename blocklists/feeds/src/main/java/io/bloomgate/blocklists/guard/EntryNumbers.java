package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;

/**
 * The numbers by which versions of a feed are counted and compared, 64 bits each: exact for spans
 * of IPv4, hashes for everything else, which is exact enough to count with. Pure.
 */
final class EntryNumbers {

  /** Incremented when the meaning of a number changes; files hold such numbers. */
  static final long VERSION = 1;

  private static final KeyHash HASH = new KeyHash(0x626c_6f6f_6d67_6174L, 0x6665_6564_6469_67L);

  /** The lowest bits of the number of a name say how far it reaches. */
  private static final int MATCH_BITS = 2;

  private EntryNumbers() {}

  /** An entry, whatever its sign and line. */
  static long of(ListEntry entry) {
    return switch (entry) {
      case ListEntry.Network network -> of(network.prefix().network(), network.prefix().last());
      case ListEntry.Domain domain -> of(domain.name(), domain.match());
      case ListEntry.Address address -> of(address.address());
      case ListEntry.Url url -> HASH.url(url.url());
      case ListEntry.Hash hash -> HASH.octets(hash.print().octets());
      case ListEntry.As as -> HASH.octets(as.number().octets());
      case ListEntry.AsnRow row ->
          HASH.text(row.prefix() + " " + row.number() + " " + row.country());
    };
  }

  /** The same; a network that is taken out has another number than one that is listed. */
  static long signed(ListEntry entry) {
    return entry instanceof ListEntry.Network(IpPrefix prefix, boolean exception, int line)
            && exception
        ? HASH.pivot(prefix.network(), prefix.length())
        : of(entry);
  }

  /** A span of addresses; a network and the range that equals it are one. */
  static long of(IpAddress first, IpAddress last) {
    return first.isV4()
        ? span(first, last)
        : Long.rotateLeft(HASH.ip(first), 1) ^ HASH.pivot(last, 0);
  }

  /** A name with its match mode: with another match mode it is another entry. */
  static long of(DomainName name, NameMatch match) {
    return salted(HASH.domain(name, 0), match);
  }

  /** The same for the parent that begins at an octet. */
  static long of(DomainName name, int from, NameMatch match) {
    return salted(HASH.suffix(name, from), match);
  }

  private static long salted(long hash, NameMatch match) {
    long salt =
        switch (match) {
          case EXACT -> 0;
          case SUFFIX -> 1;
          case BELOW -> 2;
        };
    return hash >> MATCH_BITS << MATCH_BITS | salt;
  }

  /**
   * The bits that the numbers of one name in all its match modes have in common; keeps their order.
   */
  static long withoutMatch(long number) {
    return number >> MATCH_BITS;
  }

  /** Counts the names that these sorted numbers mean, whatever their match mode. */
  static long names(long[] sorted) {
    long names = 0;
    for (int i = 0; i < sorted.length; i++) {
      boolean again = i > 0 && sorted[i] >> MATCH_BITS == sorted[i - 1] >> MATCH_BITS;
      names += again ? 0 : 1;
    }
    return names;
  }

  /** A mailbox. */
  static long of(MailAddress address) {
    return HASH.address(address);
  }

  /**
   * A span of IPv4 as one number: the first address in the upper half, the last in the lower, the
   * sign turned so that plain sorting sorts by address.
   */
  private static long span(IpAddress first, IpAddress last) {
    return ((long) first.v4Bits() << 32 | (last.v4Bits() & 0xffff_ffffL)) ^ Long.MIN_VALUE;
  }

  /** Addresses in the union of spans of IPv4, which are in order. */
  static long covered(long[] spans) {
    long total = 0;
    long end = -1;
    for (long span : spans) {
      long last = span & 0xffff_ffffL;
      long from = Math.max((span ^ Long.MIN_VALUE) >>> 32, end + 1);
      if (last >= from) {
        total += last - from + 1;
        end = last;
      }
    }
    return total;
  }
}
