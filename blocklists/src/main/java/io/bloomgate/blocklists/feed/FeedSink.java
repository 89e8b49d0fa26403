package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.ListEntry;
import java.util.List;

/** Takes what a parser reads, in feed order, on the thread that parses. */
public interface FeedSink {

  /** An entry. */
  void entry(ListEntry entry);

  /**
   * A range {@code a-b}, which is one entry to whoever counts and several networks to whoever
   * builds.
   *
   * @param networks the fewest networks that make up the range, in order
   */
  default void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    networks.forEach(this::entry);
  }

  /** A line that is no entry. */
  void problem(ParseProblem problem);
}
