package io.bloomgate.blocklists.senders;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the entries of a version that list good hosts, as it is read. Only networks are looked
 * at: any client can forge a HELO name and a sender, so they say nothing of who would be hit. Used
 * on the feed-refresher thread.
 */
public final class Suspects implements FeedSink {

  /** Entries that are collected; a version with more is held as a whole. */
  public static final int MAX_SUSPECTS = 100_000;

  private final GoodHosts good;
  private final List<ListEntry.Network> found = new ArrayList<>();
  private boolean tooMany;

  /** Looks for these hosts. */
  public Suspects(GoodHosts good) {
    this.good = good;
  }

  @Override
  public void entry(ListEntry entry) {
    if (entry instanceof ListEntry.Network(IpPrefix prefix, boolean exception, int line)
        && !exception
        && good.touches(prefix)) {
      tooMany |= found.size() == MAX_SUSPECTS;
      if (!tooMany) {
        found.add(new ListEntry.Network(prefix, false, line));
      }
    }
  }

  @Override
  public void problem(ParseProblem problem) {}

  /** The hosts that were looked for. */
  GoodHosts good() {
    return good;
  }

  /** The entries that were found, in feed order. */
  public List<ListEntry.Network> found() {
    return found;
  }

  /** True when there are more than {@link #MAX_SUSPECTS}. */
  public boolean tooMany() {
    return tooMany;
  }
}
