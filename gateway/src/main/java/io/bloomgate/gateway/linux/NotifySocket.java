package io.bloomgate.gateway.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * Sends datagrams to a Unix socket, as sd_notify(3) does. Java has no such channel, and the program
 * {@code systemd-notify} is another process, which systemd accepts only with {@code
 * NotifyAccess=all}; so the C library's own functions are called. Linux only; used by {@link
 * ServiceManager}.
 */
final class NotifySocket {

  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int CLOCK_MONOTONIC = 1;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;

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
  private final MethodHandle clockGettime;

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
    clockGettime =
        NativeFunctions.link("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
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

  /** The clock that systemd compares with, in microseconds: CLOCK_MONOTONIC of clock_gettime(2). */
  long monotonicMicros() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment timespec = arena.allocate(JAVA_LONG, 2);
      int failed = (int) clockGettime.invokeExact(CLOCK_MONOTONIC, timespec);
      if (failed != 0) {
        throw new IllegalStateException("no monotonic clock");
      }
      return timespec.getAtIndex(JAVA_LONG, 0) * MICROS_PER_SECOND
          + timespec.getAtIndex(JAVA_LONG, 1) / NANOS_PER_MICRO;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
