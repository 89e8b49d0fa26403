package io.bloomgate.gateway.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** The other end: a bound Unix datagram socket, as systemd holds one. */
final class DatagramSocket implements AutoCloseable {

  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVTIMEO = 20;
  private static final long PATIENCE_SECONDS = 60;
  private static final int MAX_OCTETS = 4096;

  private final int descriptor;

  @SuppressWarnings("restricted") // the signatures are libc's
  private static MethodHandle function(
      String name, MemoryLayout result, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(), FunctionDescriptor.of(result, arguments));
  }

  /** Binds to a path, or with {@code @} in front to an abstract name. */
  DatagramSocket(String path) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      descriptor =
          (int)
              function("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT)
                  .invokeExact(AF_UNIX, SOCK_DGRAM, 0);
      byte[] octets = path.getBytes(StandardCharsets.UTF_8);
      MemorySegment address = arena.allocate(2L + octets.length, 2);
      address.set(JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(octets, 0, address, JAVA_BYTE, 2, octets.length);
      if (octets[0] == '@') {
        address.set(JAVA_BYTE, 2, (byte) 0);
      }
      int bound =
          (int)
              function("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT)
                  .invokeExact(descriptor, address, (int) address.byteSize());
      MemorySegment patience = arena.allocateFrom(JAVA_LONG, PATIENCE_SECONDS, 0L);
      int set =
          (int)
              function("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT)
                  .invokeExact(
                      descriptor, SOL_SOCKET, SO_RCVTIMEO, patience, (int) patience.byteSize());
      if (descriptor < 0 || bound != 0 || set != 0) {
        throw new AssertionError("no socket at " + path);
      }
    }
  }

  /** The next datagram. */
  String next() throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(MAX_OCTETS);
      long octets =
          (long)
              function("recv", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT)
                  .invokeExact(descriptor, buffer, buffer.byteSize(), 0);
      if (octets < 0) {
        throw new AssertionError("nothing came");
      }
      return new String(buffer.asSlice(0, octets).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    try {
      int ignored = (int) function("close", JAVA_INT, JAVA_INT).invokeExact(descriptor);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
