package io.bloomgate.blocklists.workbench;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filter files in which all sums are right, and numbers that every kind has are not. */
class HostileFilterTest {

  private static final Keying KEYING =
      new Keying(KeyHash.VERSION, KeyHash.NORMALISATION_VERSION, 0x5eedL, 12);

  private static final int HEADER = 512;
  private static final int DIGEST = 480;
  private static final int ENTRIES = 56;
  private static final int CAPACITY = 64;
  private static final int RATE = 72;
  private static final int EXPECTED = 80;
  private static final int PAGE = 64 * 1024;

  @TempDir Path folder;

  private byte[] filter(FilterKind kind) throws Exception {
    long[] hashes = new SplittableRandom(3).longs(300).toArray();
    Path file = folder.resolve("good");
    FilterFile.write(
        file,
        FilterKinds.build(
            kind,
            new FilterRequest(
                hashes.length, 0.01, sink -> new SplittableRandom(4).longs(50).forEach(sink)),
            sink -> Arrays.stream(hashes).forEach(sink)),
        KEYING);
    return Files.readAllBytes(file);
  }

  /** Makes all sums right again. */
  static byte[] sealed(byte[] file) throws Exception {
    ByteBuffer octets = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int pages = (file.length - HEADER + PAGE + 3) / (PAGE + 4);
    int body = file.length - HEADER - pages * Integer.BYTES;
    for (int page = 0; page < pages; page++) {
      CRC32C crc = new CRC32C();
      crc.update(file, HEADER + page * PAGE, Math.min(PAGE, body - page * PAGE));
      octets.putInt(HEADER + body + page * Integer.BYTES, (int) crc.getValue());
    }
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    sha.update(file, 0, DIGEST);
    sha.update(file, HEADER + body, pages * Integer.BYTES);
    octets.put(DIGEST, sha.digest());
    return file;
  }

  @ParameterizedTest
  @EnumSource
  void numbersThatNoFilterHasAreRefusedWhenItIsRead(FilterKind kind) throws Exception {
    byte[] good = filter(kind);
    for (int field : new int[] {ENTRIES, CAPACITY, RATE, EXPECTED}) {
      boolean isRate = field >= RATE;
      for (double rate : new double[] {-1, 2, Double.NaN, Double.POSITIVE_INFINITY}) {
        byte[] bad = good.clone();
        long number = isRate ? Double.doubleToLongBits(rate) : -1;
        ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putLong(field, number);
        Path file = Files.write(folder.resolve("bad"), sealed(bad));
        Exception refused =
            assertThrows(
                DamagedFileException.class,
                () -> FilterKinds.read(file),
                () -> kind + " with " + number + " at octet " + field);
        String message = String.valueOf(refused.getMessage());
        assertTrue(message.contains("has numbers that no filter has"), message);
      }
    }
  }
}
