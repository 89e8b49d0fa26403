package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import io.bloomgate.blocklists.format.octets.FeedLimits;

/**
 * Counts what of one version is kept in memory while it is read, and ends the reading when that is
 * more than the heap has room for: a feed that is too big is refused, and takes nothing else with
 * it. Made for one reading; used on the thread that parses.
 */
final class EntryLimit {

  private final long most;
  private long kept;
  private boolean told;

  /**
   * @param most entries, see {@link FeedLimits#entries}
   */
  EntryLimit(long most) {
    this.most = most;
  }

  /** What this process has room for. */
  static EntryLimit ofHeap() {
    return new EntryLimit(FeedLimits.entries(Runtime.getRuntime().maxMemory()));
  }

  /**
   * So many entries are kept that were not before.
   *
   * @throws TooManyEntriesException when these are too many; told once
   */
  void keep(long more) {
    kept += more;
    if (kept > most && !told) {
      told = true;
      throw new TooManyEntriesException(most);
    }
  }
}
