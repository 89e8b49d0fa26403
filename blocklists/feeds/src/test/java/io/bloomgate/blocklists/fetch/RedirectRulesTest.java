package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.name.IpAddress;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where redirects must not lead, however the address is wrapped. */
class RedirectRulesTest {

  private static boolean inside(String address) {
    return RedirectRules.isInside(IpAddress.parse(address).toOptional().orElseThrow());
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          true, 127.0.0.1 10.0.0.5 100.64.0.1 169.254.169.254 0.0.0.0 255.255.255.255 192.0.0.8
          true, 198.18.0.1 198.19.255.255 ::1 :: ::ffff:10.0.0.5 ::10.0.0.5 fe80::1 fec0::1
          true, fd00::1 ff02::1 64:ff9b::10.0.0.5 64:ff9b::7f00:1 64:ff9b:1::1 2002:a00:5::1
          true, 2002:7f00:1:: 2001::1 2001:0:a00:5::1 2001:2::1 100::1
          false, 203.0.113.1 8.8.8.8 192.0.1.1 198.17.255.255 198.20.0.0 2001:200::1
          false, 2606:4700::1 64:ff9b::8.8.8.8 2002:808:808::1
          """)
  void isInsideOrOfTheWorld(boolean inside, String addresses) {
    for (String address : addresses.split(" ", -1)) {
      assertEquals(inside, inside(address), address);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true, localhost intranet intranet. a.LOCALHOST x.home.arpa",
    "false, lists.example.org local.example 10.0.0.5 ::1 a.uk."
  })
  void isANameOfInsideOrNot(boolean inside, String names) {
    for (String name : names.split(" ", -1)) {
      assertEquals(inside, RedirectRules.isInsideName(name), name);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      textBlock =
          """
          http://a/b/c/d;p?q g:h g:h
          http://a/b/c/d;p?q g http://a/b/c/g
          http://a/b/c/d;p?q /g http://a/g
          http://a/b/c/d;p?q //g http://g
          http://a/b/c/d;p?q ?y http://a/b/c/d;p?y
          http://a/b/c/d;p?q g?y/../x http://a/b/c/g?y/../x
          http://a/b/c/d;p?q '' http://a/b/c/d;p?q
          http://a/b/c/d;p?q .. http://a/b/
          http://a/b/c/d;p?q ../../g http://a/g
          http://a/b/c/d;p?q ./g/. http://a/b/c/g/
          http://a/b/c/d;p?q http:g http:g
          http://a g http://a/g
          http://a:8080 ?y http://a:8080/?y
          http://a/x%2Fy z%20w?b=%e9&&c http://a/z%20w?b=%e9&&c
          """)
  void aReferenceIsResolvedAsTheRfcSays(String base, String reference, String target) {
    assertEquals(
        URI.create(target), RedirectRules.resolved(URI.create(base), URI.create(reference)));
  }
}
