package io.bloomgate.gateway.smtp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Searches content eight octets at a time; every octet of every message is looked at by these.
 * Pure; called on session threads.
 */
public final class OctetScan {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH_OCTET = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private OctetScan() {}

  /**
   * Index of the first octet below a bound; {@code end} when there is none.
   *
   * @param bound unsigned, at most 128
   */
  public static int firstBelow(byte[] octets, int start, int end, int bound) {
    int i = start;
    while (i + Long.BYTES <= end) {
      long eight = (long) LONGS.get(octets, i);
      // A high bit appears iff an octet is below the bound ("haszero" with an offset).
      if (((eight - bound * EACH_OCTET) & ~eight & HIGH_BITS) != 0) {
        break;
      }
      i += Long.BYTES;
    }
    while (i < end && (octets[i] & 0xff) >= bound) {
      i++;
    }
    return i;
  }

  /** Index of the first octet of this value; {@code end} when there is none. */
  public static int indexOf(byte[] octets, int start, int end, byte value) {
    long wanted = (value & 0xff) * EACH_OCTET;
    int i = start;
    while (i + Long.BYTES <= end) {
      long differing = (long) LONGS.get(octets, i) ^ wanted;
      if (((differing - EACH_OCTET) & ~differing & HIGH_BITS) != 0) {
        break;
      }
      i += Long.BYTES;
    }
    while (i < end && octets[i] != value) {
      i++;
    }
    return i;
  }
}
