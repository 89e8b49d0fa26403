package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.config.name.IpAddress;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lets through what may go live of a version: everything that its {@link EntryGuard} does not hold
 * back. Used by the feed-refresher to feed a build, and by {@code feeds test} and {@code feeds
 * diff}.
 *
 * @param next takes the entries, a range as its networks
 */
public record LiveEntries(EntryGuard guard, Consumer<? super ListEntry> next) implements FeedSink {

  @Override
  public void entry(ListEntry entry) {
    if (guard.holds(entry).isEmpty()) {
      next.accept(entry);
    }
  }

  @Override
  public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    if (guard.holdsAny(networks).isEmpty()) {
      networks.forEach(next);
    }
  }

  @Override
  public void problem(ParseProblem problem) {}
}
