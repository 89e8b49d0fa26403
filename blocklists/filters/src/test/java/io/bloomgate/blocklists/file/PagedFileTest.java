package io.bloomgate.blocklists.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The format under filters and indexes: what was written is read, all else is refused. */
class PagedFileTest {

  private static final Keying KEYING = new Keying(1, 1, 0x0123456789abcdefL, -2);
  private static final FileHeader HEADER =
      new FileHeader(FileKind.NAME_INDEX, KEYING, 7, 9, 0.01, 0.009, List.of(1L, -1L, 3L));

  @TempDir Path dir;

  private Path write(int octets) throws IOException {
    Path path = dir.resolve("file");
    SplittableRandom random = new SplittableRandom(5);
    byte[] bytes = new byte[octets];
    random.nextBytes(bytes);
    try (PagedFileWriter out = PagedFileWriter.create(path)) {
      out.putBytes(bytes, 0, octets);
      out.commit(HEADER);
    }
    return path;
  }

  private static void readWhole(Path path) throws IOException {
    PagedFile.open(path, FileKind.NAME_INDEX).verify();
  }

  @Test
  void everyWayOfWritingCrossesPages() throws Exception {
    Path path = dir.resolve("file");
    try (PagedFileWriter out = PagedFileWriter.create(path)) {
      out.putByte(1);
      for (int i = 0; i < 20_000; i++) {
        out.putLong(i * 0x0101010101010101L);
        out.putShort(i);
        out.putInt(~i);
      }
      out.align(64);
      assertEquals(0, out.position() % 64);
      out.commit(HEADER);
    }
    PagedFile file = PagedFile.open(path, FileKind.NAME_INDEX);
    file.verify();
    assertEquals(HEADER, file.header());
    java.nio.ByteBuffer body =
        file.body().asByteBuffer().order(java.nio.ByteOrder.LITTLE_ENDIAN).position(1);
    for (int i = 0; i < 20_000; i++) {
      assertEquals(i * 0x0101010101010101L, body.getLong());
      assertEquals((short) i, body.getShort());
      assertEquals(~i, body.getInt());
    }
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
  }

  @Test
  void aFlippedBitInAnyOctetIsRefused() throws Exception {
    Path path = write(90);
    byte[] whole = Files.readAllBytes(path);
    Path broken = dir.resolve("broken");
    for (int octet = 0; octet < whole.length; octet++) {
      whole[octet] ^= (byte) (1 << octet % 8);
      Files.write(broken, whole);
      refused(broken, "octet " + octet);
      whole[octet] ^= (byte) (1 << octet % 8);
    }
    Files.write(broken, whole);
    readWhole(broken);
  }

  @Test
  void everyTruncationAndEveryAdditionIsRefused() throws Exception {
    byte[] whole = Files.readAllBytes(write(70_000));
    Path broken = dir.resolve("broken");
    int[] lengths = {0, 1, 8, 511, 512, 513, 65_536, 70_511, whole.length - 4, whole.length - 1};
    for (int length : lengths) {
      Files.write(broken, Arrays.copyOf(whole, length));
      refused(broken, "length " + length);
    }
    for (int more : new int[] {1, 4, 65_536}) {
      Files.write(broken, Arrays.copyOf(whole, whole.length + more));
      refused(broken, "longer by " + more);
    }
  }

  private static void refused(Path path, String what) throws IOException {
    try {
      readWhole(path);
    } catch (DamagedFileException e) {
      String message = String.valueOf(e.getMessage());
      assertTrue(message.startsWith(path.toString()), message);
      assertTrue(message.length() > path.toString().length() + 10, message);
      return;
    }
    fail(what + " was read");
  }

  @Test
  void damageBehindOnePageLeavesTheOthersReadable() throws Exception {
    Path path = write(200_000);
    byte[] whole = Files.readAllBytes(path);
    whole[FileHeader.HEADER_OCTETS + 100_000] ^= 1;
    Files.write(path, whole);
    PagedFile file = PagedFile.open(path);
    file.verifiedPage(0);
    file.verify(131_072, 60_000);
    assertThrows(DamagedFileException.class, () -> file.verifiedPage(1));
    assertThrows(DamagedFileException.class, () -> file.verify(131_071, 2));
    assertThrows(DamagedFileException.class, () -> file.verify(0, 300_000));
  }

  @Test
  void anotherKindIsNamed() throws Exception {
    Path path = write(10);
    DamagedFileException e =
        assertThrows(
            DamagedFileException.class, () -> PagedFile.open(path, FileKind.NETWORK_INDEX));
    assertTrue(String.valueOf(e.getMessage()).endsWith("is a name index, not a network index"));
  }

  @Test
  void whatIsNotCommittedLeavesNothing() throws Exception {
    try (PagedFileWriter out = PagedFileWriter.create(dir.resolve("file"))) {
      out.putInt(1);
    }
    try (var names = Files.list(dir)) {
      assertEquals(0, names.count());
    }
  }

  @Test
  void theSeedIsNeverPrinted() {
    assertFalse(HEADER.toString().contains("81985529216486895"), HEADER.toString());
    assertFalse(KEYING.toString().contains("-2"), KEYING.toString());
  }
}
