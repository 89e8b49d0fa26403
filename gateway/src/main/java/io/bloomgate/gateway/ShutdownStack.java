package io.bloomgate.gateway;

import io.bloomgate.config.fault.Faults;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes what was opened, last opened first, even when one of them fails. Used by {@link Gateway}
 * for its shutdown and when a start fails.
 */
final class ShutdownStack implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ShutdownStack.class);

  private record Named(String name, AutoCloseable part) {}

  private final Deque<Named> parts = new ArrayDeque<>();

  /** Adds a part, and returns it. */
  <T extends AutoCloseable> T add(String name, T part) {
    parts.push(new Named(name, part));
    return part;
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) {
      Named next = parts.pop();
      try {
        next.part().close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        LOG.warn("{} did not close well: {}", next.name(), Faults.words(e));
      }
    }
  }
}
