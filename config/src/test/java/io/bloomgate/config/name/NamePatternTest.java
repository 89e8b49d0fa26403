package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Subjects of entries with a star or a dot in front, against a plain matcher. */
class NamePatternTest {

  private static final long SEED = Long.getLong("seed", 20_261_130);

  private static Subject entry(String text) {
    return switch (Subject.parseEntry(text)) {
      case Parsed.Ok<Subject>(Subject subject, var _) -> subject;
      case Parsed.Bad<Subject>(String reason) -> throw new AssertionError(text + ": " + reason);
    };
  }

  private static String parsed(String text) {
    return switch (Subject.parseEntry(text)) {
      case Parsed.Ok<Subject>(Subject subject, var _) ->
          subject.getClass().getSimpleName() + " " + subject;
      case Parsed.Bad<Subject>(String reason) -> "bad: " + reason;
    };
  }

  private static ListKey key(String text) {
    return text.indexOf('@') < 0
        ? DomainName.parse(text).toOptional().orElseThrow()
        : MailAddress.parse(text).toOptional().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    ".top, NamePattern .top",
    ".TOP., NamePattern .top",
    ".\u0440\u0444, NamePattern .xn--p1ai",
    "*.top, NamePattern .top",
    ".co.uk, NamePattern .co.uk",
    ".dyn.example, NamePattern .dyn.example",
    "*.Dyn.example, NamePattern .dyn.example",
    "**.dyn.example, NamePattern .dyn.example",
    "*@*.dyn.example, NamePattern .dyn.example",
    "*@.dyn.example, NamePattern .dyn.example",
    "*@unused.example, DomainName unused.example",
    "News-*@Shop.example, NamePattern news-*@shop.example",
    "<news-*@shop.example>, NamePattern news-*@shop.example",
    "pattern:news-**@shop.example, NamePattern news-*@shop.example",
    "dyn-*.pool.example, NamePattern dyn-*.pool.example",
    "a.*.b.pool.example, NamePattern a.*.b.pool.example",
    "'\"a*b\"@shop.example', MailAddress a*b@shop.example",
    "dyn.example, DomainName dyn.example",
    "192.0.2.1, IpPrefix 192.0.2.1",
    "192.0.2.*, 'bad: a pattern ends in a domain, as in news-*.shop.example'",
    "mail-*.top, bad: a pattern has a domain of two labels behind its star",
    "*shop.example, bad: a pattern has a domain of two labels behind its star",
    ".7, bad: last label is a number",
    "a*@[192.0.2.1], bad: character that no domain name has",
    "a*@*.shop.example, bad: a pattern of mail addresses has one domain behind the at sign",
    "\u00e4*@shop.example, bad: a pattern has a star and plain ASCII characters in front of the"
        + " domain",
    "pattern:a@shop.example, bad: a pattern has a star and plain ASCII characters in front of the"
        + " domain",
    "a$*.pool.example, bad: character that no domain name has",
    "@foo.example, 'bad: write foo.example: it means the domain, its addresses and all names below"
        + " it'",
  })
  void whatPeopleWriteIsReadAsOneForm(String text, String subject) {
    assertEquals(subject, parsed(text));
    if (!subject.startsWith("bad")) {
      Subject read = entry(text);
      assertEquals(read, entry(read.written()), "its written form");
      assertEquals(read.hashCode(), entry(read.written()).hashCode());
    }
  }

  @Test
  void aPatternIsShort() {
    assertTrue(parsed("*" + "a".repeat(62) + "@shop.example").startsWith("NamePattern"));
    assertEquals(
        "bad: more than 63 characters in front of the domain",
        parsed("*" + "a".repeat(63) + "@shop.example"));
  }

  /** Where the whole subject is asked for, a star is a letter of a local part, as before. */
  @Test
  void anOlderNodeTakesNoPattern() {
    for (String text :
        new String[] {".top", ".dyn.example", "news-*@shop.example", "d*.a.example"}) {
      assertFalse(Subject.parse(entry(text).written()).toOptional().isPresent(), text);
    }
    assertEquals("news-*@shop.example", entry("news-*@shop.example").toString());
  }

  @ParameterizedTest
  @CsvSource({
    ".top, a.b.top, true",
    ".top, a.stop, false",
    ".top, top.example, false",
    ".dyn.example, dyn.example, false",
    ".dyn.example, a.dyn.example, true",
    ".dyn.example, a.b.dyn.example, true",
    ".dyn.example, adyn.example, false",
    ".dyn.example, x@a.dyn.example, false",
    "news-*@shop.example, NEWS-@shop.example, true",
    "news-*@shop.example, news@shop.example, false",
    "news-*@shop.example, news-7@a.shop.example, false",
    "news-*@shop.example, news-7@[192.0.2.1], false",
    "news-*@shop.example, news-7.shop.example, false",
    "dyn-*.pool.example, dyn-1.a.pool.example, true",
    "dyn-*.pool.example, a.dyn-1.pool.example, false",
    "dyn-*.pool.example, pool.example, false",
  })
  void coversWhatItMatches(String pattern, String key, boolean covers) {
    assertEquals(covers, entry(pattern).covers(key(key)));
  }

  /** Tries every way to spend the stars. */
  private static boolean plainly(String glob, String text) {
    if (glob.isEmpty()) {
      return text.isEmpty();
    }
    if (glob.charAt(0) == '*') {
      return plainly(glob.substring(1), text)
          || (!text.isEmpty() && plainly(glob, text.substring(1)));
    }
    return !text.isEmpty()
        && glob.charAt(0) == text.charAt(0)
        && plainly(glob.substring(1), text.substring(1));
  }

  @Test
  void agreesWithAPlainMatcher() {
    Random random = new Random(SEED);
    for (int i = 0; i < 20_000; i++) {
      String glob = text(random, "ab*", 1 + random.nextInt(8)) + "*";
      String local = text(random, "ab", 1 + random.nextInt(10));
      String shuffled = random.nextBoolean() ? glob : "*" + new StringBuilder(glob).reverse() + "b";
      String pattern = shuffled.replaceAll("\\*+", "*");
      if (pattern.equals("*")) {
        continue;
      }
      boolean expected = plainly(pattern, local);
      String shown = pattern + " against " + local + ", -Dseed=" + SEED;
      assertEquals(
          expected, entry(pattern + "@a.example").covers(key(local + "@a.example")), shown);
      assertFalse(entry(pattern + "@a.example").covers(key(local + "@b.example")), shown);
      if (!pattern.endsWith("b")) {
        continue;
      }
      assertEquals(
          expected, entry(pattern + ".a.example").covers(key(local + ".a.example")), shown);
    }
  }

  private static String text(Random random, String letters, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
    return text.toString();
  }

  /** A matcher that goes back would take longer than the world has been. */
  @Test
  void theWorstTextsAreAnswered() {
    NamePattern pattern =
        (NamePattern) entry("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b@shop.example");
    for (int length : new int[] {1, 64, 256, 100_000}) {
      assertFalse(pattern.matches("a".repeat(length)));
      assertEquals(length > 19, pattern.matches("a".repeat(length) + "b"));
    }
  }

  @Test
  void whatComparesMoreIsNarrower() {
    String[] widestFirst = {
      ".example",
      "shop.example",
      ".shop.example",
      "m*.shop.example",
      "mail-*.shop.example",
      "a.shop.example",
      "*a@shop.example",
      "news-*@shop.example",
      "news@shop.example"
    };
    for (int i = 1; i < widestFirst.length; i++) {
      assertTrue(
          entry(widestFirst[i]).narrowness() > entry(widestFirst[i - 1]).narrowness(),
          widestFirst[i]);
    }
  }

  @ParameterizedTest
  @CsvSource({".top", ".dyn.example", "dyn-*.pool.example", "news-*@shop.example", "*x@a.example"})
  void itsKeysAreOfOneThingThatItMatches(String text) {
    Subject pattern = entry(text);
    assertTrue(pattern.covers(pattern.keys().getFirst()));
  }
}
