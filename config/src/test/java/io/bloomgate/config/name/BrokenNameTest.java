package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What lists are asked about names that are none. */
class BrokenNameTest {

  private static String asked(String text) {
    return DomainName.asked(text).map(DomainName::toString).orElse("-");
  }

  @ParameterizedTest
  @CsvSource({
    "Mail.Spam.Example., mail.spam.example",
    "a.xn--0.spam.example, a.xn--0.spam.example",
    "a..spam.example, ?.spam.example",
    "spam.example.., spam.example",
    "\u2028.spam.example, ?.spam.example",
    "\u00ad.spam.example, ?.spam.example",
    "a\u200d.spam.example, a.spam.example",
    "a.b.\u2028.SPAM.b\u00fccher.example, ?.spam.xn--bcher-kva.example",
    "\u2028.spam\u3002example, ?.spam.example",
    "1.\u05d0.spam.example, 1.xn--4db.spam.example",
    "spam\u2024example, spam.example",
    "a!b.spam\u2024example, ?.spam.example",
    "a.Sp\uDB40\uDC01am.example, a.spam.example",
    "spam.exam\uDB40\uDC01ple, spam.example",
    "localhost, -",
    "\u2028.example, -",
    "spam.example.\u2028, -",
    "a..1.2, -",
    "192.0.2.1, -",
    ".., -",
  })
  void asMuchIsAskedAsCanBeRead(String text, String name) {
    assertEquals(name, asked(text));
  }

  @Test
  void aNameThatIsTooLongLosesItsFirstLabels() {
    DomainName name = DomainName.asked("a.".repeat(130) + "spam.example").orElseThrow();
    assertTrue(name.toString().startsWith("?.a.a."), name.toString());
    assertTrue(name.toString().endsWith(".a.spam.example"), name.toString());
    assertTrue(name.length() <= DomainName.MAX_OCTETS);
    assertEquals("?.spam.example", asked("x".repeat(64) + ".spam.example"));
    assertEquals("?.spam.example", asked("x".repeat(1_000_000) + ".spam.example"));
  }

  /** ICU throws for a label above 1,000; U+FDFA has 18 characters in plain letters. */
  @Test
  void aLabelThatIsTooLongForIcuIsNotRead() {
    for (String label : List.of("\u0436".repeat(1_011), "\u0436" + "\ufdfa".repeat(60))) {
      assertTrue(DomainName.parse(label + ".spam.example").toOptional().isEmpty());
      assertEquals("?.spam.example", asked(label + ".spam.example"));
    }
  }

  /** Whatever is before the listed parent, that parent is asked. */
  @Test
  void noLabelHidesAParent() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    DomainName parent = DomainName.parse("spam.example").toOptional().orElseThrow();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(12); length >= 0; length--) {
        int c =
            random.nextInt(4) == 0 ? random.nextInt(0x3100) : "ax-.01n_".charAt(random.nextInt(8));
        text.appendCodePoint(c);
      }
      String name = text + ".Spam.example";
      DomainName asked = DomainName.asked(name).orElseThrow();
      assertTrue(parent.covers(asked), () -> "seed " + seed + ": " + name + " asked as " + asked);
    }
  }
}
