package io.bloomgate.blocklists.index;

import io.bloomgate.config.name.IpPrefix;
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

  /** True when the network that begins there with that length holds an address. */
  static boolean contains(
      long networkFirst, long networkSecond, int length, long first, long second) {
    return ((networkFirst ^ first) & IpPrefix.leading(length)) == 0
        && ((networkSecond ^ second) & IpPrefix.leading(length - Long.SIZE)) == 0;
  }

  /** The smallest number of bits that can tell {@code values} values apart; 0 for one or none. */
  static int bitsFor(long values) {
    return values <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(values - 1);
  }
}
