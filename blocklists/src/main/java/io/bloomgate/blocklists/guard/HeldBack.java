package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.config.name.IpAddress;
import java.util.List;

/**
 * Passes on only the entries that a guard holds back and that an operator may accept: those that
 * {@code feeds accept} would add to the live ones. Used by the feed-refresher.
 *
 * @param guard as it is before the operator accepts anything
 * @param accepted {@link EntryGuard#accepted} of it
 * @param next takes these entries
 */
public record HeldBack(EntryGuard guard, EntryGuard accepted, FeedSink next) implements FeedSink {

  /** Passes on what this guard holds back. */
  public HeldBack(EntryGuard guard, FeedSink next) {
    this(guard, guard.accepted(), next);
  }

  @Override
  public void entry(ListEntry entry) {
    ListEntry reaching = guard.narrowed(entry);
    if (guard.holds(reaching).isPresent() && accepted.holds(reaching).isEmpty()) {
      next.entry(reaching);
    }
  }

  @Override
  public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    if (guard.holdsAny(networks).isPresent() && accepted.holdsAny(networks).isEmpty()) {
      next.range(first, last, networks);
    }
  }

  @Override
  public void problem(ParseProblem problem) {}

  @Override
  public void end() {
    next.end();
  }
}
