package io.bloomgate.blocklists.workbench.foreign;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A Bloom filter of RedisBloom as {@code BF.SCANDUMP} gives it in pieces, in the protocol's own
 * form (RESP): what the server replied, one array of iterator and data after the other, or the
 * commands {@code BF.LOADCHUNK} that put it back, as {@code redis-cli --pipe} takes them.
 *
 * <p>The first piece is the header: {@code u64 size, u32 filters, u32 options, u32 growth}, then
 * for each filter {@code u64 octets, u64 bits, u64 size, f64 rate, f64 bits a key, u32 hashes, u64
 * capacity, u8 log2 of the bits or 0}, little-endian and packed; the others are the filters' bits
 * (RedisBloom, src/sb.c and deps/bloom/bloom.c, versions 2.2 to 8.0).
 */
public final class RedisBloomFilter implements ForeignFilter, ForeignFormat.Builder {

  private static final int HEAD_OCTETS = 20;
  private static final int LINK_OCTETS = 53;

  private static final int NO_ROUNDING = 1;
  private static final int HASH_OF_64_BITS = 4;

  /** A filter that grows has its first part made for half of the rate. */
  private static final double TIGHTENING = 0.5;

  private static final double LN_2 = 0.693147180559945;
  private static final double LN_2_SQUARED = 0.480453013918201;
  private static final long SEED = 0xc6a4a7935bd1e995L;
  private static final int GROWTH = 2;
  private static final int MAX_BITS_LOG = 62;

  /** Data of one command; the server takes pieces of any length. */
  private static final int PIECE_OCTETS = 1 << 20;

  private final int options;
  private final List<Link> links;

  private RedisBloomFilter(int options, List<Link> links) {
    this.options = options;
    this.links = links;
  }

  /** One filter of the chain; its size counts keys. */
  private static final class Link {
    private final byte[] octets;
    private final double rate;
    private final double bitsPerKey;
    private final int hashes;
    private final long capacity;
    private final int bitsLog;
    private long size;

    Link(byte[] octets, double rate, int hashes, long capacity, int bitsLog, long size) {
      this.octets = octets;
      this.rate = rate;
      this.bitsPerKey = -(Math.log(rate) / LN_2_SQUARED);
      this.hashes = hashes;
      this.capacity = capacity;
      this.bitsLog = bitsLog;
      this.size = size;
    }

    boolean visit(long first, long second, boolean set) {
      long bits = (long) octets.length * Byte.SIZE;
      boolean all = true;
      for (int i = 0; i < hashes; i++) {
        long sum = first + i * second;
        long bit = bitsLog > 0 ? sum & ((1L << bitsLog) - 1) : Long.remainderUnsigned(sum, bits);
        int octet = (int) (bit >>> 3);
        int mask = 1 << (bit & 7);
        all &= (octets[octet] & mask) != 0;
        if (set) {
          octets[octet] |= (byte) mask;
        }
      }
      return all;
    }

    double fill() {
      long set = 0;
      for (byte octet : octets) {
        set += Integer.bitCount(octet & 0xff);
      }
      return set / ((double) octets.length * Byte.SIZE);
    }
  }

  /** An empty filter, of the size that {@code BF.RESERVE key rate capacity} makes. */
  static RedisBloomFilter create(long capacity, double rate) {
    double tight = rate * TIGHTENING;
    double bitsPerKey = -(Math.log(tight) / LN_2_SQUARED);
    long words = Math.max(1, Math.ceilDiv((long) (capacity * bitsPerKey), Long.SIZE));
    int hashes = (int) Math.ceil(LN_2 * bitsPerKey);
    Link link =
        new Link(new byte[Math.toIntExact(words * Long.BYTES)], tight, hashes, capacity, 0, 0);
    return new RedisBloomFilter(NO_ROUNDING | HASH_OF_64_BITS, List.of(link));
  }

  /** Memory of such a filter. */
  static long octets(long capacity, double rate) {
    return (long) (capacity * -Math.log(rate * TIGHTENING) / LN_2_SQUARED) / Byte.SIZE;
  }

  /** True when a file begins like an array of the protocol, and not like a list with a wildcard. */
  static boolean looksLike(ByteBuffer head) {
    return head.remaining() > 3
        && head.get(0) == '*'
        && head.get(1) >= '1'
        && head.get(1) <= '9'
        && head.get(2) == '\r'
        && head.get(3) == '\n';
  }

  /**
   * The filter of a file.
   *
   * @throws BadForeignFileException when it is not what a server of a known version gives
   */
  static RedisBloomFilter read(ByteBuffer file) throws BadForeignFileException {
    List<RespPieces.Piece> pieces = RespPieces.read(file);
    if (pieces.isEmpty() || pieces.getFirst().iterator() != 1) {
      throw new BadForeignFileException("has no header, the piece with iterator 1");
    }
    RedisBloomFilter filter = header(pieces.getFirst().data(), file.limit());
    Bits bits = new Bits(filter.links);
    long place = 1;
    for (RespPieces.Piece piece : pieces.subList(1, pieces.size())) {
      // An iterator is the place behind its piece; 0 without data ends a dump.
      if (piece.iterator() == 0 && piece.data().length == 0) {
        break;
      }
      if (piece.iterator() != place + piece.data().length) {
        throw new BadForeignFileException("lacks the piece that begins at iterator " + place);
      }
      bits.put(piece.data());
      place = piece.iterator();
    }
    long all = filter.links.stream().mapToLong(link -> link.octets.length).sum();
    if (place - 1 != all) {
      throw new BadForeignFileException("ends after " + (place - 1) + " of " + all + " octets");
    }
    return filter;
  }

  /** A filter that is still empty; the file has the octets of all its parts. */
  private static RedisBloomFilter header(byte[] octets, long fileOctets)
      throws BadForeignFileException {
    ByteBuffer in = ByteBuffer.wrap(octets).order(ByteOrder.LITTLE_ENDIAN);
    if (octets.length < HEAD_OCTETS + LINK_OCTETS
        || octets.length != HEAD_OCTETS + (long) in.getInt(8) * LINK_OCTETS) {
      throw new BadForeignFileException(
          "has a header of " + octets.length + " octets, which no known RedisBloom writes");
    }
    in.getLong();
    int count = in.getInt();
    int options = in.getInt();
    in.getInt();
    if ((options & HASH_OF_64_BITS) == 0) {
      throw new BadForeignFileException("was made with 32-bit hashes, by RedisBloom before 2.0");
    }
    List<Link> links = new ArrayList<>();
    long sum = 0;
    for (int i = 0; i < count; i++) {
      long length = in.getLong();
      long bits = in.getLong();
      long size = in.getLong();
      double rate = in.getDouble();
      in.getDouble();
      int hashes = in.getInt();
      long capacity = in.getLong();
      int bitsLog = in.get();
      sum += length;
      if (length <= 0
          || length > fileOctets
          || size < 0
          || capacity < 0
          || bits != length * Byte.SIZE
          || !(rate > 0 && rate < 1)
          || hashes < 1
          || hashes > Byte.MAX_VALUE * 8
          || bitsLog < 0
          || bitsLog > MAX_BITS_LOG
          || (bitsLog > 0 && (1L << bitsLog) > bits)) {
        throw new BadForeignFileException("has a header that no RedisBloom writes");
      }
      if (sum > fileOctets) {
        throw new BadForeignFileException(
            "is cut short: it has " + fileOctets + " octets, and its header says more");
      }
      links.add(new Link(new byte[(int) length], rate, hashes, capacity, bitsLog, size));
    }
    return new RedisBloomFilter(options, links);
  }

  /** Takes the pieces in their order. */
  private static final class Bits {
    private final List<Link> links;
    private int link;
    private int at;

    Bits(List<Link> links) {
      this.links = links;
    }

    void put(byte[] data) throws BadForeignFileException {
      if (link < links.size() && at == links.get(link).octets.length) {
        link++;
        at = 0;
      }
      if (link == links.size() || data.length > links.get(link).octets.length - at) {
        throw new BadForeignFileException("has a piece that is longer than its filter");
      }
      System.arraycopy(data, 0, links.get(link).octets, at, data.length);
      at += data.length;
    }
  }

  @Override
  public ByteBuffer write(String name) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    RespPieces.command(out, name, 1, head());
    long place = 1;
    for (Link link : links) {
      for (int at = 0; at < link.octets.length; at += PIECE_OCTETS) {
        int length = Math.min(PIECE_OCTETS, link.octets.length - at);
        place += length;
        byte[] piece = new byte[length];
        System.arraycopy(link.octets, at, piece, 0, length);
        RespPieces.command(out, name, place, piece);
      }
    }
    return ByteBuffer.wrap(out.toByteArray());
  }

  private byte[] head() {
    ByteBuffer out =
        ByteBuffer.allocate(HEAD_OCTETS + links.size() * LINK_OCTETS)
            .order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(links.stream().mapToLong(link -> link.size).sum());
    out.putInt(links.size()).putInt(options).putInt(GROWTH);
    for (Link link : links) {
      out.putLong(link.octets.length).putLong((long) link.octets.length * Byte.SIZE);
      out.putLong(link.size).putDouble(link.rate).putDouble(link.bitsPerKey);
      out.putInt(link.hashes).putLong(link.capacity).put((byte) link.bitsLog);
    }
    return out.array();
  }

  /** {@inheritDoc} One that looks as if it were there already is not counted. */
  @Override
  public void add(byte[] key) {
    long first = Murmur64A.hash(key, SEED);
    Link last = links.getLast();
    if (!last.visit(first, Murmur64A.hash(key, first), true)) {
      last.size++;
    }
  }

  @Override
  public boolean mightContain(byte[] key) {
    long first = Murmur64A.hash(key, SEED);
    long second = Murmur64A.hash(key, first);
    return links.stream().anyMatch(link -> link.visit(first, second, false));
  }

  @Override
  public JsonObject toJson() {
    double none = 1;
    double fill = 0;
    for (Link link : links) {
      fill = link.fill();
      none *= 1 - Math.pow(fill, link.hashes);
    }
    return JsonValue.object()
        .put("kind", "redisbloom")
        .put("filters", (long) links.size())
        .put("entries", links.stream().mapToLong(link -> link.size).sum())
        .put("capacity", links.stream().mapToLong(link -> link.capacity).sum())
        .put("bits", links.stream().mapToLong(link -> (long) link.octets.length * 8).sum())
        .put("hashes", (long) links.getLast().hashes)
        .put("fill", fill)
        .put("expected_fpp", 1 - none)
        .build();
  }
}
