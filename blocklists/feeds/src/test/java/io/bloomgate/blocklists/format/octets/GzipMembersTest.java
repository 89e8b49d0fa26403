package io.bloomgate.blocklists.format.octets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.format.Reading;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Compressed feeds: whole or refused, never in part. */
class GzipMembersTest {

  private static final long SEED = 0x10ad_ed5e_ed06L;

  static byte[] gzip(byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  private static byte[] gzip(String content) {
    return gzip(content.getBytes(UTF_8));
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static Reading read(byte[] octets) {
    return Reading.of("ips", octets, null);
  }

  @Test
  void readsAllMembersAndTwoLayers() {
    Reading r = read(join(gzip("192.0.2.1\n192."), gzip(""), gzip("0.2.2\n")));
    assertEquals(List.of("192.0.2.1:1", "192.0.2.2:2"), r.entries);
    assertEquals(Optional.empty(), r.totals.damage());
    assertEquals(List.of("192.0.2.1:1"), read(gzip(gzip("192.0.2.1\n"))).entries);
  }

  @Test
  void refusesWhatFollowsTheLastMember() {
    assertTrue(read(join(gzip("192.0.2.1\n"), new byte[] {0})).totals.damage().isPresent());
    assertTrue(
        read(join(gzip("192.0.2.1\n"), "<html>".getBytes(UTF_8))).totals.damage().isPresent());
  }

  /** The second member has a name of a megabyte, which ends nowhere. */
  @Test
  void namesInHeadersAreNotKeptHoweverLong() {
    byte[] name = new byte[1 << 20];
    Arrays.fill(name, (byte) 'a');
    byte[] head = {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 0};
    assertEquals(
        Optional.of("gzip header is damaged"),
        read(join(gzip("192.0.2.1\n"), head, name)).totals.damage());
  }

  @Test
  void noCutAndNoFlippedBitGoesUnseen() {
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
