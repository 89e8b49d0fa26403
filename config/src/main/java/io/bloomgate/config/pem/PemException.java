package io.bloomgate.config.pem;

import org.jspecify.annotations.Nullable;

/** Certificate or key cannot be used; the message names the file and is fit for the operator. */
public final class PemException extends Exception {
  private static final long serialVersionUID = 1L;

  public PemException(String message) {
    super(message);
  }

  public PemException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
