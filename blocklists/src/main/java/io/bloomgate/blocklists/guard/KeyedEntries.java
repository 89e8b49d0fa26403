package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.ParseProblem;
import io.bloomgate.config.name.IpAddress;
import java.util.List;

/**
 * Gives every entry that may go live a number by which versions are compared: 64 bits, the same for
 * a network and the range that equals it, another one for another match mode. Used by {@link
 * FeedDiff} on the thread that parses.
 */
abstract class KeyedEntries implements FeedSink {

  private static final KeyHash HASH = new KeyHash(0x626c_6f6f_6d67_6174L, 0x6469_6666_6572_73L);
  private static final long EXCEPTION = 0x6578_6365_7074_696fL;

  private final EntryGuard guard;

  KeyedEntries(EntryGuard guard) {
    this.guard = guard;
  }

  /** What is counted apart. */
  enum Kind {
    IPV4("ipv4"),
    IPV6("ipv6"),
    DOMAIN("domain"),
    ADDRESS("address"),
    EXCEPTION("exception");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** Where an entry stands and how it is written. */
  sealed interface Place {
    int line();

    String text();

    /** An entry as it is. */
    record One(ListEntry entry) implements Place {
      @Override
      public int line() {
        return entry.line();
      }

      @Override
      public String text() {
        return entry.text();
      }
    }

    /** A range, which is one entry to whoever counts. */
    record Range(IpAddress first, IpAddress last, int line) implements Place {
      @Override
      public String text() {
        return first + "-" + last;
      }
    }
  }

  /** Takes one entry. */
  abstract void take(Kind kind, long key, Place place);

  @Override
  public final void entry(ListEntry entry) {
    if (guard.holds(entry).isPresent()) {
      return;
    }
    long key =
        switch (entry) {
          case ListEntry.Network network ->
              span(network.prefix().network(), network.prefix().last());
          case ListEntry.Domain domain -> HASH.domain(domain.name(), 0) + salt(domain.match());
          case ListEntry.Address address -> HASH.address(address.address());
        };
    Kind kind =
        switch (entry) {
          case ListEntry.Network network -> network.prefix().isV4() ? Kind.IPV4 : Kind.IPV6;
          case ListEntry.Domain ignored -> Kind.DOMAIN;
          case ListEntry.Address ignored -> Kind.ADDRESS;
        };
    if (entry.exception()) {
      take(Kind.EXCEPTION, key ^ EXCEPTION, new Place.One(entry));
    } else {
      take(kind, key, new Place.One(entry));
    }
  }

  private static long salt(NameMatch match) {
    return switch (match) {
      case EXACT -> 0;
      case SUFFIX -> 1;
      case BELOW -> 2;
    };
  }

  @Override
  public final void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    if (guard.holdsAny(networks).isEmpty()) {
      take(
          first.isV4() ? Kind.IPV4 : Kind.IPV6,
          span(first, last),
          new Place.Range(first, last, networks.getFirst().line()));
    }
  }

  private static long span(IpAddress first, IpAddress last) {
    return Long.rotateLeft(HASH.ip(first), 1) ^ HASH.pivot(last, 0);
  }

  @Override
  public void problem(ParseProblem problem) {}
}
