package io.bloomgate.blocklists.workbench.foreign;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The split-block Bloom filters of a Parquet file, or one of them cut out of it: a Thrift header in
 * compact form, then blocks of 32 octets. A file has one for each column and row group that was
 * asked for; a key is asked of all of them. Keys are the octets of a text or binary value; their
 * hash is XXH64 with seed 0 (Parquet format, BloomFilter.md).
 */
public final class ParquetFilter implements ForeignFilter {

  private static final byte[] MAGIC = {'P', 'A', 'R', '1'};

  /** Field 1, an i32: the length of the blocks. */
  private static final byte LENGTH_FIELD = 0x15;

  /** Fields 2, 3, 4: BLOCK, XXHASH and UNCOMPRESSED, each an empty struct in a union; the end. */
  private static final byte[] REST = {
    0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0,
  };

  private static final int LANES = 8;
  private static final int BLOCK_OCTETS = LANES * Integer.BYTES;
  private static final int MAX_OCTETS = 128 << 20;
  private static final int MAX_VARINT = 5;

  private static final int[] SALTS = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
  };

  private static final Hasher64 XXH64 = Hashing.xxh64();

  private final List<int[]> filters;

  private ParquetFilter(List<int[]> filters) {
    this.filters = filters;
  }

  /** True when a file begins like a Parquet file, or like a filter that was cut out of one. */
  static boolean looksLike(ByteBuffer head) {
    return startsWith(head, 0, MAGIC) || blocksAt(head, 0) > 0;
  }

  /**
   * All filters of a file.
   *
   * @throws BadForeignFileException when there is none, or the only one is cut
   */
  static ParquetFilter read(ByteBuffer file) throws BadForeignFileException {
    ByteBuffer in = file.order(ByteOrder.LITTLE_ENDIAN);
    List<int[]> filters = new ArrayList<>();
    int at = in.position();
    while (at < in.limit()) {
      int blocks = in.get(at) == LENGTH_FIELD ? blocksAt(in, at) : -1;
      int length = blocks < 0 ? 0 : length(in, at);
      if (length > 0) {
        if (length > in.limit() - blocks) {
          throw new BadForeignFileException("ends in the middle of a filter");
        }
        int[] words = new int[length / Integer.BYTES];
        in.slice(blocks, length).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
        filters.add(words);
        at = blocks + length;
      } else {
        at++;
      }
    }
    if (filters.isEmpty()) {
      throw new BadForeignFileException(
          "is a Parquet file without Bloom filters; its writer has to be asked for them");
    }
    return new ParquetFilter(filters);
  }

  /** Where the blocks behind the header begin, or -1 when no header is here. */
  private static int blocksAt(ByteBuffer in, int header) {
    if (header >= in.limit() || in.get(header) != LENGTH_FIELD) {
      return -1;
    }
    int at = header + 1;
    while (at < in.limit() && in.get(at) < 0) {
      at++;
    }
    at++;
    return at - header <= MAX_VARINT + 1 && startsWith(in, at, REST) ? at + REST.length : -1;
  }

  /** The length that a header says, or 0 when no filter has it. */
  private static int length(ByteBuffer in, int header) {
    long zigzag = 0;
    int shift = 0;
    int at = header + 1;
    byte octet;
    do {
      octet = in.get(at++);
      zigzag |= (octet & 0x7fL) << shift;
      shift += 7;
    } while (octet < 0);
    long length = zigzag >>> 1;
    boolean possible =
        (zigzag & 1) == 0 && length > 0 && length <= MAX_OCTETS && length % BLOCK_OCTETS == 0;
    return possible ? (int) length : 0;
  }

  private static boolean startsWith(ByteBuffer in, int at, byte[] octets) {
    if (at + octets.length > in.limit()) {
      return false;
    }
    for (int i = 0; i < octets.length; i++) {
      if (in.get(at + i) != octets[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean mightContain(byte[] key) {
    long hash = XXH64.hashBytesToLong(key);
    return filters.stream().anyMatch(words -> holds(words, hash));
  }

  private static boolean holds(int[] words, long hash) {
    long blocks = words.length / LANES;
    int block = (int) (((hash >>> Integer.SIZE) * blocks) >>> Integer.SIZE) * LANES;
    boolean all = true;
    for (int lane = 0; lane < LANES; lane++) {
      all &= ((words[block + lane] >>> (((int) hash * SALTS[lane]) >>> 27)) & 1) != 0;
    }
    return all;
  }

  /** Ratio of false positives of random hashes: each block is hit alike. */
  private static double rate(int[] words) {
    double sum = 0;
    for (int block = 0; block < words.length; block += LANES) {
      double hit = 1;
      for (int lane = 0; lane < LANES; lane++) {
        hit *= Integer.bitCount(words[block + lane]) / (double) Integer.SIZE;
      }
      sum += hit;
    }
    return sum * LANES / words.length;
  }

  @Override
  public JsonObject toJson() {
    double none = 1;
    long bits = 0;
    long set = 0;
    for (int[] words : filters) {
      none *= 1 - rate(words);
      bits += (long) words.length * Integer.SIZE;
      for (int word : words) {
        set += Integer.bitCount(word);
      }
    }
    return JsonValue.object()
        .put("kind", "parquet")
        .put("filters", (long) filters.size())
        .put("bits", bits)
        .put("hashes", (long) LANES)
        .put("fill", set / (double) bits)
        .put("expected_fpp", 1 - none)
        .build();
  }
}
