package io.bloomgate.blocklists.file;

import io.bloomgate.config.fault.Faults;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The first 512 octets of a paged file, little-endian. Immutable.
 *
 * <pre>
 *    0  magic (8 octets)                 40  seed (2 x u64)
 *    8  u32 format                       56  u64 entries
 *   12  u32 kind                         64  u64 capacity
 *   16  u64 octets of the body           72  f64 asked rate
 *   24  u32 octets of a page             80  f64 expected rate
 *   28  u32 hash version                 88  u64 measures, as many as counted, up to 48
 *   32  u32 key normalisation version   ...  zero
 *   36  u32 number of measures          480  SHA-256 of octets 0 to 479 and of all page sums
 * </pre>
 *
 * <p>After the header come the body and then the CRC32C (RFC 3720, appendix B.4) of every page of
 * the body as u32. Nothing follows.
 *
 * @param keying how keys became hashes
 * @param entries distinct keys inside
 * @param capacity distinct keys for which the asked rate holds; for indexes the entries
 * @param askedRate ratio of false positives asked for; 0 for indexes
 * @param expectedRate ratio of false positives expected; 0 for indexes
 * @param measures further numbers, with a meaning for each kind
 */
public record FileHeader(
    FileKind kind,
    Keying keying,
    long entries,
    long capacity,
    double askedRate,
    double expectedRate,
    List<Long> measures) {

  /** Number of the format of all kinds: of the fields above, the measures and the bodies. */
  public static final int FORMAT = 1;

  static final int HEADER_OCTETS = 512;
  public static final int PAGE_OCTETS = 64 * 1024;
  static final int DIGEST_OCTETS = 32;
  static final int DIGEST_OFFSET = HEADER_OCTETS - DIGEST_OCTETS;

  /**
   * The first octets, as in PNG: a high bit and line ends show transfers that harm binary files.
   */
  private static final byte[] MAGIC = {(byte) 0x89, 'B', 'L', 'M', 'G', '\r', '\n', 0x1a};

  static final int KIND_OFFSET = 12;

  private static final int MEASURES_OFFSET = 88;
  private static final int MAX_MEASURES = 48;

  public FileHeader {
    measures = List.copyOf(measures);
    if (measures.size() > MAX_MEASURES) {
      throw new IllegalArgumentException("at most " + MAX_MEASURES + " measures fit a header");
    }
  }

  /** The header's octets with zeros where the digest goes. */
  byte[] encode(long bodyOctets) {
    ByteBuffer out = ByteBuffer.allocate(HEADER_OCTETS).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).putInt(FORMAT).putInt(kind.code()).putLong(bodyOctets);
    out.putInt(PAGE_OCTETS).putInt(keying.hashVersion()).putInt(keying.normalisationVersion());
    out.putInt(measures.size()).putLong(keying.seedHigh()).putLong(keying.seedLow());
    out.putLong(entries).putLong(capacity).putDouble(askedRate).putDouble(expectedRate);
    measures.forEach(out::putLong);
    return out.array();
  }

  /** True when these octets begin as every paged file does. */
  static boolean isMarked(byte[] octets) {
    return octets.length >= MAGIC.length
        && Arrays.equals(octets, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /** Octets of the body, as the header says; nothing of it is proven yet. */
  static long bodyOctets(Path path, byte[] header) throws DamagedFileException {
    ByteBuffer in = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    if (!isMarked(header)) {
      throw new DamagedFileException(
          path, "is not a Bloomgate file, or its first octets are damaged");
    }
    int format = in.getInt(8);
    if (format != FORMAT) {
      throw new DamagedFileException(
          path, Faults.otherFormat(Integer.toUnsignedLong(format), FORMAT));
    }
    long octets = in.getLong(16);
    if (octets < 0 || in.getInt(24) != PAGE_OCTETS) {
      throw new DamagedFileException(path, "has a damaged header (sizes are impossible)");
    }
    return octets;
  }

  /** Reads a header whose digest was found right. */
  static FileHeader decode(Path path, byte[] header) throws DamagedFileException {
    ByteBuffer in = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    FileKind kind =
        FileKind.ofCode(in.getInt(KIND_OFFSET))
            .orElseThrow(
                () -> new DamagedFileException(path, "is of a kind this release cannot read"));
    Keying keying = new Keying(in.getInt(28), in.getInt(32), in.getLong(40), in.getLong(48));
    int count = in.getInt(36);
    if (count < 0 || count > MAX_MEASURES) {
      throw new DamagedFileException(path, "has a damaged header (number of measures)");
    }
    List<Long> measures = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      measures.add(in.getLong(MEASURES_OFFSET + 8 * i));
    }
    return new FileHeader(
        kind, keying, in.getLong(56), in.getLong(64), in.getDouble(72), in.getDouble(80), measures);
  }

  /** A measure by position; 0 where the file has fewer. */
  public long measure(int index) {
    return index < measures.size() ? measures.get(index) : 0;
  }
}
