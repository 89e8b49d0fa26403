package io.bloomgate.gateway.smtp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Searches content eight octets at a time, and four of these between two branches; every octet of
 * every message is looked at by these. Pure; called on session threads.
 *
 * <p>Each eight are turned into a word in which the high bit of an octet is set where the octet is
 * one of those searched for ("haszero", Bit Twiddling Hacks); a borrow can set further ones above
 * the first, never below it.
 */
public final class OctetScan {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long EACH_OCTET = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final int FOUR_LONGS = 4 * Long.BYTES;

  private OctetScan() {}

  /**
   * Index of the first octet below a bound; {@code end} when there is none.
   *
   * @param bound unsigned, at most 128
   */
  public static int firstBelow(byte[] octets, int start, int end, int bound) {
    long bounds = bound * EACH_OCTET;
    int i = start;
    while (i + FOUR_LONGS <= end
        && (below(octets, i, bounds)
                | below(octets, i + 8, bounds)
                | below(octets, i + 16, bounds)
                | below(octets, i + 24, bounds))
            == 0) {
      i += FOUR_LONGS;
    }
    while (i + Long.BYTES <= end) {
      long found = below(octets, i, bounds);
      if (found != 0) {
        return i + firstIn(found);
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
    while (i + FOUR_LONGS <= end
        && (equal(octets, i, wanted)
                | equal(octets, i + 8, wanted)
                | equal(octets, i + 16, wanted)
                | equal(octets, i + 24, wanted))
            == 0) {
      i += FOUR_LONGS;
    }
    while (i + Long.BYTES <= end) {
      long found = equal(octets, i, wanted);
      if (found != 0) {
        return i + firstIn(found);
      }
      i += Long.BYTES;
    }
    while (i < end && octets[i] != value) {
      i++;
    }
    return i;
  }

  private static long below(byte[] octets, int index, long bounds) {
    long eight = (long) LONGS.get(octets, index);
    return (eight - bounds) & ~eight & HIGH_BITS;
  }

  private static long equal(byte[] octets, int index, long wanted) {
    long differing = (long) LONGS.get(octets, index) ^ wanted;
    return (differing - EACH_OCTET) & ~differing & HIGH_BITS;
  }

  private static int firstIn(long found) {
    return Long.numberOfTrailingZeros(found) / Byte.SIZE;
  }
}
