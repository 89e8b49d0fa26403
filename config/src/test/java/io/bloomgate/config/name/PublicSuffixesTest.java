package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.net.InternetDomainName;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Public suffixes of both sections of the list are known, and Guava's class for names agrees. */
class PublicSuffixesTest {

  private static final long SEED = 0x5aff_1ce5L;

  @ParameterizedTest
  @CsvSource({
    "co.uk, true",
    "github.io, true",
    "个人.hk, true",
    "www.ck, false",
    "example.co.uk, false",
    "example.com, false",
    "_x.example.com, false",
    "s3.dualstack.eu-west-1.amazonaws.com, true",
    "city.kawasaki.jp, false",
    "any.kawasaki.jp, true",
  })
  void knowsPublicSuffixesOfBothSections(String text, boolean expected) {
    assertEquals(expected, contains(text));
    SplittableRandom random = new SplittableRandom(SEED);
    String suffix = DomainName.parse(text).toOptional().orElseThrow().toString();
    for (int i = 0; i < 1_000; i++) {
      String near =
          switch (random.nextInt(3)) {
            case 0 -> "www." + suffix;
            case 1 -> "x" + suffix;
            default ->
                Integer.toString(random.nextInt(100), 36) + suffix.replaceFirst("^[^.]+", "");
          };
      boolean guava =
          InternetDomainName.isValid(near) && InternetDomainName.from(near).isPublicSuffix();
      assertEquals(guava, contains(near), "seed " + SEED + ": " + near);
    }
  }

  private static boolean contains(String text) {
    return PublicSuffixes.contains(DomainName.parse(text).toOptional().orElseThrow());
  }
}
