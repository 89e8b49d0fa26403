package io.bloomgate.blocklists.operator;

import java.io.Serial;

/**
 * The store of allow and block entries cannot be read now. Unchecked, because it crosses the
 * decision core, which answers it with {@code policy.on_error}.
 */
public final class UnreadableListsException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  UnreadableListsException(OperatorListsException cause) {
    super(cause.getMessage(), cause);
  }
}
