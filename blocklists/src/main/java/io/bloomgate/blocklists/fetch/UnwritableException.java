package io.bloomgate.blocklists.fetch;

import java.io.IOException;
import java.io.Serial;

/** What was fetched or read cannot be stored: the trouble is on our side of the copy. */
final class UnwritableException extends IOException {

  @Serial private static final long serialVersionUID = 1L;

  UnwritableException(IOException cause) {
    super(cause);
  }
}
