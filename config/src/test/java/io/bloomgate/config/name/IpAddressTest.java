package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses: strict reading, one value and one text each; Guava is the second opinion. */
class IpAddressTest {

  private static final long SEED = 0x10ad_ed5e_ed01L;

  static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow(() -> new AssertionError(text));
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "::ffff:192.0.2.1, 192.0.2.1",
    "0:0:0:0:0:FFFF:C000:0201, 192.0.2.1",
    "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:db8::192.0.2.33, 2001:db8::c000:221",
    "::, ::",
    "::1, ::1",
    "1::, 1::",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
    "0:0:1:0:0:0:1:0, 0:0:1::1:0",
  })
  void readsAndWritesOneText(String written, String canonical) {
    assertEquals(canonical, ip(written).toString());
    assertEquals(ip(written), ip(canonical));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "127.1",
        "2130706433",
        "0x7f.0.0.1",
        "1.2.3.4:25",
        "[::1]",
        "fe80::1%eth0",
        "::ffff:010.0.0.1",
        "١.2.3.4",
        "1.2.3.４",
        "::0x1",
        "--1::"
      })
  void refuses(String text) {
    assertInstanceOf(Parsed.Bad.class, IpAddress.parse(text), text);
  }

  @Test
  void agreesWithGuavaOnAnyOctets() {
    Random random = new Random(SEED + 2);
    int prefixes = 0;
    for (int i = 0; i < 40_000; i++) {
      String text = randomText(random) + (random.nextBoolean() ? "/" + random.nextInt(140) : "");
      byte[] octets = text.getBytes(ISO_8859_1);
      for (int changes = random.nextInt(3); changes > 0; changes--) {
        octets[random.nextInt(octets.length)] = (byte) random.nextInt();
      }
      String candidate = new String(octets, ISO_8859_1);
      boolean ours = IpAddress.parse(octets, 0, octets.length).toOptional().isPresent();
      // Guava takes the names of interfaces, which are no part of an address here.
      boolean theirs = candidate.indexOf('%') < 0 && InetAddresses.isInetAddress(candidate);
      assertEquals(theirs, ours, "seed " + SEED + ": " + candidate);
      Optional<IpPrefix> prefix = IpPrefix.parse(octets, 0, octets.length).toOptional();
      if (prefix.isPresent()) {
        prefixes++;
        InetAddress value = InetAddresses.forString(candidate.split("/", 2)[0]);
        assertEquals(IpPrefix.around(IpAddress.of(value), prefix.get().length()), prefix.get());
        assertEquals(prefix, IpPrefix.parse(prefix.get().toString()).toOptional(), candidate);
      }
    }
    assertTrue(prefixes > 8_000, "the generator makes enough prefixes: " + prefixes);
  }

  private static String randomText(Random random) {
    if (random.nextBoolean()) {
      return random.nextInt(256)
          + "."
          + random.nextInt(256)
          + "."
          + random.nextInt(256)
          + "."
          + random.nextInt(256);
    }
    StringBuilder text = new StringBuilder();
    int groups = random.nextBoolean() ? 8 : random.nextInt(8);
    int gap = groups == 8 ? -1 : random.nextInt(groups + 1);
    for (int i = 0; i < groups; i++) {
      text.append(i == gap ? "::" : i == 0 ? "" : ":");
      text.append(Integer.toHexString(random.nextInt(4) == 0 ? 0 : random.nextInt(0x10000)));
    }
    return gap == groups ? text.append("::").toString() : text.toString();
  }
}
