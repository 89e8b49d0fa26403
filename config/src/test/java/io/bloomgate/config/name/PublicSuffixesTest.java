package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Public suffixes of both sections of the list are known. */
class PublicSuffixesTest {

  @Test
  void knowsPublicSuffixesOfBothSections() {
    assertTrue(PublicSuffixes.contains(name("co.uk")));
    assertTrue(PublicSuffixes.contains(name("github.io")));
    assertTrue(PublicSuffixes.contains(name("个人.hk")));
    assertTrue(PublicSuffixes.contains(name("foo.ck")));
    assertFalse(PublicSuffixes.contains(name("www.ck")));
    assertFalse(PublicSuffixes.contains(name("example.co.uk")));
    assertFalse(PublicSuffixes.contains(name("example.com")));
    assertFalse(PublicSuffixes.contains(name("_x.example.com")));
    assertFalse(PublicSuffixes.contains(name("-a.example")));
  }

  private static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }
}
