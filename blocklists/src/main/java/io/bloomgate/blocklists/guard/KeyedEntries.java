package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.guard.EntryNumbers.Kind;
import io.bloomgate.config.name.IpAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * Gives every entry its number of {@link EntryNumbers}, by which versions are compared. Used by
 * {@link FeedDiff} on the thread that parses.
 */
abstract class KeyedEntries implements FeedSink {

  private static final long EXCEPTION = 0x6578_6365_7074_696fL;

  /**
   * Takes one entry.
   *
   * @param text of the entry, asked for where it is shown
   */
  abstract void take(Kind kind, long key, int line, Supplier<String> text);

  @Override
  public final void entry(ListEntry entry) {
    long key = EntryNumbers.of(entry) ^ (entry.exception() ? EXCEPTION : 0);
    take(Kind.of(entry), key, entry.line(), entry::text);
  }

  @Override
  public final void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    take(
        Kind.of(first),
        EntryNumbers.of(first, last),
        networks.getFirst().line(),
        () -> first + "-" + last);
  }

  @Override
  public void problem(ParseProblem problem) {}
}
