package io.bloomgate.gateway.admin;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes connections until the socket is closed. When that fails, as without free file descriptors,
 * it waits: the connection is still there later, and a loop without a pause would only take a
 * processor from mail. Run on the acceptor's thread.
 *
 * @param <C> a connection
 */
final class AcceptLoop<C> {

  private static final Logger LOG = LoggerFactory.getLogger(AcceptLoop.class);

  /** The time between a failure and the next try. */
  static final Duration REST = Duration.ofMillis(100);

  private final Source<C> source;
  private final Consumer<C> served;
  private final Rest rest;

  /** Gives one connection after the other. */
  @FunctionalInterface
  interface Source<C> {
    /** Waits for the next one; a {@link ClosedChannelException} ends the loop. */
    C accept() throws IOException;
  }

  /** Waits for {@link #REST}. */
  @FunctionalInterface
  interface Rest {
    /** True when the loop must end. */
    boolean isOver() throws InterruptedException;
  }

  AcceptLoop(Source<C> source, Consumer<C> served, Rest rest) {
    this.source = source;
    this.served = served;
    this.rest = rest;
  }

  void run() throws InterruptedException {
    boolean failing = false;
    while (true) {
      try {
        served.accept(source.accept());
        failing = false;
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        if (!failing) {
          LOG.warn("control connections cannot be accepted: {}", Faults.words(e));
        }
        failing = true;
        if (rest.isOver()) {
          return;
        }
      } catch (RuntimeException | Error e) {
        LOG.error("a control connection could not be served", e);
        if (rest.isOver()) {
          return;
        }
      }
    }
  }
}
