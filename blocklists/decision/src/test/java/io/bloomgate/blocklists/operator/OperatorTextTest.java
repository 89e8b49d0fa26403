package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.allow;
import static io.bloomgate.blocklists.operator.Entries.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text form of entries. */
class OperatorTextTest {

  private static final long SEED = 0x7e_87f0_0002L;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "203.0.113.7",
        "203.0.113.0/24 # a range",
        "2001:db8::/32 expires=2026-12-01T00:00:00Z # until December",
        "192.0.2.1 expires=2026-12-01T00:00:00Z unused=45d scope=client_ip # while it is of use",
        "example.com from=198.51.100.0/24 expires=2026-12-01T00:00:00Z scope=helo,sender # all # of"
            + " it",
        "xn--bcher-kva.example scope=any",
        "a#b@example.com # number sign in the local part",
        "\"a # b\"@example.com # quoted",
        "bob@[192.0.2.1]",
      })
  void isReadBackAsItWasWritten(String line) {
    String written = OperatorText.format(stored("a1", allow(line)));
    assertEquals(line, written);
    assertEquals(allow(line), allow(written));
  }

  @Test
  void readsEveryAttribute() {
    NewEntry entry =
        allow("  Example.COM.  from=198.51.100.9/24\texpires=2026-12-01T01:00:00+01:00 #  why  ");
    assertEquals("example.com", entry.subject().toString());
    assertEquals("198.51.100.0/24", String.valueOf(entry.from()));
    assertEquals(Instant.parse("2026-12-01T00:00:00Z"), entry.expires());
    assertEquals("why", entry.reason());
    assertEquals(Set.of(Check.HELO, Check.SENDER), allow("a.example scope=sender,helo").scope());
  }

  /** As the command line takes it. */
  @ParameterizedTest
  @ValueSource(strings = {"2026-12-01", "2026-12-01T00:00", "2026-12-01T01:00:00+01:00"})
  void theEndMayBeADateOrATime(String end) {
    assertEquals(
        Instant.parse("2026-12-01T00:00:00Z"), allow("a.example expires=" + end).expires());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "# a comment", "\t# 203.0.113.7"})
  void blankLinesAndCommentsSayNothing(String line) {
    assertEquals(
        Optional.empty(),
        OperatorText.parse(ListKind.ALLOW, line)
            .toOptional()
            .orElseThrow(() -> new AssertionError(line)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "203.0.113.300 | ",
        "localhost | ",
        "@example.com | ",
        "example.com until tomorrow | after the subject",
        "example.com from=office | from=",
        "example.com expires=tomorrow | expires= wants 2026-12-01 or 2026-12-01T12:00:00Z",
        "example.com expires=7d | expires= wants 2026-12-01 or 2026-12-01T12:00:00Z",
        "example.com scope=mood | scope= wants client_ip, client_name, helo, sender, sender_domain,"
            + " from",
        "example.com scope= | scope= wants",
        "example.com force=no | force= wants yes",
        "example.com scope=helo scope=any | given twice",
      })
  void tellsWhatIsWrong(String line, String reason) {
    Parsed<Optional<OperatorText.Line>> parsed = OperatorText.parse(ListKind.BLOCK, line);
    Parsed.Bad<?> bad = assertInstanceOf(Parsed.Bad.class, parsed, line);
    assertTrue(bad.reason().contains(reason == null ? "" : reason), bad.reason());
  }

  @Test
  void hostBitsAreMaskedWithAWarning() {
    OperatorText.Line line =
        OperatorText.parse(ListKind.BLOCK, "203.0.113.7/24")
            .toOptional()
            .flatMap(read -> read)
            .orElseThrow();
    assertEquals("203.0.113.0/24", line.entry().subject().toString());
    assertEquals("host bits masked", line.warning());
  }

  @Test
  void reasonsStayOneLine() {
    NewEntry entry =
        NewEntry.of(ListKind.ALLOW, Entries.subject("203.0.113.7"), "a\r\n0.0.0.0/0\u2028b\u0000");
    assertEquals("a  0.0.0.0/0 b", entry.reason());
    assertEquals(entry, allow(OperatorText.format(stored("a1", entry))));
    assertEquals(
        NewEntry.MAX_REASON_CHARACTERS,
        NewEntry.of(ListKind.ALLOW, Entries.subject("203.0.113.7"), "x".repeat(9_999))
            .reason()
            .length());
  }

  @Test
  void isTotalOnRandomBytes() {
    Random random = new Random(SEED);
    String alphabet = "\"\\@#= \t.:/[]0123456789abcfromexpiresscope\u00fc\u0000\ud800,";
    for (int i = 0; i < 50_000; i++) {
      StringBuilder line = new StringBuilder();
      for (int n = random.nextInt(40); n > 0; n--) {
        line.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      String text = line.toString();
      OperatorText.parse(ListKind.ALLOW, text)
          .toOptional()
          .flatMap(read -> read)
          .ifPresent(read ->
              assertEquals(
                  read.entry(),
                  allow(OperatorText.format(stored("a1", read.entry()))),
                  () -> "seed " + SEED + ": " + text));
    }
    byte[] noise = new byte[OperatorText.MAX_LINE_CHARACTERS + 1];
    random.nextBytes(noise);
    assertInstanceOf(
        Parsed.Bad.class,
        OperatorText.parse(ListKind.ALLOW, new String(noise, StandardCharsets.ISO_8859_1)));
  }

  @Test
  void proseAndDefangedNamesAreCalledThat() {
    String defanged = "made harmless with hxxp or [.]; write http and a dot instead";
    assertEquals(
        Parsed.bad("text with blanks is no subject"),
        OperatorText.parse(ListKind.BLOCK, "not a thing at all"));
    assertEquals(
        Parsed.bad(defanged), OperatorText.parse(ListKind.BLOCK, "hxxp://evil3[.]example/x"));
    assertEquals(Parsed.bad(defanged), OperatorText.parse(ListKind.BLOCK, "evil3[.]example # r"));
    assertEquals(
        Parsed.bad("single label, too broad for a list"),
        OperatorText.parse(ListKind.BLOCK, "single # reason"));
  }
}
