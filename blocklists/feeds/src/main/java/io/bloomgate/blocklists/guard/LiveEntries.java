package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.config.name.IpAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the entries of a version that may go live: all that its {@link EntryGuard} does not
 * hold back. Used by the feed-refresher to feed a build, and by {@code feeds test} and {@code feeds
 * diff}.
 *
 * @param accepted passes on those instead that the other guard holds back and this one does not:
 *     what {@code feeds accept} would add; {@code null} for those that go live
 * @param next takes these entries
 */
public record LiveEntries(EntryGuard guard, @Nullable EntryGuard accepted, FeedSink next)
    implements FeedSink {

  /** Passes on what goes live. */
  public LiveEntries(EntryGuard guard, FeedSink next) {
    this(guard, null, next);
  }

  /** Passes on what is held back and an operator may accept. */
  public static LiveEntries heldBack(EntryGuard guard, FeedSink next) {
    return new LiveEntries(guard, guard.accepted(), next);
  }

  @Override
  public void entry(ListEntry entry) {
    ListEntry reaching = guard.narrowed(entry);
    if (accepted == null
        ? guard.holds(reaching).isEmpty()
        : guard.holds(reaching).isPresent() && accepted.holds(reaching).isEmpty()) {
      next.entry(reaching);
    }
  }

  @Override
  public void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    if (accepted == null
        ? guard.holdsAny(networks).isEmpty()
        : guard.holdsAny(networks).isPresent() && accepted.holdsAny(networks).isEmpty()) {
      next.range(first, last, networks);
    }
  }

  @Override
  public void end() {
    next.end();
  }
}
