package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.IpAddress;
import java.io.Serial;
import java.util.List;

/**
 * Takes what a parser reads, in feed order, on the thread that parses; most look at entries alone.
 */
@FunctionalInterface
public interface FeedSink {

  /** An entry. */
  void entry(ListEntry entry);

  /**
   * A range {@code a-b}, which counts as one entry and is built as several networks.
   *
   * @param networks the fewest networks that make up the range, in order
   */
  default void range(IpAddress first, IpAddress last, List<ListEntry.Network> networks) {
    networks.forEach(this::entry);
  }

  /** A line that is no entry. */
  default void problem(ParseProblem problem) {}

  /** The version is complete; what was collected is counted now at the latest. */
  default void end() {}

  /** Drops everything; for callers that need only the totals of the parser. */
  FeedSink NONE = _ -> {};

  /**
   * A line of a feed that is no entry. Immutable.
   *
   * @param line counts from 1 in the decompressed text
   * @param reason a short English phrase without any of the text
   * @param text the beginning of the line, printable ASCII, everything else escaped
   */
  record ParseProblem(int line, String reason, String text) {}

  /**
   * A version has more entries than the heap has room for. Thrown out of a {@link FeedSink} and
   * turned into damage of the whole text by {@link FeedFormat#parse} and {@link FeedContent#read}.
   * The message is fit for the operator.
   */
  final class TooManyEntriesException extends RuntimeException {

    @Serial private static final long serialVersionUID = 1L;

    public TooManyEntriesException(long most) {
      super(
          "more than "
              + most
              + " entries (a range counts as its networks); give the gateway more heap with"
              + " BLOOMGATE_JAVA_OPTS=-Xmx1g or more (commands: BLOOMGATE_CLI_JAVA_OPTS), or split"
              + " the feed");
    }
  }
}
