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
  void aListOfNumbersIsCheckedAgainstItsOwnCount() {
    String one = "{\"asn\":64502}\n{\"type\":\"metadata\",\"records\":%d}\n";
    assertEquals(Optional.empty(), Reading.of("asn-list", one.formatted(1)).totals.damage());
    assertEquals(
        Optional.of("the list says it has 2 records, 1 were read"),
        Reading.of("asn-list", one.formatted(2)).totals.damage());
  }
}
