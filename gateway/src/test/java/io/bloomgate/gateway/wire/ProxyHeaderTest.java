package io.bloomgate.gateway.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Listener.ProxyProtocol;
import io.bloomgate.gateway.wire.ProxyHeader.Progress;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PROXY headers of both versions, whole, cut, too short, too long, and forged. */
public final class ProxyHeaderTest {

  @ParameterizedTest
  @CsvSource({
    "TCP4 203.0.113.7 192.0.2.1 40000 25, 203.0.113.7, 40000, 192.0.2.1, 25",
    "TCP6 2001:db8::7 2001:db8::1 1234 25, 2001:db8::7, 1234, 2001:db8::1, 25",
    "TCP6 ::ffff:203.0.113.7 ::1 0 65535, 203.0.113.7, 0, ::1, 65535",
  })
  void versionOneIsRead(String line, String source, int port, String destination, int toPort) {
    byte[] octets = ("PROXY " + line + "\r\nEHLO").getBytes(ISO_8859_1);
    Progress.Done done = assertInstanceOf(Progress.Done.class, parse(octets, ProxyProtocol.V1));
    assertEquals(octets.length - 4, done.octets());
    assertEquals(new ProxyHeader.Proxied(ip(source), port, ip(destination), toPort), done.header());
  }

  @Test
  void versionOneUnknownCarriesNoAddress() {
    byte[] octets = "PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n".getBytes(ISO_8859_1);
    assertEquals(
        new Progress.Done(new ProxyHeader.Unknown(), octets.length),
        parse(octets, ProxyProtocol.BOTH));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PROXY TCP4 203.0.113.7 192.0.2.1 40000\r\n",
        "PROXY TCP4 203.0.113.7 192.0.2.1 40000 25 x\r\n",
        "PROXY TCP4 203.0.113.007 192.0.2.1 40000 25\r\n",
        "PROXY TCP4 203.0.113.7 192.0.2.1 40000 65536\r\n",
        "PROXY TCP4 203.0.113.7 192.0.2.1 040 25\r\n",
        "PROXY TCP4 203.0.113.7 192.0.2.1 -1 25\r\n",
        "PROXY TCP4 2001:db8::1 192.0.2.1 1 25\r\n",
        "PROXY TCP6 203.0.113.7 192.0.2.1 1 25\r\n",
        "PROXY TCP4  203.0.113.7 192.0.2.1 1 25\r\n",
        "PROXY UDP4 203.0.113.7 192.0.2.1 1 25\r\n",
        "PROXY TCP4 203.0.113.7 192.0.2.1 1 25\n",
        "PROXX TCP4 203.0.113.7 192.0.2.1 1 25\r\n",
        "EHLO me\r\n",
      })
  void versionOneIsStrict(String line) {
    assertInstanceOf(
        Progress.Bad.class, parse(line.getBytes(ISO_8859_1), ProxyProtocol.BOTH), line);
  }

  @Test
  void versionOneHasAnEnd() {
    byte[] endless = ("PROXY TCP4 " + "1".repeat(200)).getBytes(ISO_8859_1);
    assertInstanceOf(Progress.Bad.class, parse(endless, ProxyProtocol.V1));
  }

  @Test
  void versionTwoIsReadWithLengthsThatLookNegative() throws UnknownHostException {
    // Total lengths 150 and 300: the low octet of 150 is negative as a Java byte.
    for (int length : new int[] {12, 127, 128, 150, 255, 256, 300, 40_000}) {
      byte[] header = v2(0x21, 0x11, block4(), paddedTo(length - 12));
      Progress.Done done =
          assertInstanceOf(Progress.Done.class, parse(header, ProxyProtocol.V2), "" + length);
      assertEquals(16 + length, done.octets());
      assertEquals(
          new ProxyHeader.Proxied(ip("203.0.113.7"), 50_000, ip("192.0.2.1"), 25), done.header());
    }
  }

  @Test
  void versionTwoReadsPortsOfIpv6BehindBothAddresses() throws UnknownHostException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(InetAddress.getByName("2001:db8::7").getAddress());
    block.writeBytes(InetAddress.getByName("2001:db8::1").getAddress());
    block.writeBytes(HexFormat.of().parseHex("04d20019"));
    Progress.Done done =
        assertInstanceOf(
            Progress.Done.class,
            parse(v2(0x21, 0x21, block.toByteArray(), new byte[0]), ProxyProtocol.BOTH));
    assertEquals(
        new ProxyHeader.Proxied(ip("2001:db8::7"), 1234, ip("2001:db8::1"), 25), done.header());
  }

  @Test
  void mixedFamiliesAreWrittenAsIpv6() {
    byte[] written = new ProxyHeader.Proxied(ip("2001:db8::7"), 1234, ip("192.0.2.25"), 25).v2();
    assertEquals(
        "0d0a0d0a000d0a515549540a21210024"
            + "20010db800000000000000000000000700000000000000000000ffffc0000219"
            + "04d20019",
        HexFormat.of().formatHex(written));
  }

  @Test
  void versionTwoLocalAndUnspecifiedCarryNoAddress() {
    for (byte[] header :
        List.of(
            v2(0x20, 0, none(), none()),
            v2(0x21, 0, new byte[12], none()),
            v2(0x21, 0x31, new byte[216], none()))) {
      assertEquals(
          new Progress.Done(new ProxyHeader.Unknown(), header.length),
          parse(header, ProxyProtocol.V2));
    }
  }

  @Test
  void versionTwoShortBlocksAndWrongKindsAreRefused() {
    byte[] tlvTooLong = {1, 0, 9, 'x'};
    for (byte[] bad :
        List.of(
            v2(0x21, 0x11, new byte[11], none()),
            v2(0x21, 0x21, new byte[35], none()),
            v2(0x21, 0x12, block4(), none()),
            v2(0x22, 0x11, block4(), none()),
            v2(0x11, 0x11, block4(), none()),
            v2(0x21, 0x11, block4(), new byte[2]),
            v2(0x21, 0x11, block4(), tlvTooLong))) {
      assertInstanceOf(
          Progress.Bad.class, parse(bad, ProxyProtocol.V2), HexFormat.of().formatHex(bad));
    }
  }

  @Test
  void versionTwoChecksumMustHold() {
    byte[] tlv = {3, 0, 4, 0, 0, 0, 0};
    byte[] header = v2(0x21, 0x11, block4(), tlv);
    CRC32C crc = new CRC32C();
    crc.update(header);
    int sum = (int) crc.getValue();
    for (int i = 0; i < 4; i++) {
      header[header.length - 4 + i] = (byte) (sum >>> (24 - 8 * i));
    }
    assertInstanceOf(Progress.Done.class, parse(header, ProxyProtocol.V2));
    header[20] ^= 1;
    assertInstanceOf(Progress.Bad.class, parse(header, ProxyProtocol.V2));
  }

  @Test
  void versionsThatAreNotAcceptedAreRefused() {
    byte[] one = "PROXY UNKNOWN\r\n".getBytes(ISO_8859_1);
    byte[] two = v2(0x20, 0, none(), none());
    assertInstanceOf(Progress.Bad.class, parse(one, ProxyProtocol.V2));
    assertInstanceOf(Progress.Bad.class, parse(two, ProxyProtocol.V1));
  }

  @Test
  void everyCutAsksForMoreAndNoneIsMisread() {
    byte[] two = v2(0x21, 0x11, block4(), paddedTo(30));
    byte[] one = "PROXY TCP4 203.0.113.7 192.0.2.1 40000 25\r\n".getBytes(ISO_8859_1);
    for (byte[] whole : new byte[][] {one, two}) {
      for (int length = 0; length < whole.length; length++) {
        assertEquals(
            new Progress.NeedMore(),
            ProxyHeader.parse(whole, 0, length, ProxyProtocol.BOTH),
            "at " + length);
      }
    }
  }

  @Test
  void whatIsReadOfRandomOctetsIsWhatAHeaderSays() {
    long seed = 7;
    Random random = new Random(seed);
    byte[] start = v2(0x21, 0x11, block4(), paddedTo(20));
    int headers = 0;
    for (int round = 0; round < 10_000; round++) {
      byte[] octets = start.clone();
      for (int i = random.nextInt(4); i > 0; i--) {
        octets[12 + random.nextInt(octets.length - 12)] = (byte) random.nextInt();
      }
      int length = random.nextInt(octets.length + 1);
      Progress read = ProxyHeader.parse(octets, 0, length, ProxyProtocol.BOTH);
      if (read instanceof Progress.Done(ProxyHeader header, int used)) {
        headers++;
        assertTrue(used <= length, "seed " + seed);
        assertEquals(read, ProxyHeader.parse(octets, 0, used, ProxyProtocol.BOTH));
        assertEquals(
            new Progress.NeedMore(),
            ProxyHeader.parse(octets, 0, used - 1, ProxyProtocol.BOTH),
            "seed " + seed);
        byte[] written = header.v2();
        assertEquals(new Progress.Done(header, written.length), parse(written, ProxyProtocol.V2));
      }
    }
    assertTrue(headers > 100, "the generator makes enough headers: " + headers);
  }

  private static Progress parse(byte[] octets, ProxyProtocol accepted) {
    byte[] shifted = new byte[octets.length + 3];
    System.arraycopy(octets, 0, shifted, 3, octets.length);
    return ProxyHeader.parse(shifted, 3, octets.length, accepted);
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  private static byte[] none() {
    return new byte[0];
  }

  /** 203.0.113.7:50000 to 192.0.2.1:25. */
  private static byte[] block4() {
    return HexFormat.of().parseHex("cb007107c0000201c3500019");
  }

  /** One vector without meaning that takes this number of octets. */
  private static byte[] paddedTo(int octets) {
    byte[] tlv = new byte[octets];
    if (octets > 0) {
      tlv[0] = 4;
      tlv[1] = (byte) ((octets - 3) >>> 8);
      tlv[2] = (byte) (octets - 3);
    }
    return tlv;
  }

  public static byte[] v2(int command, int family, byte[] block, byte[] extensions) {
    int length = block.length + extensions.length;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("\r\n\r\n\0\r\nQUIT\n".getBytes(ISO_8859_1));
    out.write(command);
    out.write(family);
    out.write(length >>> 8);
    out.write(length);
    out.writeBytes(block);
    out.writeBytes(extensions);
    return out.toByteArray();
  }
}
