package io.bloomgate.blocklists.fetch;

import java.io.IOException;
import java.io.Serial;

/**
 * The other side does not keep to HTTP, or the proxy says no. The message is fit for the operator
 * and holds nothing from outside.
 */
public final class WebException extends IOException {

  @Serial private static final long serialVersionUID = 1L;

  WebException(String message) {
    super(message);
  }

  WebException(String message, IOException cause) {
    super(message, cause);
  }
}
