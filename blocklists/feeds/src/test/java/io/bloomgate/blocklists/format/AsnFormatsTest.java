package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.AsnRow;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of AS numbers and countries, and lists of AS numbers. */
class AsnFormatsTest {

  private static final long SEED = Long.getLong("seed", 64500);

  /** The rows of a table: {@code 192.0.2.0/24 AS64500 FR}. */
  private static final class Rows implements FeedSink {
    private final List<String> rows = new ArrayList<>();
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

    private ParseTotals totals = ParseTotals.NONE;

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
            "192.0.2.1\t192.0.2.4\t64500\tFR\n"
                + "2001:db8::\t2001:db8:0:1:ffff:ffff:ffff:ffff\t7\tIT\n");
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

  // ---- MMDB

  /** Writes MMDB files as the format says, for networks that do not lie inside one another. */
  private static final class Mmdb {
    private final int recordBits;
    private final boolean v6;
    private final List<int[]> nodes = new ArrayList<>(List.of(new int[2]));
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();

    Mmdb(int recordBits, boolean v6) {
      this.recordBits = recordBits;
      this.v6 = v6;
    }

    /** Adds a value and returns where it begins; records point to it with a negative number. */
    int value(byte[]... parts) {
      int at = data.size();
      for (byte[] part : parts) {
        data.writeBytes(part);
      }
      return -1 - at;
    }

    void put(IpPrefix network, int value) {
      int zeros = network.isV4() && v6 ? 96 : 0;
      int length = zeros + network.length();
      int node = 0;
      for (int i = 0; i < length; i++) {
        int bit = i < zeros ? 0 : bit(network, i - zeros);
        if (i == length - 1) {
          nodes.get(node)[bit] = value;
        } else {
          if (nodes.get(node)[bit] == 0) {
            nodes.get(node)[bit] = nodes.size();
            nodes.add(new int[2]);
          }
          node = nodes.get(node)[bit];
        }
      }
    }

    private static int bit(IpPrefix network, int i) {
      int place = network.isV4() ? 96 + i : i;
      IpAddress address = network.network();
      return (int) ((place < 64 ? address.high() : address.low()) >>> 63 - (place & 63)) & 1;
    }

    byte[] file() {
      return file(nodes.size());
    }

    byte[] file(int saidNodes) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (int[] node : nodes) {
        long left = record(node[0]);
        long right = record(node[1]);
        if (recordBits == 28) {
          number(out, left & 0xffffff, 3);
          out.write((int) (left >>> 24 << 4 | right >>> 24));
          number(out, right & 0xffffff, 3);
        } else {
          number(out, left, recordBits / 8);
          number(out, right, recordBits / 8);
        }
      }
      out.writeBytes(new byte[16]);
      out.writeBytes(data.toByteArray());
      out.writeBytes(new byte[] {(byte) 0xab, (byte) 0xcd, (byte) 0xef});
      out.writeBytes("MaxMind.com".getBytes(UTF_8));
      out.write(0xe3);
      out.writeBytes(join(text("node_count"), uint(6, saidNodes)));
      out.writeBytes(join(text("record_size"), uint(5, recordBits)));
      out.writeBytes(join(text("ip_version"), uint(5, v6 ? 6 : 4)));
      return out.toByteArray();
    }

    private long record(int said) {
      return said < 0 ? nodes.size() + 16L + (-1 - said) : said == 0 ? nodes.size() : said;
    }

    private static void number(ByteArrayOutputStream out, long value, int octets) {
      for (int i = octets - 1; i >= 0; i--) {
        out.write((int) (value >>> 8 * i));
      }
    }

    static byte[] text(String text) {
      return join(new byte[] {(byte) (2 << 5 | text.length())}, text.getBytes(UTF_8));
    }

    static byte[] uint(int type, int value) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(type << 5 | 4);
      number(out, value & 0xffff_ffffL, 4);
      return out.toByteArray();
    }

    static byte[] map(byte[]... members) {
      return join(new byte[] {(byte) (7 << 5 | members.length / 2)}, join(members));
    }

    static byte[] join(byte[]... parts) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (byte[] part : parts) {
        out.writeBytes(part);
      }
      return out.toByteArray();
    }

    static byte[] whose(int number, String country) {
      return map(
          text("autonomous_system_number"),
          uint(6, number),
          text("country"),
          map(text("iso_code"), text(country)));
    }
  }

  private static IpPrefix prefix(String text) {
    return IpPrefix.parse(text).toOptional().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"24, true", "28, true", "32, true", "24, false", "28, false", "32, false"})
  void randomNetworksOfAnMmdb(int recordBits, boolean v6) throws IOException {
    Random random = new Random(SEED);
    Mmdb mmdb = new Mmdb(recordBits, v6);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      IpPrefix network =
          v6 && i % 3 == 0
              ? IpPrefix.around(
                  new IpAddress(0x2000_0000_0000_0000L | (long) i << 40, 0), random.nextInt(32, 64))
              : IpPrefix.around(IpAddress.ofV4(i + 1 << 20), random.nextInt(12, 33));
      int number = random.nextInt(1, 1_000_000);
      String country = List.of("FR", "IT", "DE").get(random.nextInt(3));
      mmdb.put(network, mmdb.value(Mmdb.whose(number, country)));
      expected.add(network + " AS" + number + " " + country + " 0");
    }
    byte[] file = mmdb.file();
    Rows read = Rows.of(file);
    assertEquals(Optional.empty(), read.totals.damage());
    assertEquals(expected.stream().sorted().toList(), read.rows.stream().sorted().toList());
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(file);
    }
    assertEquals(read.rows, Rows.of(packed.toByteArray()).rows, "packed as every feed may be");
  }

  /** The members as MaxMind, DB-IP and IPinfo write them; pointers, and names of other things. */
  @Test
  void theValuesOfSeveralPublishers() {
    Mmdb mmdb = new Mmdb(24, true);
    int shared = mmdb.value(Mmdb.text("FR"));
    byte[] pointer = {(byte) (1 << 5), (byte) (-1 - shared)};
    mmdb.put(
        prefix("192.0.2.0/24"),
        mmdb.value(
            Mmdb.map(Mmdb.text("asn"), Mmdb.text("AS64500"), Mmdb.text("country"), pointer)));
    mmdb.put(
        prefix("198.51.100.0/24"),
        mmdb.value(
            Mmdb.map(
                Mmdb.text("registered_country"),
                Mmdb.map(Mmdb.text("iso_code"), Mmdb.text("IT")))));
    mmdb.put(prefix("203.0.113.0/24"), mmdb.value(Mmdb.map(Mmdb.text("city"), Mmdb.text("Rome"))));
    Rows read = Rows.of(mmdb.file());
    assertEquals(List.of("192.0.2.0/24 AS64500 FR 0", "198.51.100.0/24 null IT 0"), read.rows);
  }

  @Test
  void aFileThatIsCutOrChangedAnywhereEndsWithAReason() {
    Mmdb mmdb = new Mmdb(24, true);
    mmdb.put(prefix("192.0.2.0/24"), mmdb.value(Mmdb.whose(64500, "FR")));
    mmdb.put(prefix("2001:db8::/32"), mmdb.value(Mmdb.whose(64501, "IT")));
    byte[] whole = mmdb.file();
    for (int length = 700; length < whole.length; length++) {
      Rows read = Rows.of(Arrays.copyOf(whole, length));
      assertTrue(read.totals.damage().isPresent(), "cut at " + length);
    }
    Random random = new Random(SEED);
    for (int i = 0; i < 5_000; i++) {
      byte[] changed = whole.clone();
      for (int j = 0; j <= i % 3; j++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      Rows.of(changed); // ends, and throws nothing
    }
  }

  /** A tree that leads to itself, maps that contain themselves, and maps that say they are huge. */
  @Test
  void whatContainsItselfEnds() {
    Mmdb tree = new Mmdb(24, true);
    tree.put(prefix("192.0.2.0/24"), tree.value(Mmdb.whose(64500, "FR")));
    for (int[] node : tree.nodes) {
      node[1] = node[1] == 0 ? 1 : node[1];
    }
    Rows read = Rows.of(tree.file());
    assertTrue(read.rows.size() < 200, () -> "rows: " + read.rows.size());

    Mmdb itself = new Mmdb(24, true);
    byte[] deep = new byte[64];
    Arrays.fill(deep, (byte) (1 << 5));
    itself.put(prefix("192.0.2.0/24"), itself.value(deep));
    assertTrue(Rows.of(itself.file()).totals.damage().isPresent());

    Mmdb wide = new Mmdb(24, true);
    wide.put(
        prefix("192.0.2.0/24"),
        wide.value(new byte[] {(byte) 0xff, -1, -1, -1}, new byte[1 << 20]));
    assertTrue(Rows.of(wide.file()).totals.damage().isPresent());

    Mmdb nodes = new Mmdb(24, true);
    assertTrue(Rows.of(nodes.file(Integer.MAX_VALUE)).totals.damage().isPresent());
  }
}
