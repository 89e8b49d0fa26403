package io.bloomgate.gateway;

import io.bloomgate.gateway.linux.NativeFunctions;

/**
 * Restores the standard error that the launcher saved: while Java starts, it writes there that a
 * module is incubating, which no option suppresses and no operator can use. Called once by {@link
 * Main}, before any output.
 */
final class StandardError {

  /** Set by the launcher to the descriptor that it saved; absent when it saved none. */
  private static final String KEPT = "bloomgate.stderr";

  private static final int STANDARD_ERROR = 2;

  private StandardError() {}

  /** Does nothing when the launcher saved nothing. */
  static void restore() {
    Integer kept = Integer.getInteger(KEPT);
    if (kept == null) {
      return;
    }
    try {
      int _ = (int) NativeFunctions.ofInts("dup2", 2).invokeExact(kept.intValue(), STANDARD_ERROR);
      int _ = (int) NativeFunctions.ofInts("close", 1).invokeExact(kept.intValue());
    } catch (Throwable e) {
      // A method handle declares everything. Standard output is what is left.
      System.setErr(System.out);
      System.err.println("bloomgate: standard error is lost: " + e);
    }
  }
}
