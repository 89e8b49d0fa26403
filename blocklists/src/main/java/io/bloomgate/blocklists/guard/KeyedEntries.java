package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.config.name.IpAddress;
import java.util.List;

/**
 * Gives every entry its number of {@link EntryNumbers}, by which versions are compared. Used by
 * {@link FeedDiff} on the thread that parses.
 */
abstract class KeyedEntries implements FeedSink {

  private static final long EXCEPTION = 0x6578_6365_7074_696fL;

  /** A kind of entries that is counted apart. */
  enum Kind {
    IPV4("ipv4"),
    IPV6("ipv6"),
    DOMAIN("domain"),
    ADDRESS("address"),
    URL("url"),
    FINGERPRINT("fingerprint"),
    EXCEPTION("exception");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** The line of an entry and its text. */
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

    /** A range, which counts as one entry. */
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
    long key = EntryNumbers.of(entry);
    Kind kind =
        switch (entry) {
          case ListEntry.Network network -> network.prefix().isV4() ? Kind.IPV4 : Kind.IPV6;
          case ListEntry.Domain ignored -> Kind.DOMAIN;
          case ListEntry.Address ignored -> Kind.ADDRESS;
          case ListEntry.Url ignored -> Kind.URL;
          case ListEntry.Hash ignored -> Kind.FINGERPRINT;
        };
    if (entry.exception()) {
      take(Kind.EXCEPTION, key ^ EXCEPTION, new Place.One(entry));
    } else {
      take(kind, key, new Place.One(entry));
    }
  }

  @Override
  public final void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    take(
        first.isV4() ? Kind.IPV4 : Kind.IPV6,
        EntryNumbers.of(first, last),
        new Place.Range(first, last, networks.getFirst().line()));
  }

  @Override
  public void problem(ParseProblem problem) {}
}
