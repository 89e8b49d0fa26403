package io.bloomgate.config.name;

import static io.bloomgate.config.name.IpAddressTest.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks; arithmetic is checked against BigInteger. */
class IpPrefixTest {

  private static final long SEED = 0x10ad_ed5e_ed02L;

  private static IpPrefix net(String text) {
    return IpPrefix.parse(text).toOptional().orElseThrow(() -> new AssertionError(text));
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.0/24, 192.0.2.0/24, false",
    "192.0.2.129/25, 192.0.2.128/25, true",
    "192.0.2.1, 192.0.2.1, false",
    "192.0.2.1/32, 192.0.2.1, false",
    "0.0.0.0/0, 0.0.0.0/0, false",
    "::ffff:192.0.2.7/120, 192.0.2.0/24, true",
    "::ffff:0.0.0.0/96, 0.0.0.0/0, false",
    "2001:DB8::1/32, 2001:db8::/32, true",
    "::/0, ::/0, false",
    "2001:db8::1/128, 2001:db8::1, false",
  })
  void masksAndSaysSo(String written, String canonical, boolean masked) {
    Parsed.Ok<?> parsed = assertInstanceOf(Parsed.Ok.class, IpPrefix.parse(written));
    assertEquals(canonical, parsed.value().toString());
    assertEquals(masked, parsed.warning() != null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.0/33",
        "192.0.2.0/024",
        "192.0.2.0/255.255.255.0",
        "/24",
        "2001:db8::/129",
        "::ffff:1.2.3.4/95",
        "192.0.2.0/24/1",
      })
  void refuses(String text) {
    assertInstanceOf(Parsed.Bad.class, IpPrefix.parse(text), text);
  }

  @Test
  void familiesNeverMix() {
    assertFalse(net("::/0").contains(ip("192.0.2.1")));
    assertFalse(net("::/0").overlaps(net("0.0.0.0/0")));
    assertFalse(net("0.0.0.0/0").contains(ip("2001:db8::1")));
  }

  @Test
  void containsAsBigIntegersDo() {
    Random random = new Random(SEED);
    int inside = 0;
    for (int i = 0; i < 20_000; i++) {
      boolean v4 = random.nextBoolean();
      IpAddress a = random(random, v4);
      int bits = v4 ? 32 : 128;
      IpPrefix prefix = IpPrefix.around(a, random.nextInt(bits + 1));
      IpAddress b = random.nextBoolean() ? flip(a, random.nextInt(bits)) : random(random, v4);
      int shift = bits - prefix.length();
      boolean expected = number(a).shiftRight(shift).equals(number(b).shiftRight(shift));
      String what = "seed " + SEED + ": " + prefix + " " + b;
      assertEquals(expected, prefix.contains(b), what);
      assertTrue(prefix.contains(a), what);
      assertTrue(prefix.contains(prefix.last()), what);
      assertEquals(
          number(prefix.network()).add(BigInteger.ONE.shiftLeft(shift)).subtract(BigInteger.ONE),
          number(prefix.last()),
          what);
      IpPrefix other = IpPrefix.around(b, random.nextInt(bits + 1));
      boolean overlap = prefix.contains(other.network()) || other.contains(prefix.network());
      assertEquals(overlap, prefix.overlaps(other), what + " " + other);
      assertEquals(overlap, other.overlaps(prefix), what + " " + other);
      assertEquals(prefix, net(prefix.toString()), what);
      inside += expected ? 1 : 0;
    }
    assertTrue(inside > 2_000, "enough of both answers: " + inside);
  }

  private static BigInteger number(IpAddress a) {
    return new BigInteger(Long.toUnsignedString(a.high()))
        .shiftLeft(64)
        .or(new BigInteger(Long.toUnsignedString(a.low())));
  }

  private static IpAddress random(Random random, boolean v4) {
    return v4
        ? IpAddress.ofV4(random.nextInt())
        : new IpAddress(random.nextLong() | 1L << 61, random.nextLong());
  }

  private static IpAddress flip(IpAddress a, int bit) {
    return bit < 64
        ? new IpAddress(a.high(), a.low() ^ 1L << bit)
        : new IpAddress(a.high() ^ 1L << (bit - 64), a.low());
  }
}
