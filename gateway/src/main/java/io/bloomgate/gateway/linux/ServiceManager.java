package io.bloomgate.gateway.linux;

import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd how the service fares, in the words of sd_notify(3); silent where the gateway does
 * not run under it with {@code Type=notify}. Called by start, reload, end and housekeeping, on any
 * thread. When systemd does not listen, that is logged and changes nothing else.
 */
public final class ServiceManager {

  private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);

  /** The shortest time between two status lines. */
  private static final long STATUS_NANOS = 10_000_000_000L;

  private static final long NANOS_PER_MICRO = 1_000;

  /** Two of three signs of life may be late. */
  private static final int SIGNS_PER_WATCHDOG_TIME = 3;

  private final @Nullable NotifySocket socket;
  private final LongSupplier nanoTime;
  private final long watchdogNanos;
  private long nextSign;
  private long nextStatus;
  private String status = "";

  /**
   * Finds out from the environment whether systemd wants notifications.
   *
   * @param nanoTime monotonic time in nanoseconds
   * @param pid our own: the watchdog may be meant for another process
   */
  public ServiceManager(Map<String, String> environment, LongSupplier nanoTime, long pid) {
    this.nanoTime = nanoTime;
    this.socket = socket(environment.getOrDefault("NOTIFY_SOCKET", ""));
    String watched = environment.getOrDefault("WATCHDOG_PID", String.valueOf(pid));
    this.watchdogNanos =
        watched.equals(String.valueOf(pid)) ? micros(environment.get("WATCHDOG_USEC")) : 0;
    this.nextSign = nanoTime.getAsLong();
    this.nextStatus = nextSign;
  }

  private static @Nullable NotifySocket socket(String path) {
    if (path.isEmpty()) {
      return null;
    }
    try {
      return new NotifySocket(path);
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      LOG.warn("systemd cannot be notified: {}", e.getMessage());
      return null;
    }
  }

  private static long micros(@Nullable String text) {
    try {
      return text == null ? 0 : Long.parseLong(text) * NANOS_PER_MICRO;
    } catch (NumberFormatException e) {
      LOG.warn("WATCHDOG_USEC is not a number; systemd's watchdog is not served");
      return 0;
    }
  }

  /** The gateway listens, or has ended a reload. */
  public void ready() {
    send("READY=1");
  }

  /** A reload begins; {@link #ready} ends it. */
  public void reloading() {
    NotifySocket to = socket;
    if (to != null) {
      // systemd wants to know whether this is the answer to its own signal.
      send("RELOADING=1\nMONOTONIC_USEC=" + to.monotonicMicros());
    }
  }

  /** The end has begun. */
  public void stopping() {
    send("STOPPING=1");
  }

  /**
   * Gives the sign of life that the watchdog waits for, and the line that {@code systemctl status}
   * shows. Called by the housekeeping about once a second: when that hangs, so do the watchdogs of
   * sessions, and systemd is right to restart the gateway.
   */
  public synchronized void tick(Supplier<String> statusLine) {
    if (socket == null) {
      return;
    }
    long now = nanoTime.getAsLong();
    if (watchdogNanos > 0 && now - nextSign >= 0) {
      nextSign = now + watchdogNanos / SIGNS_PER_WATCHDOG_TIME;
      send("WATCHDOG=1");
    }
    if (now - nextStatus >= 0) {
      nextStatus = now + STATUS_NANOS;
      String line = statusLine.get();
      if (!line.equals(status)) {
        status = line;
        send("STATUS=" + line);
      }
    }
  }

  private void send(String message) {
    NotifySocket to = socket;
    if (to == null) {
      return;
    }
    try {
      to.send(message);
    } catch (IOException e) {
      LOG.warn(
          "systemd did not take {}: {}", message.lines().findFirst().orElse(""), e.getMessage());
    }
  }
}
