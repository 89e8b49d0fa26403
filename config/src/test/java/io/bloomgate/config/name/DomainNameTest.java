package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.icu.text.IDNA;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names by UTS 46; one name, one value. */
class DomainNameTest {

  private static final long SEED = 0x10ad_ed5e_ed03L;
  private static final String LONG_LABEL = "x".repeat(63);

  static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow(() -> new AssertionError(text));
  }

  @ParameterizedTest
  @CsvSource({
    "example.com, example.com",
    "EXAMPLE.Com., example.com",
    "_dmarc.a-b.example, _dmarc.a-b.example",
    "r3---sn-abc.example, r3---sn-abc.example",
    "-a.example, -a.example",
    "1.2.3.example, 1.2.3.example",
    "bücher.example, xn--bcher-kva.example",
    "XN--BCHER-KVA.example, xn--bcher-kva.example",
    "straße.example, xn--strae-oqa.example",
    "ПРИМЕР.example, xn--e1afmkfd.example",
    "例え。alpha。example, xn--r8jz45g.alpha.example",
    "example.рф, example.xn--p1ai",
    "ｅｘａｍｐｌｅ.com, example.com",
    "bu\u0308cher.example, xn--bcher-kva.example",
  })
  void readsOneValue(String written, String canonical) {
    assertEquals(canonical, name(written).toString());
    byte[] octets = written.getBytes(UTF_8);
    assertEquals(name(canonical), DomainName.parse(octets, 0, octets.length).toOptional().get());
    assertEquals(name(canonical).hashCode(), name(written).hashCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "com",
        "a..b.example",
        "example.com..",
        "192.0.2.1",
        "a b.example",
        "*.example.com",
        "a@b.example",
        "a\u0000.example",
        "xn--a.example",
        "xn--bcher-kva-.example",
        "a\u200d.example",
        "אa.example",
        "\u0301a.example",
        "\ud800.example",
        "example.com:25",
      })
  void refuses(String text) {
    assertInstanceOf(Parsed.Bad.class, DomainName.parse(text), text);
  }

  @Test
  void keepsTheLengthsOfRfc1035() {
    name(LONG_LABEL + ".example");
    assertInstanceOf(Parsed.Bad.class, DomainName.parse(LONG_LABEL + "x.example"));
    String labels = (LONG_LABEL + ".").repeat(3);
    String whole = labels + "x".repeat(DomainName.MAX_OCTETS - labels.length());
    assertEquals(DomainName.MAX_OCTETS, name(whole).length());
    name(whole + ".");
    assertInstanceOf(Parsed.Bad.class, DomainName.parse(whole + "x"));
    assertInstanceOf(Parsed.Bad.class, DomainName.parse("ü".repeat(2000) + ".example"));
  }

  @Test
  void coversOnLabelBorders() {
    DomainName parent = name("example.com");
    assertTrue(parent.covers(parent));
    assertTrue(parent.covers(name("a.b.example.com")));
    assertFalse(parent.covers(name("notexample.com")));
    assertFalse(parent.covers(name("example.com.invalid")));
    assertFalse(name("a.example.com").covers(parent));
  }

  @Test
  void givesParentsOfTwoOrMoreLabels() {
    DomainName name = name("a.bc.def.example");
    assertEquals(4, name.labels());
    assertEquals("bc.def.example", name.from(1).toString());
    assertEquals(name("def.example"), name.from(2));
    assertEquals(2, name.from(2).labels());
    assertEquals(5, name.labelOffset(2));
    assertThrows(IllegalArgumentException.class, () -> name.from(3));
  }

  @Test
  void readingIsTotalAndStable() {
    Random random = new Random(SEED);
    String alphabet = "abzAZ09-_.xn--.。üßא\u200d\u0301 *\u0000\ufffd例";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(24); length > 0; length--) {
        text.append(
            random.nextInt(50) == 0
                ? (char) random.nextInt(0x10000)
                : alphabet.charAt(random.nextInt(alphabet.length())));
      }
      DomainName.parse(text.toString())
          .toOptional()
          .ifPresent(
              name -> assertEquals(name, name(name.toString()), "seed " + SEED + ": " + text));
    }
  }

  /** What fits is never taken for too long, whatever its letters are. */
  @Test
  void takesEveryLabelThatFits() {
    IDNA oracle =
        IDNA.getUTS46Instance(
            IDNA.NONTRANSITIONAL_TO_ASCII | IDNA.CHECK_BIDI | IDNA.CHECK_CONTEXTJ);
    Random random = new Random(SEED);
    int full = 0;
    for (int i = 0; i < 20_000; i++) {
      String label = letters(random);
      IDNA.Info info = new IDNA.Info();
      String ascii = oracle.labelToASCII(label, new StringBuilder(), info).toString();
      String asked = label + ".example";
      if (!info.hasErrors() && ascii.matches("[a-z0-9-]+")) {
        assertEquals(ascii + ".example", name(asked).toString(), () -> SEED + " " + asked);
        full += ascii.length() > 55 ? 1 : 0;
      }
    }
    assertTrue(full > 500, "labels that nearly do not fit: " + full);
  }

  /** Up to 63 letters of one script, which lie near each other or far away; some are ASCII. */
  private static String letters(Random random) {
    int[] starts = {0xe0, 0x430, 0x4e00, 0xac00, 0x10400, 0x20000};
    int start = starts[random.nextInt(starts.length)];
    int spread = 1 + random.nextInt(random.nextBoolean() ? 20 : 2_000);
    int ascii = random.nextInt(4);
    StringBuilder label = new StringBuilder();
    for (int length = 1 + random.nextInt(63); length > 0; length--) {
      label.appendCodePoint(
          random.nextInt(4) < ascii ? 'a' + random.nextInt(26) : start + random.nextInt(spread));
    }
    return label.toString();
  }
}
