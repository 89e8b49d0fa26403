package io.bloomgate.blocklists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
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
    Reading read = Reading.of("asn-table", text);
    assertEquals(List.of(), read.problems);
    int line = (int) text.lines().count();
    assertEquals(List.of("192.0.2.0/24 AS64500 FR:" + line), read.entries);
    assertEquals(1, read.totals.entries());
  }

  @Test
  void aRangeIsOneEntryOfSeveralNetworks() {
    Reading read =
        Reading.expect(
            "asn-table",
            """
            192.0.2.1,192.0.2.4,64500,FR => 192.0.2.1 AS64500 FR, 192.0.2.2/31 AS64500 FR, 192.0.2.4 AS64500 FR
            2001:db8::,2001:db8:0:1:ffff:ffff:ffff:ffff,7,IT => 2001:db8::/63 AS7 IT
            """);
    assertEquals(2, read.totals.entries());
  }

  @Test
  void rowsThatNobodyHasAreLeftOut() {
    Reading.expect(
        "asn-table",
        """
        start,end,asn,country
        0.0.0.0,0.255.255.255,0,None,Not routed
        192.0.2.0,192.0.2.255,64500,FR,A => 192.0.2.0/24 AS64500 FR
        198.51.100.0,198.51.100.255,0,IT,- => 198.51.100.0/24 null IT
        203.0.113.0,203.0.113.255,64501,None,B => 203.0.113.0/24 AS64501\s
        """);
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
      Reading read = Reading.of("asn-table", String.join("\n", lines));
      assertEquals(List.of(), read.problems);
      assertEquals(5, read.entries.size());
      assertTrue(
          read.entries.get(at).replace(':', ' ').startsWith(expected + " "),
          read.entries::toString);
    }
  }

  @Test
  void badRowsAreNamedAndTheOthersCount() {
    String row = "row that does not begin with a network or range";
    Reading.expect(
        "asn-table",
        """
        192.0.2.0/24,64500,FR => 192.0.2.0/24 AS64500 FR
        192.0.2.0/33,64500,FR => bad: ROW
        198.51.100.9,198.51.100.1,64500,FR => bad: range that ends before it begins
        198.51.100.0/24,ASx,FR => bad: no AS number where most rows have one
        198.51.100.0/24,64500,France => bad: no country where most rows have one
        nonsense => bad: ROW
        2001:db8::,192.0.2.1,64500,FR => bad: range that ends before it begins
        203.0.113.0/24,64501,IT => 203.0.113.0/24 AS64501 IT
        203.0.113.0/24,64502,"IT => bad: ROW
        """
            .replace("ROW", row));
  }

  @Test
  void aListOfNetworksIsNoTable() {
    Reading read = Reading.of("asn-table", "192.0.2.0/24\n198.51.100.0/24\n");
    assertTrue(read.totals.damage().isPresent());
    assertEquals(List.of(), read.entries);
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
    Reading read = Reading.of("asn-table", text.toString());
    assertEquals(spans.size(), read.totals.entries());
    Map<Long, Long> joined = new TreeMap<>();
    long begun = -1;
    long behind = -1;
    for (String row : read.entries) {
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
        Reading.expect(
            "asn-list",
            """
            # drop
            AS64500 => AS64500
            64501 ; a comment => AS64501
            {"asn":64502,"rir":"ripencc","domain":"x.example","cc":"FR","asname":"X"} => AS64502
            AS0 => bad
            AS4294967296 => bad
            AS64503 Some Name => bad
            {"cidr":"192.0.2.0/24"} => bad
            {"type":"metadata","records":1}
            """);
    assertEquals(Optional.empty(), read.totals.damage());
    read = Reading.of("asn-list", "{\"asn\":64502}\n{\"type\":\"metadata\",\"records\":2}\n");
    assertEquals(Optional.of("the list says it has 2 records, 1 were read"), read.totals.damage());
  }
}
