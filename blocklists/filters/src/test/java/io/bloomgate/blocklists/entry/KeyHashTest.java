package io.bloomgate.blocklists.entry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Files contain hashes: a hash never changes, and two kinds never have the same one. */
class KeyHashTest {

  private static final KeyHash HASH = new KeyHash(0x0123456789abcdefL, 0xfedcba9876543210L);

  private static MailAddress address(String text) {
    return MailAddress.parse(text).toOptional().orElseThrow();
  }

  @Test
  void goldenVectors() {
    List<String> values =
        List.of(
            hex(HASH.ip(ip("192.0.2.1"))),
            hex(HASH.ip(ip("2001:db8::1"))),
            hex(HASH.pivot(ip("192.0.2.0"), 24)),
            hex(HASH.pivot(ip("2001:db8::"), 64)),
            hex(HASH.domain(name("mail.example.com"), 0)),
            hex(HASH.address(address("a@example.com"))),
            hex(HASH.address(address("a@[192.0.2.1]"))));
    assertEquals(
        List.of(
            "33a9ac7ba7b826c2",
            "fe5681f40938c8eb",
            "68301b49e9c63ce2",
            "5b92d44ab2586060",
            "1b09a1be4e7912ad",
            "e7ad1315a3fd69d9",
            "985cf64864184b20"),
        values);
  }

  @Test
  void kindsAndSeedsAreApart() {
    Set<Long> seen = new HashSet<>();
    IpAddress network = ip("192.0.2.0");
    assertTrue(seen.add(HASH.ip(network)));
    assertTrue(seen.add(HASH.pivot(network, 24)));
    assertTrue(seen.add(HASH.pivot(network, 32)));
    assertTrue(seen.add(HASH.address(address("a@[192.0.2.0]"))));
    assertTrue(seen.add(HASH.domain(name("example.com"), 0)));
    assertTrue(seen.add(HASH.address(address("a@example.com"))));
    assertTrue(seen.add(HASH.address(address("b@example.com"))));
    KeyHash other = new KeyHash(0x0123456789abcdefL, 0xfedcba9876543211L);
    assertNotEquals(HASH.ip(network), other.ip(network));
    KeyHash third = new KeyHash(0x1123456789abcdefL, 0xfedcba9876543210L);
    assertNotEquals(HASH.ip(network), third.ip(network));
  }

  private static String hex(long value) {
    return String.format("%016x", value);
  }

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }
}
