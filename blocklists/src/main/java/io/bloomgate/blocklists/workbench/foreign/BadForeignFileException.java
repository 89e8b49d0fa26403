package io.bloomgate.blocklists.workbench.foreign;

import java.io.IOException;
import java.io.Serial;

/** A file is not what the other library writes. The message is a phrase that follows its name. */
public final class BadForeignFileException extends IOException {

  @Serial private static final long serialVersionUID = 1L;

  BadForeignFileException(String problem) {
    super(problem);
  }
}
