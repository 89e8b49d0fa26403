package io.bloomgate.gateway.demo;

import io.bloomgate.blocklists.generation.ListSnapshot;
import java.nio.file.Path;

/** The part of a running gateway that the demo needs; made by the composition root. */
public interface DemoGateway extends AutoCloseable {

  /** Starts gateways. */
  @FunctionalInterface
  interface Starter {
    /**
     * Starts one.
     *
     * @throws DemoException when it cannot start
     */
    DemoGateway start(Path settingsFile) throws DemoException;
  }

  /** The answers of the Bloom filters so far. */
  record Lookups(long hits, long confirmed, long falsePositives) {
    Lookups since(Lookups before) {
      return new Lookups(
          hits - before.hits, confirmed - before.confirmed, falsePositives - before.falsePositives);
    }
  }

  /** The port of a listener. */
  int port(String listener);

  /** The live generation. */
  ListSnapshot snapshot();

  /** Counts of sessions' questions. */
  Lookups lookups();

  @Override
  void close();

  /** The demo cannot be shown: one line, and its exit code. */
  public static final class DemoException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** Makes the error with the line to show. */
    public DemoException(int exitCode, String message, Throwable cause) {
      super(message, cause);
      this.exitCode = exitCode;
    }

    /** The process's exit code. */
    public int exitCode() {
      return exitCode;
    }
  }
}
