package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MMDB files: whole ones against what was written, and ones that are broken or made to harm. */
class MmdbReaderTest {

  private static final long SEED = Long.getLong("seed", 64500);

  /** Writes MMDB files as the format says, for networks that do not lie inside one another. */
  private static final class Mmdb {
    private final int recordBits;
    private final boolean v6;

    /** IPv4 is below ::ffff:0:0/96 and not below ::/96. */
    private boolean mapped;

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
        int bit = i >= zeros ? bit(network, i - zeros) : mapped && i >= 80 ? 1 : 0;
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
      return (int) ((place < 64 ? address.high() : address.low()) >>> (63 - (place & 63))) & 1;
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
        out.write((int) (value >>> (8 * i)));
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
              : IpPrefix.around(IpAddress.ofV4((i + 1) << 20), random.nextInt(12, 33));
      int number = random.nextInt(1, 1_000_000);
      String country = List.of("FR", "IT", "DE").get(random.nextInt(3));
      mmdb.put(network, mmdb.value(Mmdb.whose(number, country)));
      expected.add(network + " AS" + number + " " + country + ":0");
    }
    byte[] file = mmdb.file();
    Reading read = Reading.of("asn-table", file, null);
    assertEquals(Optional.empty(), read.totals.damage());
    assertEquals(expected.stream().sorted().toList(), read.entries.stream().sorted().toList());
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(file);
    }
    assertEquals(
        read.entries,
        Reading.of("asn-table", packed.toByteArray(), null).entries,
        "packed as every feed may be");
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
    Reading read = Reading.of("asn-table", mmdb.file(), null);
    assertEquals(List.of("192.0.2.0/24 AS64500 FR:0", "198.51.100.0/24 null IT:0"), read.entries);
  }

  /** Some publishers write IPv4 a second time; one that is there only is of no use to any mail. */
  @Test
  void mappedAddressesArePassedOver() {
    Mmdb mmdb = new Mmdb(24, true);
    int whose = mmdb.value(Mmdb.whose(64500, "FR"));
    mmdb.put(prefix("192.0.2.0/24"), whose);
    mmdb.put(prefix("2001:db8::/32"), whose);
    mmdb.mapped = true;
    mmdb.put(prefix("192.0.2.0/24"), whose);
    mmdb.put(prefix("198.51.100.0/24"), whose);
    Reading read = Reading.of("asn-table", mmdb.file(), null);
    assertEquals(Optional.empty(), read.totals.damage());
    assertEquals(List.of("192.0.2.0/24 AS64500 FR:0", "2001:db8::/32 AS64500 FR:0"), read.entries);
  }

  @Test
  void aFileThatIsCutOrChangedAnywhereEndsWithAReason() {
    Mmdb mmdb = new Mmdb(24, true);
    mmdb.put(prefix("192.0.2.0/24"), mmdb.value(Mmdb.whose(64500, "FR")));
    mmdb.put(prefix("2001:db8::/32"), mmdb.value(Mmdb.whose(64501, "IT")));
    byte[] whole = mmdb.file();
    for (int length = 700; length < whole.length; length++) {
      Reading read = Reading.of("asn-table", Arrays.copyOf(whole, length), null);
      assertTrue(read.totals.damage().isPresent(), "cut at " + length);
    }
    Random random = new Random(SEED);
    for (int i = 0; i < 5_000; i++) {
      byte[] changed = whole.clone();
      for (int j = 0; j <= i % 3; j++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      Reading.of("asn-table", changed, null); // ends, and throws nothing
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
    Reading read = Reading.of("asn-table", tree.file(), null);
    assertTrue(read.entries.size() < 200, () -> "rows: " + read.entries.size());

    Mmdb itself = new Mmdb(24, true);
    byte[] deep = new byte[64];
    Arrays.fill(deep, (byte) (1 << 5));
    itself.put(prefix("192.0.2.0/24"), itself.value(deep));
    assertTrue(Reading.of("asn-table", itself.file(), null).totals.damage().isPresent());

    Mmdb wide = new Mmdb(24, true);
    wide.put(
        prefix("192.0.2.0/24"),
        wide.value(new byte[] {(byte) 0xff, -1, -1, -1}, new byte[1 << 20]));
    assertTrue(Reading.of("asn-table", wide.file(), null).totals.damage().isPresent());

    Mmdb nodes = new Mmdb(24, true);
    assertTrue(
        Reading.of("asn-table", nodes.file(Integer.MAX_VALUE), null).totals.damage().isPresent());
  }
}
