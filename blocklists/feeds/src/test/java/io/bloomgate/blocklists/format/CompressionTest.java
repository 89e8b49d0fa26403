package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Compressed lists of every kind: whole, damaged, hostile. */
class CompressionTest {

  private static final long SEED = 0xc0_ffee;
  private static final String LIST = "192.0.2.1\n192.0.2.2\n";

  private static byte[] packed(Compression kind, byte[] text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream packer =
        switch (kind) {
          case NONE -> out;
          case GZIP -> new GZIPOutputStream(out);
          case ZIP -> member(out, "list.txt");
          case XZ -> new XZOutputStream(out, new LZMA2Options(0));
          case BZIP2 -> new BZip2CompressorOutputStream(out, 1);
          case ZSTD -> throw new IllegalArgumentException("cannot be made here");
        }) {
      packer.write(text);
    }
    return out.toByteArray();
  }

  private static ZipOutputStream member(OutputStream out, String name) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.putNextEntry(new ZipEntry(name));
    return zip;
  }

  private static Reading read(byte[] octets) {
    return Reading.of("ips", octets, null);
  }

  @ParameterizedTest
  @EnumSource(value = Compression.class, mode = Mode.EXCLUDE, names = "ZSTD")
  void isReadWhateverTheNameSays(Compression kind) throws IOException {
    Reading r = read(packed(kind, LIST.getBytes(US_ASCII)));
    assertEquals(List.of("192.0.2.1:1", "192.0.2.2:2"), r.entries);
    assertTrue(r.totals.damage().isEmpty(), () -> r.totals.toString());
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      names = {"GZIP", "XZ", "BZIP2"})
  void readsOneBehindTheOther(Compression kind) throws IOException {
    byte[] once = packed(kind, LIST.getBytes(US_ASCII));
    byte[] twice = Arrays.copyOf(once, 2 * once.length);
    System.arraycopy(once, 0, twice, once.length, once.length);
    assertEquals(4, read(twice).entries.size());
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      mode = Mode.EXCLUDE,
      names = {"NONE", "ZSTD"})
  void isRefusedWhenItIsCut(Compression kind) throws IOException {
    byte[] whole = packed(kind, LIST.getBytes(US_ASCII));
    // The directory at the end of a zip says nothing that the members do not.
    int last = kind == Compression.ZIP ? 40 : whole.length - 1;
    for (int length = 7; length <= last; length++) {
      int cut = length;
      Reading r = read(Arrays.copyOf(whole, cut));
      assertTrue(r.totals.damage().isPresent(), () -> kind + " cut at " + cut);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      mode = Mode.EXCLUDE,
      names = {"NONE", "ZSTD"})
  void aFlippedBitIsDamageOrChangesNoEntry(Compression kind) throws IOException {
    byte[] whole = packed(kind, LIST.repeat(20).getBytes(US_ASCII));
    List<String> entries = read(whole).entries;
    Random random = new Random(SEED);
    for (int i = 0; i < 500; i++) {
      byte[] flipped = whole.clone();
      flipped[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
      Reading r = read(flipped);
      // A flip in the first octets makes it another file, which has no entries.
      assertTrue(
          r.totals.damage().isPresent() || r.entries.isEmpty() || r.entries.equals(entries),
          () -> "seed " + SEED + ": " + r.entries);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Compression.class,
      mode = Mode.EXCLUDE,
      names = {"NONE", "ZSTD"})
  void isRefusedWhenItInflatesWithoutMeasure(Compression kind) throws IOException {
    byte[] bomb = packed(kind, new byte[(int) FeedLimits.INFLATION_FREE_OCTETS + (1 << 20)]);
    String reason = read(bomb).totals.damage().orElseThrow();
    assertTrue(reason.contains("inflates"), reason);
  }

  @Test
  void aListOfEqualLinesIsNoBomb() throws IOException {
    byte[] packed = packed(Compression.GZIP, "192.0.2.1\n".repeat(1_000_000).getBytes(US_ASCII));
    assertFalse(read(packed).totals.damage().isPresent());
  }

  private static byte[] readmes(int count, int octets) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = member(out, "list.txt")) {
      zip.write(LIST.getBytes(US_ASCII));
      for (int i = 0; i < count; i++) {
        zip.putNextEntry(new ZipEntry("README." + i));
        zip.write(new byte[octets]);
      }
    }
    return out.toByteArray();
  }

  @Test
  void whatLiesBesideAListIsBoundedTogether() throws IOException {
    int third = (int) FeedLimits.INFLATION_FREE_OCTETS / 3;
    assertFalse(read(readmes(3, third)).totals.damage().isPresent());
    String reason = read(readmes(4, third)).totals.damage().orElseThrow();
    assertTrue(reason.contains("more than a list"), reason);
  }

  @Test
  void zstdIsNamed() {
    byte[] begin = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, 0, 0};
    assertTrue(read(begin).totals.damage().orElseThrow().contains("zstd"));
  }

  @Test
  void ofAZipTheListIsReadAndNotWhatLiesBesideIt() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = member(out, "README.txt")) {
      zip.write("192.0.2.99\n".getBytes(US_ASCII));
      zip.putNextEntry(new ZipEntry("lists/"));
      zip.putNextEntry(new ZipEntry("lists/listed_ip_1.txt"));
      zip.write(LIST.getBytes(US_ASCII));
      zip.putNextEntry(new ZipEntry("lists/LICENSE"));
      zip.write("words\n".getBytes(US_ASCII));
    }
    Reading r = read(out.toByteArray());
    assertEquals(List.of("192.0.2.1:1", "192.0.2.2:2"), r.entries);
    assertTrue(r.totals.damage().isEmpty(), () -> r.totals.toString());
  }

  @Test
  void aZipOfTwoListsIsRefusedAndBothAreNamed() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = member(out, "a.txt")) {
      zip.write(LIST.getBytes(US_ASCII));
      zip.putNextEntry(new ZipEntry("b.txt"));
      zip.write(LIST.getBytes(US_ASCII));
    }
    String reason = read(out.toByteArray()).totals.damage().orElseThrow();
    assertTrue(reason.contains("a.txt") && reason.contains("b.txt"), reason);
  }

  @Test
  void anEmptyZipIsRefused() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    member(out, "README").close();
    assertTrue(read(out.toByteArray()).totals.damage().orElseThrow().contains("no list"));
  }

  private static byte[] gzip(String content) throws IOException {
    return packed(Compression.GZIP, content.getBytes(US_ASCII));
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  @Test
  void readsAllMembersAndTwoLayers() throws IOException {
    Reading r = read(join(gzip("192.0.2.1\n192."), gzip(""), gzip("0.2.2\n")));
    assertEquals(List.of("192.0.2.1:1", "192.0.2.2:2"), r.entries);
    assertEquals(Optional.empty(), r.totals.damage());
    assertEquals(
        List.of("192.0.2.1:1"), read(packed(Compression.GZIP, gzip("192.0.2.1\n"))).entries);
  }

  @Test
  void refusesWhatFollowsTheLastMember() throws IOException {
    assertTrue(read(join(gzip("192.0.2.1\n"), new byte[] {0})).totals.damage().isPresent());
    assertTrue(
        read(join(gzip("192.0.2.1\n"), "<html>".getBytes(US_ASCII))).totals.damage().isPresent());
  }

  /** The second member has a name of a megabyte, which ends nowhere. */
  @Test
  void namesInHeadersAreNotKeptHoweverLong() throws IOException {
    byte[] name = new byte[1 << 20];
    Arrays.fill(name, (byte) 'a');
    byte[] head = {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0};
    assertEquals(
        Optional.of("gzip header is damaged"),
        read(join(gzip("192.0.2.1\n"), head, name)).totals.damage());
  }

  @Test
  void noCutAndNoFlippedBitOfALongGzipGoesUnseen() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      text.append("192.0.").append(i / 256).append('.').append(i % 256).append('\n');
    }
    byte[] whole = gzip(text.toString());
    assertEquals(2000, read(whole).entries.size());
    for (int cut = 2; cut < whole.length; cut += cut < 30 ? 1 : 97) {
      assertTrue(read(Arrays.copyOf(whole, cut)).totals.damage().isPresent(), "cut at " + cut);
    }
    Random random = new Random(SEED);
    for (int i = 0; i < 500; i++) {
      byte[] flipped = whole.clone();
      // Time, extra flags and system in the header say nothing.
      int at = 10 + random.nextInt(whole.length - 10);
      flipped[at] ^= (byte) (1 << random.nextInt(8));
      assertTrue(read(flipped).totals.damage().isPresent(), "seed " + SEED + " octet " + at);
    }
  }
}
