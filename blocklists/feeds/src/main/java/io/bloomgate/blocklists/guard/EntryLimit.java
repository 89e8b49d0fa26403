package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;

/**
 * Counts what of one version is kept in memory while it is read, and ends the reading when that is
 * more than the heap has room for: a feed that is too big is refused, and everything else goes on.
 * Made for one reading; used on the thread that parses.
 */
final class EntryLimit {

  private final long most;
  private long kept;
  private boolean exceeded;

  /**
   * @param most entries, see {@link FeedLimits#entries}
   */
  EntryLimit(long most) {
    this.most = most;
  }

  /** The limit for the heap of this process. */
  static EntryLimit ofHeap() {
    return new EntryLimit(FeedLimits.entries(Runtime.getRuntime().maxMemory()));
  }

  /** The same limit for another reading of the version. */
  EntryLimit again() {
    return new EntryLimit(most);
  }

  /**
   * Counts entries that are kept from now on.
   *
   * @throws TooManyEntriesException when there are too many; only the first time
   */
  void keep(long more) {
    kept += more;
    if (kept > most && !exceeded) {
      exceeded = true;
      throw new TooManyEntriesException(most);
    }
  }
}
