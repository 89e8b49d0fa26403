package io.bloomgate.blocklists.backup;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A backup cannot be written, or an archive is refused. The message is a sentence for the operator.
 */
public final class ArchiveException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  ArchiveException(String sentence) {
    this(sentence, null);
  }

  ArchiveException(String sentence, @Nullable Throwable cause) {
    super(sentence, cause);
  }

  /** The problem, as a sentence. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
