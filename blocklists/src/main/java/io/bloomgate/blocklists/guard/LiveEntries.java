package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.config.name.IpAddress;
import java.util.List;
import java.util.function.Consumer;

/**
 * Passes on the entries of a version that may go live: all that its {@link EntryGuard} does not
 * hold back. Used by the feed-refresher to feed a build, and by {@code feeds test} and {@code feeds
 * diff}.
 *
 * @param next takes these entries
 */
public record LiveEntries(EntryGuard guard, FeedSink next) implements FeedSink {

  /**
   * The same for a receiver that is no sink.
   *
   * @param next takes the entries, a range as its networks
   */
  public LiveEntries(EntryGuard guard, Consumer<? super ListEntry> next) {
    this(guard, new Networks(next));
  }

  @Override
  public void entry(ListEntry entry) {
    ListEntry reaching = guard.narrowed(entry);
    if (guard.holds(reaching).isEmpty()) {
      next.entry(reaching);
    }
  }

  @Override
  public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    if (guard.holdsAny(networks).isEmpty()) {
      next.range(first, last, networks);
    }
  }

  @Override
  public void problem(ParseProblem problem) {}

  @Override
  public void end() {
    next.end();
  }

  private record Networks(Consumer<? super ListEntry> next) implements FeedSink {
    @Override
    public void entry(ListEntry entry) {
      next.accept(entry);
    }

    @Override
    public void problem(ParseProblem problem) {}
  }
}
