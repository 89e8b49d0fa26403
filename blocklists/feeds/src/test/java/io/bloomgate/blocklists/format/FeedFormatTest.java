package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each format's reading rules, and that no octets can upset any of them. */
class FeedFormatTest {

  private static final long SEED = 0x10ad_ed5e_ed05L;
  private static final String HASH =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

  private static List<String> everyFormat() {
    return Stream.of(
            FeedFormat.kinds().stream().map(FeedFormat.Kind::name).filter(n -> !n.contains(":")),
            RbldnsdParser.TYPES.stream(),
            Stream.of("json:k", "csv:c", "csv:2", "ndjson:k", "urls:paths", "urls:paths-only"))
        .flatMap(names -> names)
        .toList();
  }

  private static byte[] latin1(String text) {
    return text.getBytes(ISO_8859_1);
  }

  @Test
  void lineEndsOfAllKindsAndLatin1() {
    assertEquals(
        List.of("a.example:1", "b.example:2", "c.example:4", "d.example:5"),
        Reading.of("lines", "a.example\r\nb.example\r\rc.example\nd.example").entries);
    Reading r = Reading.of("lines", latin1("# \u00a9 Latin-1\nb\u00fccher.example\n"), null);
    assertEquals(List.of("xn--bcher-kva.example:2"), r.entries);
    assertEquals(1, Reading.of("lines", "a\u0000b.example\n").totals.invalid());
  }

  @Test
  void operatorMayTurnTheMatchMode() {
    byte[] text = "a.example\n.b.example\n@c.example\n".getBytes(UTF_8);
    assertEquals(
        List.of("a.example+:1", "b.example+:2", "c.example:3"),
        Reading.of("lines", text, Match.SUFFIX).entries);
    assertEquals(
        List.of("a.example:1", "b.example:2", "c.example:3"),
        Reading.of("lines", text, Match.EXACT).entries);
  }

  @Test
  void spamhausJsonIsCheckedAgainstItsOwnCount() {
    String list = "{\"cidr\":\"192.0.2.0/24\",\"sblid\":\"SBL1\"}\n";
    String metadata = "{\"type\":\"metadata\",\"records\":%d}\n";
    Reading whole = Reading.of("spamhaus-json", list + metadata.formatted(1));
    assertEquals(List.of("192.0.2.0/24:1"), whole.entries);
    assertEquals(Optional.empty(), whole.totals.damage());
    assertTrue(
        Reading.of("spamhaus-json", list + metadata.formatted(2)).totals.damage().isPresent());
    Reading cut = Reading.of("spamhaus-json", list);
    assertTrue(cut.totals.damage().orElseThrow().contains("closes it"));
    Reading foreign = Reading.of("spamhaus-json", "{\"cidr\":\"192.0.2.0/24\"}\n");
    assertEquals(Optional.empty(), foreign.totals.damage(), "others do not close their lists");
    assertEquals(2, Reading.of("spamhaus-json", "{\"asn\":1}\n[1]\n").totals.invalid());
  }

  @Test
  void jsonArraysGiveTheirLines() {
    Reading r =
        Reading.expect(
            "json",
            """
            [
             "a.example", => a.example
             7, => bad: not a string
             "192.0.2.1" => 192.0.2.1
            ]
            """);
    assertEquals(5, r.totals.lines());
    Reading member = Reading.of("json:list", "{\"n\":[\"x.example\"],\"list\":[\"y.example\"]}");
    assertEquals(List.of("y.example:1"), member.entries);
    assertTrue(Reading.of("json", "[\"a.example\",").totals.damage().isPresent());
    assertTrue(Reading.of("json", "[\"a.example\"] x").totals.damage().isPresent());
    assertTrue(Reading.of("json:no", "{\"list\":[]}").totals.damage().isPresent());
    assertTrue(Reading.of("csv:none", "a,b\n1,2\n").totals.damage().isPresent());
  }

  @Test
  void csvRecordsGoOverLinesWhateverTheyQuote() {
    String table =
        """
        n,ip
        "a
        ""b"", c
        ",192.0.2.1
        "x","
        192.0.2.2
        "
        "y""
        z","192.0.2.3"
        """;
    Reading r = Reading.of("csv:ip", table);
    assertEquals(List.of("192.0.2.1:2", "192.0.2.2:5", "192.0.2.3:8"), r.entries);
    assertEquals(List.of(), r.problems);
  }

  @Test
  void csvLooksInVainForTheEndOfManyQuotesAndThenNoMore() {
    String record = "\"x\ny\",192.0.2.1\n";
    String open = "\"never closed,192.0.2.9\n";
    String apart = "a,192.0.2.2\n".repeat(FeedLimits.LINES_PER_RECORD + 1);
    String few = "n,ip\n" + (open + apart).repeat(3) + record;
    assertEquals(3, Reading.of("csv:ip", few).problems.size());
    String many = "n,ip\n" + (open + apart).repeat(FeedLimits.UNCLOSED_QUOTES) + record;
    assertEquals(FeedLimits.UNCLOSED_QUOTES + 1, Reading.of("csv:ip", many).problems.size());
  }

  @Test
  void problemsAreBoundedAndHarmless() throws IOException {
    FeedSink.ParseProblem[] seen = new FeedSink.ParseProblem[1];
    FeedSink sink =
        new FeedSink() {
          @Override
          public void entry(io.bloomgate.blocklists.entry.ListEntry entry) {}

          @Override
          public void problem(FeedSink.ParseProblem problem) {
            seen[0] = problem;
          }
        };
    byte[] text = ("\u001b[31m\u00e9\\" + "x".repeat(500) + "!\n").getBytes(UTF_8);
    Reading.format("lines").parse(new ByteArrayInputStream(text), null, sink);
    assertTrue(seen[0].text().startsWith("\\x1B[31m\\xC3\\xA9\\\\xxx"), seen[0].text());
    assertTrue(seen[0].text().endsWith("..."), seen[0].text());
    assertTrue(seen[0].text().length() <= FeedLimits.PROBLEM_TEXT_CHARACTERS + 7);
  }

  @Test
  void anEndlessLineCostsABoundedBuffer() throws IOException {
    long octets = 200_000_000;
    InputStream endless =
        new InputStream() {
          private long left = octets;

          @Override
          public int read() {
            return left-- > 0 ? 'a' : -1;
          }

          @Override
          public int read(byte[] target, int from, int length) {
            if (left <= 0) {
              return -1;
            }
            int given = (int) Math.min(left, length);
            java.util.Arrays.fill(target, from, from + given, (byte) 'a');
            left -= given;
            return given;
          }
        };
    Reading sink = new Reading();
    ParseTotals totals = Reading.format("lines").parse(endless, null, sink);
    assertEquals(1, totals.invalid());
    assertEquals(1, totals.lines());
  }

  @Test
  void anyOctetsAreReadTheSameHoweverTheyCome() {
    Random random = new Random(SEED);
    String tokens =
        "192.0.2.1|a.example|\"|,|\n|\n|\r"
            + "|{|}|[|]|:|#|;|@|-|\\|\u0000|\u00ff|/24| |\t|cidr|^|@@|$|!|(|)| CNAME |.|*.| REJECT|"
            + " OK|add x |local-zone: |address=/|.rpz-ip|$ORIGIN |$DATASET |$MAXRANGE4 |://|#fields"
            + "\tindicator\tindicator_type\n"
            + "|Intel::ADDR|{\"list\":[\"|\"type\":\"cidr\"|{\"k\":\"";
    String[] pieces = tokens.split("\\|", -1);
    List<String> formats = everyFormat();
    for (int i = 0; i < 200; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(60); n > 0; n--) {
        text.append(
            random.nextInt(8) == 0
                ? String.valueOf((char) random.nextInt(256))
                : pieces[random.nextInt(pieces.length)]);
      }
      byte[] octets = latin1(text.toString());
      String where = "seed " + SEED + ": " + text;
      for (String format : formats) {
        Reading r = Reading.of(format, octets, null);
        assertEquals(r.problems.size(), r.totals.invalid(), where);
        assertEquals(r.everything(), Reading.trickled(format, octets).everything(), where);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'a.example\n192.0.2.2\n', domains",
    "'a.example\nb@c.example\n', lines",
    "'192.0.2.0/24 REJECT\n192.0.2.7 OK\n', postfix-cidr",
    "'192.0.2.0/24\tpermit\n2001:db8::/32\tpermit\n', postfix-cidr",
    "'[\"a.example\"]', json",
    "'{\"name\":\"x\",\"list\":[\"a.example\"]}', json:list",
    "'first_seen,dst_ip,port\n1,192.0.2.1,25\n2,192.0.2.2,25\n', csv:dst_ip",
    "'[Adblock Plus 2.0]\n! x\n||a.example^\nb.example##.ad\n', adblock",
    "'server:\nlocal-zone: \"a.example.\" always_null\n', unbound",
    "'https://a.example/x\nhttp://b.example\n', urls",
    "'$TTL 60\n@ IN SOA a. b. 1 2 3 4 5\na.example CNAME .\n', rpz",
    "'*.a.example CNAME .\nb.example CNAME .\n', rpz",
    "'$SOA 3600 a. b. 1 2 3 4 5\n:2:x\n192.0.2\n!192.0.2.7\n', rbldnsd",
    "'192.0.2.0\t192.0.2.9\t64500\tFR\tA\n198.51.100.0\t198.51.100.9\t0\tNone\tB\n', asn-table",
    "'{\"description\":\"x\",\"list\":[\"192.0.2.0/24\"],\"type\":\"cidr\"}', misp",
    "'# x\n" + HASH + "\n" + HASH + "\n', sha256",
    "'#\n\"2026-11-24 10:00:00\", \"" + HASH + "\", \"ab\"\n', sha256",
    "'" + HASH + "  invoice.exe\n', sha256",
    "'https://a.example/" + HASH + "\n', urls",
    "'this is prose\nand more of it\n', lines",
    "'', lines",
  })
  void detects(String text, String format) throws IOException {
    assertEquals(
        format, FormatDetector.detect(new ByteArrayInputStream(text.getBytes(UTF_8))).name());
  }

  @Test
  void aWrongNameIsReportedWithTheRightOne() {
    assertEquals("csv needs more: csv:COLUMN", hint("csv:"));
    assertEquals("ndjson needs more: ndjson:FIELD", hint("ndjson"));
    assertTrue(hint("rbldnsd:generic").contains("ip4set"), hint("rbldnsd:generic"));
    assertTrue(hint("no").contains("zeek-intel"), hint("no"));
  }

  private static String hint(String name) {
    return assertInstanceOf(Parsed.Bad.class, FeedFormat.named(name)).reason();
  }
}
