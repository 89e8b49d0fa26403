package io.bloomgate.blocklists.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.workbench.foreign.ForeignFormat;
import io.bloomgate.config.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of other programs that are cut, changed or forged: a sentence, or an answer. */
class HostileForeignTest {

  private static final WorkbenchTools TOOLS =
      new WorkbenchTools(() -> new SplittableRandom(1), () -> 0, 1L << 28);

  private static final int LINK_OCTETS = 53;

  @TempDir Path folder;

  private byte[] exported(ForeignFormat format) throws Exception {
    Path list = Files.writeString(folder.resolve("keys"), "a.example\nb.example\nc.example\n");
    Path target = folder.resolve(format.word());
    new ForeignExport(TOOLS)
        .run(new ForeignExport.Request(List.of(list), target, format, 0.01, "k"));
    return Files.readAllBytes(target);
  }

  private static byte[] parquet() {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes("PAR1 columns".getBytes(UTF_8));
    for (int i = 0; i < 3; i++) {
      // The header says 64 octets, as a number in zigzag form.
      file.writeBytes(
          new byte[] {
            0x15, (byte) 0x80, 1, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0,
          });
      file.writeBytes(new byte[64]);
    }
    file.writeBytes("PAR1".getBytes(UTF_8));
    return file.toByteArray();
  }

  private static void use(Path file) {
    try {
      Json.write(FilterInspection.of(file, TOOLS));
      FilterQuery.of(file, TOOLS).ask("a.example");
      FilterCheck.of(file, TOOLS).toJson();
    } catch (OfflineException refused) {
      assertEquals(1, refused.problem().lines().count(), refused.problem());
      assertTrue(refused.problem().length() > 10, refused.problem());
    }
  }

  @Test
  void cutAndChangedFilesAreRefusedOrRead() throws Exception {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("guava", exported(ForeignFormat.GUAVA));
    files.put("redisbloom", exported(ForeignFormat.REDISBLOOM));
    files.put("parquet", parquet());
    SplittableRandom random = new SplittableRandom(20261126);
    Path bad = folder.resolve("bad");
    for (byte[] good : files.values()) {
      Files.write(bad, good);
      FilterInspection.of(bad, TOOLS);
      for (int i = 0; i < 2000; i++) {
        byte[] octets =
            i % 4 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
        for (int flips = random.nextInt(4); flips > 0 && octets.length > 0; flips--) {
          octets[random.nextInt(Math.min(octets.length, 160))] = (byte) random.nextInt(256);
        }
        use(Files.write(bad, octets));
      }
    }
  }

  private static void command(ByteArrayOutputStream out, long iterator, byte[] data) {
    out.writeBytes(("*2\r\n:" + iterator + "\r\n$" + data.length + "\r\n").getBytes(UTF_8));
    out.writeBytes(data);
    out.writeBytes("\r\n".getBytes(UTF_8));
  }

  private static byte[] head(int links, long octets) {
    ByteBuffer head = ByteBuffer.allocate(20 + links * LINK_OCTETS).order(ByteOrder.LITTLE_ENDIAN);
    head.putLong(1).putInt(links).putInt(5).putInt(2);
    for (int i = 0; i < links; i++) {
      head.putLong(octets).putLong(octets * 8).putLong(1).putDouble(0.01).putDouble(9.6);
      head.putInt(7).putLong(10).put((byte) 0);
    }
    return head.array();
  }

  /** The heap of a test is smaller than what the headers say. */
  @Test
  void aSmallDumpDoesNotTakeTheMemoryThatItsHeaderSays() throws Exception {
    for (int links : new int[] {1, 3}) {
      ByteArrayOutputStream dump = new ByteArrayOutputStream();
      command(dump, 1, head(links, 2_000_000_000L / links));
      command(dump, 9, new byte[8]);
      Path file = Files.write(folder.resolve("dump"), dump.toByteArray());
      OfflineException refused =
          assertThrows(OfflineException.class, () -> FilterInspection.of(file, TOOLS));
      assertTrue(refused.problem().contains(" header "), refused.problem());
    }
  }

  /** Each piece is found in the chain at once, however long both are. */
  @Test
  @Timeout(20)
  void aLongChainOfSmallPiecesIsReadQuickly() throws Exception {
    int links = 100_000;
    ByteArrayOutputStream dump = new ByteArrayOutputStream();
    command(dump, 1, head(links, 1));
    for (int i = 0; i < links; i++) {
      command(dump, i + 2L, new byte[1]);
    }
    Path file = Files.write(folder.resolve("dump"), dump.toByteArray());
    assertEquals(links, FilterInspection.of(file, TOOLS).number("filters").orElseThrow());
  }

  @Test
  void aFileThatIsLargerThanTheMemoryIsNotRead() throws IOException {
    Path file = folder.resolve("huge");
    try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
      huge.write(new byte[] {1, 7, 0x07, (byte) 0xff, (byte) 0xff, (byte) 0xff});
      huge.setLength(6 + 0x7ffffffL * Long.BYTES);
    }
    OfflineException refused =
        assertThrows(OfflineException.class, () -> FilterInspection.of(file, TOOLS));
    assertTrue(refused.problem().contains("needs more than the 256 MiB"), refused.problem());
  }
}
