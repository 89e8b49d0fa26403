package io.bloomgate.gateway.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
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
      // systemd wants to know whether this is the answer to its own signal; on Linux the virtual
      // machine reads CLOCK_MONOTONIC, as systemd does.
      send("RELOADING=1\nMONOTONIC_USEC=" + nanoTime.getAsLong() / NANOS_PER_MICRO);
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

  /**
   * Sends datagrams to a Unix socket, as sd_notify(3) does. Java has no such channel, and the
   * program {@code systemd-notify} is another process, which systemd accepts only with {@code
   * NotifyAccess=all}; so the C library's own functions are called. Linux only; used by {@link
   * ServiceManager}.
   */
  static final class NotifySocket {

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;

    /** struct sockaddr_un of unix(7): family, then up to 108 octets of path. */
    private static final int FAMILY_OCTETS = 2;

    private static final int MAX_PATH_OCTETS = 107;

    private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_VALUE =
        ERRNO.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final byte[] address;
    private final MethodHandle socket;
    private final MethodHandle sendto;
    private final MethodHandle close;

    /**
     * Makes a socket to one address; nothing is sent yet.
     *
     * @param path as in {@code NOTIFY_SOCKET}: an absolute path, or {@code @} and a name of the
     *     abstract namespace
     * @throws IllegalArgumentException when it is neither
     * @throws UnsupportedOperationException on systems that have no such calls
     */
    NotifySocket(String path) {
      byte[] octets = path.getBytes(StandardCharsets.UTF_8);
      boolean known = path.startsWith("/") || path.startsWith("@");
      if (!known || octets.length < 2 || octets.length > MAX_PATH_OCTETS) {
        throw new IllegalArgumentException("no socket address: " + path);
      }
      address = octets;
      socket = NativeFunctions.withErrno("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
      sendto =
          NativeFunctions.withErrno(
              "sendto", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
      close = NativeFunctions.ofInts("close", 1);
    }

    /**
     * Sends one datagram.
     *
     * @throws IOException with the number of the system's error
     */
    void send(String text) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment errno = arena.allocate(ERRNO);
        int descriptor = (int) socket.invokeExact(errno, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (descriptor < 0) {
          throw failure("socket", errno);
        }
        try {
          MemorySegment content =
              arena.allocateFrom(JAVA_BYTE, text.getBytes(StandardCharsets.UTF_8));
          MemorySegment to = sockaddr(arena);
          long sent =
              (long)
                  sendto.invokeExact(
                      errno,
                      descriptor,
                      content,
                      content.byteSize(),
                      MSG_NOSIGNAL,
                      to,
                      (int) to.byteSize());
          if (sent < 0) {
            throw failure("sendto", errno);
          }
        } finally {
          int ignored = (int) close.invokeExact(descriptor);
        }
      } catch (IOException | RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    /** Abstract names begin with NUL and have no end but their length; paths end with NUL. */
    private MemorySegment sockaddr(Arena arena) {
      boolean isAbstract = address[0] == '@';
      int octets = FAMILY_OCTETS + address.length + (isAbstract ? 0 : 1);
      MemorySegment to = arena.allocate(octets, JAVA_SHORT.byteAlignment());
      to.set(JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(address, 0, to, JAVA_BYTE, FAMILY_OCTETS, address.length);
      if (isAbstract) {
        to.set(JAVA_BYTE, FAMILY_OCTETS, (byte) 0);
      }
      return to;
    }

    private static IOException failure(String function, MemorySegment errno) {
      return new IOException(function + " failed, errno " + (int) ERRNO_VALUE.get(errno, 0L));
    }
  }
}
