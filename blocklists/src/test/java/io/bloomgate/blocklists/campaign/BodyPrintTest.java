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
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "like:9734b97f1747b38ee2c28530d40f532af4926328b4889071faef5e2366c94be5"
            + "a03a1ad11946f0835811ca22893aa6ef5aa01fee79be59c3017ea315a53e8ca8",
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

  /** Pieces of any length, down to one character, end in the same prints. */
  @Test
  void everyCutGivesTheSame() {
    List<String> pieces =
        List.of(
            "http://a.example/" + "x".repeat(1_000) + "<tail",
            "w".repeat(255) + "\ud83d\ude00after",
            "w".repeat(256) + " www." + "a".repeat(300),
            "\ud842\udfb7".repeat(200),
            "a\u0301\u0301 e\u0301",
            "१२३नमस्ते",
            "1,2,3 4 5 6",
            "Gr\u00fc\u00dfe, \u00c4\u00bdx\u00b2 1\u00ad2\u00a03 \u00ab4\u00bb",
            "http\u00fc://x\u00a0c p://\u00a8d www.\u00a8 www.\u00e9",
            "\u010dau \u2019t",
            "://x www. .www http:/ http:// ",
            "\ud83d \udc00\ud83d");
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 300; round++) {
      List<String> words = new ArrayList<>(texts.words(random.nextInt(30, 80)));
      words.addAll(pieces.subList(0, random.nextInt(pieces.size() + 1)));
      Collections.shuffle(words, new Random(random.nextLong()));
      char[] text = String.join(random.nextBoolean() ? " " : "\r\n", words).toCharArray();
      Prints whole = prints(new String(text));
      int most = 1 << random.nextInt(10);
      for (int at = 0; at < text.length; ) {
        int length = Math.min(text.length - at, random.nextInt(most + 1));
        reader.put(text, at, length);
        at += length;
      }
      assertEquals(whole, reader.end(), "seed " + SEED + " round " + round);
    }
  }

  /** What the short way for ISO 8859-1 gives is what the other way gives. */
  @ParameterizedTest
  @ValueSource(ints = {0x7f, 0x100})
  void charactersTakeTheSameWordsOnBothWays(int end) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 300; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 600; i++) {
        text.append((char) random.nextInt(' ', end));
        text.append(i % 100 == 99 ? " " : random.nextInt(20) == 0 ? " www.a http://b" : "");
      }
      text.append(TAIL);
      // What nobody sees brings each piece to the other way.
      String wide = text.toString().replaceAll("(?<!\\S)(?=\\S)", "\u200b");
      assertEquals(prints(text.toString()), prints(wide), "seed " + SEED + " round " + round);
    }
  }

  /** Which texts have an exact value never changes either. */
  @Test
  void aNumberInFrontOfAWordOfOneCharacterCountsAsAWordWithLetters() {
    String words = String.join(" ", texts.words(BodyPrint.LEAST_WORDS - 2));
    assertNotNull(prints(words + " 1\u8acb").exact());
    assertNull(prints(words + " 1 \u8acb").exact());
  }

  @Test
  void onlyTheFirstWordsCount() {
    String begin = String.join(" ", texts.words(BodyPrint.MOST_WORDS));
    Prints prints = prints(begin);
    assertEquals(prints, prints(begin + " and more words " + "x".repeat(100_000)));
    assertNotEquals(prints, prints(begin.substring(begin.indexOf(' ') + 1) + " end"));
  }

  @Test
  void copiesWithAnotherGreetingAreAlike() {
    for (int i = 0; i < 500; i++) {
      String text = String.join(" ", texts.text());
      Likeness one = prints("Dear Mr " + texts.words(1).getFirst() + ", " + text).likeness();
      Likeness other = prints("Hello " + texts.words(2) + "! " + text).likeness();
      assertNotNull(one);
      assertNotNull(other);
      assertTrue(one.isAlike(other), "seed " + SEED + " text " + i);
    }
  }

  @Test
  void editedCopiesAreAlikeAndOtherTextsAreNot() {
    List<Likeness> originals = new ArrayList<>();
    int alike = 0;
    int pairs = 2_000;
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
