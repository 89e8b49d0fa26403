package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of RFC 3986 sections 5.4.1 and 5.4.2, fragments apart, and bases without a path. */
class UrlReferenceTest {

  private static final URI BASE = URI.create("http://a/b/c/d;p?q");

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      textBlock =
          """
          g:h g:h
          g http://a/b/c/g
          ./g http://a/b/c/g
          g/ http://a/b/c/g/
          /g http://a/g
          //g http://g
          ?y http://a/b/c/d;p?y
          g?y http://a/b/c/g?y
          #s http://a/b/c/d;p?q
          g#s http://a/b/c/g
          g?y#s http://a/b/c/g?y
          ;x http://a/b/c/;x
          '' http://a/b/c/d;p?q
          . http://a/b/c/
          ./ http://a/b/c/
          .. http://a/b/
          ../ http://a/b/
          ../g http://a/b/g
          ../.. http://a/
          ../../g http://a/g
          ../../../g http://a/g
          /./g http://a/g
          /../g http://a/g
          g. http://a/b/c/g.
          ..g http://a/b/c/..g
          ./../g http://a/b/g
          ./g/. http://a/b/c/g/
          g/./h http://a/b/c/g/h
          g/../h http://a/b/c/h
          g;x=1/../y http://a/b/c/y
          g?y/../x http://a/b/c/g?y/../x
          http:g http:g
          https://x/../y?z https://x/y?z
          """)
  void isResolvedAsTheRfcSays(String reference, String target) {
    assertEquals(URI.create(target), UrlReference.resolve(BASE, URI.create(reference)));
  }

  @ParameterizedTest
  @CsvSource({
    "http://a, g, http://a/g",
    "http://a:8080, ?y, http://a:8080?y",
    "http://a?q, '', http://a?q",
    "http://a/x%2Fy, z%20w, http://a/z%20w"
  })
  void aBaseMayHaveNoPath(String base, String reference, String target) {
    assertEquals(URI.create(target), UrlReference.resolve(URI.create(base), URI.create(reference)));
  }
}
