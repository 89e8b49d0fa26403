package io.bloomgate.blocklists.format;

import java.io.Serial;

/**
 * A version has more entries than the heap has room for. Thrown out of a {@link FeedSink} and
 * turned into damage of the whole text by {@link FeedFormat#parse} and {@link FeedContent#read}.
 * The message is fit for the operator.
 */
public final class TooManyEntriesException extends RuntimeException {

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
