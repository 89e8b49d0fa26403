package io.bloomgate.blocklists.format;

import java.io.IOException;
import java.io.Serial;

/**
 * The octets of a feed are broken as a whole: cut off, followed by garbage, of a kind that is not
 * read, or too many. The message is fit for the operator and holds nothing from outside.
 */
public final class DamagedFeedException extends IOException {

  @Serial private static final long serialVersionUID = 1L;

  public DamagedFeedException(String message) {
    super(message);
  }
}
