package io.bloomgate.gateway.wire;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.wire.ProxyHeader.Progress;
import io.bloomgate.gateway.wire.ProxyHeader.Proxied;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Version 2 of the PROXY header: binary, section 2.2 of proxy-protocol.txt. Pure. */
final class ProxyHeaderV2 {

  private static final byte[] SIGNATURE = {
    '\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'
  };
  private static final int FIXED_OCTETS = 16;
  private static final int COMMAND_AT = 12;
  private static final int FAMILY_AT = 13;
  private static final int LENGTH_AT = 14;

  private static final int VERSION_2 = 0x20;
  private static final int COMMAND_LOCAL = 0;
  private static final int COMMAND_PROXY = 1;

  private static final int TCP_OVER_IPV4 = 0x11;
  private static final int TCP_OVER_IPV6 = 0x21;
  private static final int UNSPECIFIED = 0x00;
  private static final int UNIX_STREAM = 0x31;
  private static final int IPV4_BLOCK_OCTETS = 12;
  private static final int IPV6_BLOCK_OCTETS = 36;

  private static final int TLV_HEADER_OCTETS = 3;
  private static final int TLV_CRC32C = 0x03;

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private ProxyHeaderV2() {}

  // ---- written

  static byte[] of(Proxied header) {
    boolean v4 = header.bothV4();
    int length = v4 ? IPV4_BLOCK_OCTETS : IPV6_BLOCK_OCTETS;
    ByteBuffer octets = ByteBuffer.allocate(FIXED_OCTETS + length);
    octets.put(SIGNATURE).put((byte) (VERSION_2 | COMMAND_PROXY));
    octets.put((byte) (v4 ? TCP_OVER_IPV4 : TCP_OVER_IPV6)).putShort((short) length);
    putAddress(octets, header.source(), v4);
    putAddress(octets, header.destination(), v4);
    octets.putShort((short) header.sourcePort()).putShort((short) header.destinationPort());
    return octets.array();
  }

  static byte[] local() {
    byte command = (byte) (VERSION_2 | COMMAND_LOCAL);
    return ByteBuffer.allocate(FIXED_OCTETS).put(SIGNATURE).put(command).array();
  }

  private static void putAddress(ByteBuffer octets, IpAddress address, boolean v4) {
    if (v4) {
      octets.putInt(address.v4Bits());
    } else {
      octets.putLong(address.high()).putLong(address.low());
    }
  }

  // ---- read

  static Progress parse(byte[] octets, int offset, int length) {
    for (int i = 0; i < Math.min(length, SIGNATURE.length); i++) {
      if (octets[offset + i] != SIGNATURE[i]) {
        return new Progress.Bad("not a PROXY signature");
      }
    }
    if (length < FIXED_OCTETS) {
      return new Progress.NeedMore();
    }
    int versionAndCommand = octets[offset + COMMAND_AT] & 0xff;
    int command = versionAndCommand & 0x0f;
    if ((versionAndCommand & 0xf0) != VERSION_2 || command > COMMAND_PROXY) {
      return new Progress.Bad("PROXY version or command not known");
    }
    int blockOctets = unsignedShort(octets, offset + LENGTH_AT);
    int total = FIXED_OCTETS + blockOctets;
    if (length < total) {
      return new Progress.NeedMore();
    }
    if (command == COMMAND_LOCAL) {
      return new Progress.Done(new ProxyHeader.Unknown(), total);
    }
    return addresses(octets, offset, total);
  }

  private static Progress addresses(byte[] octets, int offset, int total) {
    int block = offset + FIXED_OCTETS;
    int end = offset + total;
    int family = octets[offset + FAMILY_AT] & 0xff;
    return switch (family) {
      case TCP_OVER_IPV4 -> {
        if (end - block < IPV4_BLOCK_OCTETS) {
          yield new Progress.Bad("PROXY address block too short");
        }
        ProxyHeader header =
            new Proxied(
                IpAddress.ofV4((int) INTS.get(octets, block)),
                unsignedShort(octets, block + 8),
                IpAddress.ofV4((int) INTS.get(octets, block + 4)),
                unsignedShort(octets, block + 10));
        yield withExtensions(header, octets, offset, block + IPV4_BLOCK_OCTETS, end);
      }
      case TCP_OVER_IPV6 -> {
        if (end - block < IPV6_BLOCK_OCTETS) {
          yield new Progress.Bad("PROXY address block too short");
        }
        ProxyHeader header =
            new Proxied(
                address6(octets, block),
                unsignedShort(octets, block + 32),
                address6(octets, block + 16),
                unsignedShort(octets, block + 34));
        yield withExtensions(header, octets, offset, block + IPV6_BLOCK_OCTETS, end);
      }
      case UNSPECIFIED, UNIX_STREAM -> new Progress.Done(new ProxyHeader.Unknown(), total);
      default -> new Progress.Bad("PROXY address family or transport not known");
    };
  }

  /** Walks over the type-length-value vectors; a checksum among them must be right. */
  private static Progress withExtensions(
      ProxyHeader header, byte[] octets, int offset, int tlvs, int end) {
    int at = tlvs;
    while (at < end) {
      if (end - at < TLV_HEADER_OCTETS) {
        return new Progress.Bad("PROXY extension cut off");
      }
      int value = at + TLV_HEADER_OCTETS;
      int valueOctets = unsignedShort(octets, at + 1);
      if (valueOctets > end - value) {
        return new Progress.Bad("PROXY extension cut off");
      }
      if (octets[at] == TLV_CRC32C && !checksumHolds(octets, offset, value, valueOctets, end)) {
        return new Progress.Bad("PROXY checksum wrong");
      }
      at = value + valueOctets;
    }
    return new Progress.Done(header, end - offset);
  }

  /** The checksum covers the whole header with its own four octets as zeros. */
  private static boolean checksumHolds(
      byte[] octets, int offset, int value, int valueOctets, int end) {
    if (valueOctets != Integer.BYTES) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(octets, offset, value - offset);
    crc.update(new byte[Integer.BYTES]);
    crc.update(octets, value + Integer.BYTES, end - value - Integer.BYTES);
    return (int) crc.getValue() == (int) INTS.get(octets, value);
  }

  private static IpAddress address6(byte[] octets, int at) {
    return new IpAddress((long) LONGS.get(octets, at), (long) LONGS.get(octets, at + 8));
  }

  private static int unsignedShort(byte[] octets, int at) {
    return (short) SHORTS.get(octets, at) & 0xffff;
  }
}
