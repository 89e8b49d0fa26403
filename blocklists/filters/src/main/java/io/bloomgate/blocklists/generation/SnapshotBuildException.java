package io.bloomgate.blocklists.generation;

import java.io.Serial;

/**
 * A build failed its own check, or its feeds cannot be held in one generation. Nothing was
 * published; the live generation stays. The message is fit for the operator.
 */
public final class SnapshotBuildException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  SnapshotBuildException(String message) {
    super(message);
  }
}
