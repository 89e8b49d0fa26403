package io.bloomgate.blocklists.index;

import io.bloomgate.config.name.IpAddress;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The form of numbers in index files, and bit masks of addresses. Pure; for readers and builders.
 */
final class Words {

  static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
  static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** The number of a feed is 16 bits wide in files. */
  static final int MAX_FEEDS = 1 << 16;

  private Words() {}

  /** A word whose first {@code count} bits are set; below 0 counts as 0, above 64 as 64. */
  static long leading(int count) {
    return count <= 0 ? 0 : count >= Long.SIZE ? -1L : -1L << (Long.SIZE - count);
  }

  /** True when the network that begins there with that length holds an address. */
  static boolean contains(
      long networkFirst, long networkSecond, int length, long first, long second) {
    return ((networkFirst ^ first) & leading(length)) == 0
        && ((networkSecond ^ second) & leading(length - Long.SIZE)) == 0;
  }

  /**
   * The first 64 bits of an address with its own first bit leftmost: the 32 bits of IPv4 are in the
   * upper half, so that prefix lengths mean the same in both families.
   */
  static long first(IpAddress address) {
    return address.isV4() ? (long) address.v4Bits() << 32 : address.high();
  }

  /** The bits behind {@link #first}; 0 for IPv4. */
  static long second(IpAddress address) {
    return address.isV4() ? 0 : address.low();
  }

  /** The address that {@link #first} and {@link #second} were taken of. */
  static IpAddress address(boolean v4, long first, long second) {
    return v4 ? IpAddress.ofV4((int) (first >>> 32)) : new IpAddress(first, second);
  }

  /** The smallest number of bits that can tell {@code values} values apart; 0 for one or none. */
  static int bitsFor(long values) {
    return values <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(values - 1);
  }
}
