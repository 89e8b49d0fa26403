package io.bloomgate.gateway.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.config.name.IpAddress;
import java.nio.ByteBuffer;

/**
 * Writes headers of the PROXY protocol, versions 1 and 2 (HAProxy's proxy-protocol.txt, sections
 * 2.1 and 2.2). Pure; used before the upstream's greeting, and by whoever plays a proxy in front of
 * the gateway.
 */
public final class ProxyHeaderWriter {

  private static final byte[] SIGNATURE = {
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a
  };
  private static final byte VERSION_2_LOCAL = 0x20;
  private static final byte VERSION_2_PROXY = 0x21;
  private static final byte TCP_OVER_IPV4 = 0x11;
  private static final byte TCP_OVER_IPV6 = 0x21;

  private ProxyHeaderWriter() {}

  /** "This connection is the proxy's own": for probes. */
  public static byte[] local() {
    return ByteBuffer.allocate(16).put(SIGNATURE).put(VERSION_2_LOCAL).array();
  }

  /**
   * The client's and the reached address. Where only one of them is IPv4 both are written as IPv6,
   * the other one mapped, because the header has one family for both.
   */
  public static byte[] of(ClientIdentity client) {
    boolean v4 = client.address().isV4() && client.destination().isV4();
    int length = v4 ? 12 : 36;
    ByteBuffer header = ByteBuffer.allocate(16 + length);
    header.put(SIGNATURE).put(VERSION_2_PROXY);
    header.put(v4 ? TCP_OVER_IPV4 : TCP_OVER_IPV6).putShort((short) length);
    putAddress(header, client.address(), v4);
    putAddress(header, client.destination(), v4);
    header.putShort((short) client.port()).putShort((short) client.destinationPort());
    return header.array();
  }

  /** "Nothing is known of who connects", in version 1: for probes. */
  public static byte[] unknownV1() {
    return "PROXY UNKNOWN\r\n".getBytes(US_ASCII);
  }

  /** As {@link #of}, in version 1: a line of text. */
  public static byte[] v1(ClientIdentity client) {
    boolean v4 = client.address().isV4() && client.destination().isV4();
    String line =
        (v4 ? "PROXY TCP4 " : "PROXY TCP6 ")
            + text(client.address(), v4)
            + ' '
            + text(client.destination(), v4)
            + ' '
            + client.port()
            + ' '
            + client.destinationPort()
            + "\r\n";
    return line.getBytes(US_ASCII);
  }

  private static String text(IpAddress address, boolean v4) {
    return v4 || !address.isV4() ? address.toString() : "::ffff:" + address;
  }

  private static void putAddress(ByteBuffer header, IpAddress address, boolean v4) {
    if (v4) {
      header.putInt(address.v4Bits());
    } else {
      header.putLong(address.high()).putLong(address.low());
    }
  }
}
