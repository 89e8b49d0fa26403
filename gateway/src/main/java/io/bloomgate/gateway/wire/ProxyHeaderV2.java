package io.bloomgate.gateway.wire;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.wire.ProxyHeader.Progress;
import io.bloomgate.gateway.wire.ProxyHeader.Proxied;
import java.nio.ByteBuffer;
import java.util.function.Function;
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
    ByteBuffer header = ByteBuffer.wrap(octets, offset, length).slice();
    int total = FIXED_OCTETS + (header.getShort(LENGTH_AT) & 0xffff);
    if (length < total) {
      return new Progress.NeedMore();
    }
    if (command == COMMAND_LOCAL) {
      return new Progress.Done(new ProxyHeader.Unknown(), total);
    }
    return addresses(header.limit(total).position(FIXED_OCTETS));
  }

  private static Progress addresses(ByteBuffer header) {
    int family = header.get(FAMILY_AT) & 0xff;
    return switch (family) {
      case TCP_OVER_IPV4 -> addresses(header, IPV4_BLOCK_OCTETS, ProxyHeaderV2::v4);
      case TCP_OVER_IPV6 -> addresses(header, IPV6_BLOCK_OCTETS, ProxyHeaderV2::v6);
      case UNSPECIFIED, UNIX_STREAM -> new Progress.Done(new ProxyHeader.Unknown(), header.limit());
      default -> new Progress.Bad("PROXY address family or transport not known");
    };
  }

  private static IpAddress v4(ByteBuffer header) {
    return IpAddress.ofV4(header.getInt());
  }

  private static IpAddress v6(ByteBuffer header) {
    return new IpAddress(header.getLong(), header.getLong());
  }

  /** Reads both addresses and ports; of what follows, a checksum must be right. */
  private static Progress addresses(
      ByteBuffer header, int blockOctets, Function<ByteBuffer, IpAddress> address) {
    if (header.remaining() < blockOctets) {
      return new Progress.Bad("PROXY address block too short");
    }
    IpAddress source = address.apply(header);
    IpAddress destination = address.apply(header);
    int sourcePort = header.getShort() & 0xffff;
    int destinationPort = header.getShort() & 0xffff;
    while (header.hasRemaining()) {
      if (header.remaining() < TLV_HEADER_OCTETS) {
        return new Progress.Bad("PROXY extension cut off");
      }
      int type = header.get();
      int valueOctets = header.getShort() & 0xffff;
      if (valueOctets > header.remaining()) {
        return new Progress.Bad("PROXY extension cut off");
      }
      if (type == TLV_CRC32C && !checksumHolds(header, valueOctets)) {
        return new Progress.Bad("PROXY checksum wrong");
      }
      header.position(header.position() + valueOctets);
    }
    return new Progress.Done(
        new Proxied(source, sourcePort, destination, destinationPort), header.limit());
  }

  /** The checksum covers the whole header with its own four octets as zeros. */
  private static boolean checksumHolds(ByteBuffer header, int valueOctets) {
    if (valueOctets != Integer.BYTES) {
      return false;
    }
    int value = header.position();
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, value));
    crc.update(new byte[Integer.BYTES]);
    crc.update(header.slice(value + Integer.BYTES, header.limit() - value - Integer.BYTES));
    return (int) crc.getValue() == header.getInt(value);
  }
}
