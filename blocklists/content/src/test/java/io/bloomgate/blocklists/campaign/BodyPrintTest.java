package io.bloomgate.blocklists.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.campaign.BodyPrint.Prints;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Likeness;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is alike in texts of mails, and what is not. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class BodyPrintTest {

  private static final long SEED = 20_261_124;

  /** Enough words for every fingerprint. */
  private static final String TAIL =
      " the quick brown fox jumps over the lazy dog while some other animals of the wood look on"
          + " and wonder why this sentence has to be so long that a print is made of it at all but"
          + " nobody answers them so everybody goes home in the end";

  private final BodyPrint reader = new BodyPrint(SEED);
  private final Texts texts = new Texts(SEED);

  private Prints prints(String text) {
    return Texts.prints(reader, text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Hello World               | hello, WORLD!",
        "code 1234                 | code 987654321",
        "sum 1,234.56 EUR          | sum 7 eur",
        "see http://a.example/b?c  | see https://other.example:8443/long/path?id=42#x",
        "see http://a.example/b?c  | see www.other.example/path",
        "see (http://a.example/b)  | see https://x.example",
        "see http://a.example<b    | see http://c.example<b",
        "pay\u00adment             | payment",
        "pay\u200bment ａｃｃｏｕｎｔ  | payment account",
        "Straße                    | STRASSE",
        "Ünïcödé text              | ünïcödé TEXT",
        "請支付 100 元               | 請 支 付 200元",
        "x\u00a0y                  | x y",
      })
  void theseAreTheSame(String one, String other) {
    Prints first = prints(one + TAIL);
    assertNotNull(first.exact());
    assertNotNull(first.likeness());
    assertEquals(first, prints(other + TAIL));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hello world    | helloworld",
        "see url here   | see http://a.example/ here",
        "see www. here  | see www.a.example here",
        "code 1         | code x",
        "naïve          | naive",
        "請支付           | 付請支",
        "http://a.ex<b  | http://a.ex",
      })
  void theseAreNot(String one, String other) {
    assertNotEquals(prints(one + TAIL).exact(), prints(other + TAIL).exact());
  }

  /** The value is exchanged between gateways: it never changes. */
  @Test
  void exactValueIsFixedAndHasNoSeed() {
    Fingerprint fixed =
        Fingerprint.parse("5bf145fe6930d8732cd503a9411f39741e88609522661e5ff6ee94f7d9be0932")
            .toOptional()
            .orElseThrow();
    assertEquals(fixed, prints("Order 17 of http://a.example/" + TAIL).exact());
    assertEquals(fixed, Texts.prints(new BodyPrint(7), "ORDER 4 OF www.b.example" + TAIL).exact());
  }

  /** Operator entries keep minima: with one seed these never change either. */
  @Test
  void minimaAreFixedForASeedAndDifferWithAnother() {
    Likeness likeness = prints(TAIL).likeness();
    assertNotNull(likeness);
    assertEquals(
        "like:3c1b18fdc3e44c95d86e1b9a7797d45895f2779c6eb650f2b51b2d0c2e9a101c"
            + "f9e8a5de43a6df148c634bb988265228e9254a4460331000671205b305a0e033",
        likeness.toString());
    Likeness other = Texts.prints(new BodyPrint(SEED + 1), TAIL).likeness();
    assertNotNull(other);
    assertTrue(likeness.equalMinima(other) <= 4, other::toString);
  }

  @Test
  void shortTextsHaveNone() {
    List<String> words = texts.words(BodyPrint.LEAST_WORDS_ALIKE);
    assertNotNull(Texts.prints(reader, words).likeness());
    assertNull(Texts.prints(reader, words.subList(1, words.size())).likeness());
    assertNotNull(Texts.prints(reader, words.subList(0, BodyPrint.LEAST_WORDS)).exact());
    assertNull(Texts.prints(reader, words.subList(1, BodyPrint.LEAST_WORDS)).exact());
    assertEquals(new Prints(null, null), prints(""));
    assertEquals(new Prints(null, null), prints("Your code is 123456. Do not share it."));
    // A table of numbers is no text, however long.
    assertNull(prints("1 2 3 4 5 6 7 8 9\n".repeat(1_000)).exact());
    assertNull(prints("http://a.example/ ".repeat(100)).exact());
  }

  @Test
  void onlyTheFirstWordsCount() {
    String begin = String.join(" ", texts.words(BodyPrint.MOST_WORDS));
    Prints prints = prints(begin);
    assertEquals(prints, prints(begin + " and more words " + "x".repeat(100_000)));
    assertNotEquals(prints, prints(begin.substring(begin.indexOf(' ') + 1) + " end"));
  }

  @Test
  void editedCopiesAreAlikeAndOtherTextsAreNot() {
    List<Likeness> originals = new ArrayList<>();
    int alike = 0;
    int pairs = 600;
    for (int i = 0; i < pairs; i++) {
      List<String> text = texts.text();
      Likeness original = Texts.prints(reader, text).likeness();
      Likeness edited = Texts.prints(reader, texts.edited(text, 0.05)).likeness();
      assertNotNull(original);
      assertNotNull(edited);
      alike += original.isAlike(edited) ? 1 : 0;
      originals.add(original);
    }
    assertTrue(alike >= 0.95 * pairs, "seed " + SEED + ": " + alike);
    for (int i = 0; i < originals.size(); i++) {
      for (int k = 0; k < i; k++) {
        assertTrue(originals.get(i).equalMinima(originals.get(k)) <= 8, i + " " + k);
      }
    }
  }
}
