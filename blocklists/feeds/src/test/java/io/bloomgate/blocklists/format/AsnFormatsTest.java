package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.AsnRow;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of AS numbers and countries, and lists of AS numbers. */
class AsnFormatsTest {

  private static final long SEED = Long.getLong("seed", 64500);

  /** The rows of a table: {@code 192.0.2.0/24 AS64500 FR}. */
  static final class Rows implements FeedSink {
    final List<String> rows = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    static Rows of(byte[] octets) {
      Rows read = new Rows();
      try {
        read.totals =
            Reading.format("asn-table").parse(new ByteArrayInputStream(octets), null, read);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      return read;
    }

    ParseTotals totals = ParseTotals.NONE;

    @Override
    public void entry(ListEntry entry) {
      AsnRow row = (AsnRow) entry;
      rows.add(row.prefix() + " " + row.number() + " " + row.country() + " " + row.line());
    }

    @Override
    public void problem(ParseProblem problem) {
      problems.add(problem.line() + ": " + problem.reason());
    }
  }

  private static Rows rows(String text) {
    return Rows.of(text.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "192.0.2.0\t192.0.2.255\t64500\tFR\tSAMPLE-NET Sample",
        "192.0.2.0/24,AS64500,fr",
        "192.0.2.0/24,64500,FR,\"Sample, Ltd\"",
        "192.0.2.0;192.0.2.255;FR;as64500",
        "192.0.2.0/24 64500 FR",
        "# a comment\n\n  192.0.2.0   192.0.2.255   AS64500   FR  ",
      })
  void aRowHasOneOfTheseForms(String text) {
    Rows read = rows(text);
    assertEquals(List.of(), read.problems);
    int line = (int) text.lines().count();
    assertEquals(List.of("192.0.2.0/24 AS64500 FR " + line), read.rows);
    assertEquals(1, read.totals.entries());
  }

  @Test
  void aRangeIsOneEntryOfSeveralNetworks() {
    Rows read =
        rows(
            """
            192.0.2.1,192.0.2.4,64500,FR
            2001:db8::,2001:db8:0:1:ffff:ffff:ffff:ffff,7,IT
            """);
    assertEquals(
        List.of(
            "192.0.2.1 AS64500 FR 1",
            "192.0.2.2/31 AS64500 FR 1",
            "192.0.2.4 AS64500 FR 1",
            "2001:db8::/63 AS7 IT 2"),
        read.rows);
    assertEquals(2, read.totals.entries());
  }

  @Test
  void rowsThatNobodyHasAreLeftOut() {
    Rows read =
        rows(
            """
            start,end,asn,country
            0.0.0.0,0.255.255.255,0,None,Not routed
            192.0.2.0,192.0.2.255,64500,FR,A
            198.51.100.0,198.51.100.255,0,IT,-
            203.0.113.0,203.0.113.255,64501,None,B
            """);
    assertEquals(List.of(), read.problems);
    assertEquals(
        List.of(
            "192.0.2.0/24 AS64500 FR 3", "198.51.100.0/24 null IT 4", "203.0.113.0/24 AS64501  5"),
        read.rows);
  }

  /** What is in most of the first rows decides; one row with a name of two letters does not. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          192.0.2.0/24,64500,HP | 64500,Sample Ltd | 192.0.2.0/24 AS64500
          192.0.2.0/24,FR | IT | 192.0.2.0/24 null FR
          192.0.2.0/24,FR,64500 | IT,64501 | 192.0.2.0/24 AS64500 FR
          192.0.2.0/24,x,64500,FR | y,64501,IT | 192.0.2.0/24 AS64500 FR
          """)
  void noRowDecidesWhichFieldIsWhich(String odd, String usual, String expected) {
    for (int at = 0; at < 5; at++) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        lines.add(i == at ? odd : "198.51.100." + i + "," + usual);
      }
      Rows read = rows(String.join("\n", lines));
      assertEquals(List.of(), read.problems);
      assertEquals(5, read.rows.size());
      assertTrue((read.rows.get(at) + " ").startsWith(expected + " "), read.rows::toString);
    }
  }

  @Test
  void badRowsAreNamedAndTheOthersCount() {
    Rows read =
        rows(
            """
            192.0.2.0/24,64500,FR
            192.0.2.0/33,64500,FR
            198.51.100.9,198.51.100.1,64500,FR
            198.51.100.0/24,ASx,FR
            198.51.100.0/24,64500,France
            nonsense
            2001:db8::,192.0.2.1,64500,FR
            203.0.113.0/24,64501,IT
            203.0.113.0/24,64502,"IT
            """);
    assertEquals(List.of("192.0.2.0/24 AS64500 FR 1", "203.0.113.0/24 AS64501 IT 8"), read.rows);
    assertEquals(
        List.of(
            "2: row that does not begin with a network or range",
            "3: range that ends before it begins",
            "4: no AS number where most rows have one",
            "5: no country where most rows have one",
            "6: row that does not begin with a network or range",
            "7: range that ends before it begins",
            "9: row that does not begin with a network or range"),
        read.problems);
  }

  @Test
  void aListOfNetworksIsNoTable() {
    Rows read = rows("192.0.2.0/24\n198.51.100.0/24\n");
    assertTrue(read.totals.damage().isPresent());
    assertEquals(List.of(), read.rows);
  }

  @Test
  void randomRangesAreExactlyTheirNetworks() {
    Random random = new Random(SEED);
    StringBuilder text = new StringBuilder();
    TreeMap<Long, Long> spans = new TreeMap<>();
    long at = 0;
    while (at < 1L << 32) {
      long end = Math.min((1L << 32) - 1, at + random.nextInt(1 << random.nextInt(1, 28)));
      spans.put(at, end);
      text.append(IpAddress.ofV4((int) at) + "\t" + IpAddress.ofV4((int) end))
          .append("\t" + (at % 999 + 1) + "\tFR\n");
      at = end + 1;
    }
    Rows read = rows(text.toString());
    assertEquals(spans.size(), read.totals.entries());
    Map<Long, Long> joined = new TreeMap<>();
    long begun = -1;
    long behind = -1;
    for (String row : read.rows) {
      IpPrefix network =
          IpPrefix.parse(row.substring(0, row.indexOf(' '))).toOptional().orElseThrow();
      long first = network.network().v4Bits() & 0xffff_ffffL;
      begun = spans.containsKey(first) ? first : begun;
      assertTrue(first == begun || first == behind, row + ", -Dseed=" + SEED);
      behind = (network.last().v4Bits() & 0xffff_ffffL) + 1;
      joined.put(begun, behind - 1);
    }
    assertEquals(spans, joined, "-Dseed=" + SEED);
  }

  @Test
  void aListOfNumbersHasThemAsTheyAreUsuallyWritten() {
    Reading read =
        Reading.of(
            "asn-list",
            """
            # drop
            AS64500
            64501 ; a comment
            {"asn":64502,"rir":"ripencc","domain":"x.example","cc":"FR","asname":"X"}
            AS0
            AS4294967296
            AS64503 Some Name
            {"cidr":"192.0.2.0/24"}
            {"type":"metadata","records":1}
            """);
    assertEquals(List.of("AS64500:2", "AS64501:3", "AS64502:4"), read.entries);
    assertEquals(4, read.problems.size(), read.problems::toString);
    assertEquals(Optional.empty(), read.totals.damage());
    read = Reading.of("asn-list", "{\"asn\":64502}\n{\"type\":\"metadata\",\"records\":2}\n");
    assertEquals(Optional.of("the list says it has 2 records, 1 were read"), read.totals.damage());
  }
}
