package io.bloomgate.blocklists.index;

import java.io.IOException;
import java.io.Serial;

/**
 * The feeds together have more entries than the heap has room for while an index is built. The
 * message is fit for the operator.
 */
public final class TooManyEntriesException extends IOException {

  @Serial private static final long serialVersionUID = 1L;

  TooManyEntriesException(long entries) {
    super(
        "all feeds together have more than "
            + entries
            + " entries; give the gateway more heap with BLOOMGATE_JAVA_OPTS=-Xmx1g or more, or"
            + " disable a feed");
  }
}
