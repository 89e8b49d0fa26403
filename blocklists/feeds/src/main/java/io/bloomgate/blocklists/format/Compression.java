package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.config.fault.Faults;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumSet;
import java.util.HexFormat;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.tukaani.xz.XZInputStream;

/** The compressions that feeds come in, known by their first octets. Used by {@link FeedBytes}. */
public enum Compression {
  /** A plain text, or something that no magic octets name. */
  NONE(""),
  /** RFC 1952, all members one after the other. */
  GZIP("1f8b"),
  /** An archive with one list in it. */
  ZIP("504b0304"),
  /** The .xz file format, all streams one after the other. */
  XZ("fd377a585a00"),
  /** bzip2, all streams one after the other. */
  BZIP2("425a68"),
  /** RFC 8878; known, not read. */
  ZSTD("28b52ffd");

  /** The number of first octets by which all of them are recognised. */
  public static final int MAGIC_OCTETS = 6;

  private final String magic;

  Compression(String magic) {
    this.magic = new String(HexFormat.of().parseHex(magic), ISO_8859_1);
  }

  /** The compression of a text that begins so. */
  public static Compression of(byte[] head) {
    String begin = new String(head, ISO_8859_1);
    return EnumSet.complementOf(EnumSet.of(NONE)).stream()
        .filter(kind -> begin.startsWith(kind.magic))
        // The block size follows the magic, so that a name like BZh.example is none.
        .filter(kind -> kind != BZIP2 || (head.length > 3 && head[3] >= '1' && head[3] <= '9'))
        .findFirst()
        .orElse(NONE);
  }

  /**
   * The octets inside. Damage shows as {@link DamagedFeedException} here or while reading.
   *
   * @throws IOException when {@code packed} throws it
   */
  InputStream open(InputStream packed) throws IOException {
    return switch (this) {
      case NONE -> packed;
      case GZIP ->
          DecompressedStream.open(
              "gzip",
              packed,
              in ->
                  GzipCompressorInputStream.builder()
                      .setInputStream(new ShortHeaders(in))
                      .setDecompressConcatenated(true)
                      .get());
      case ZIP -> ZipMember.open(packed);
      case XZ ->
          DecompressedStream.open(
              "xz", packed, in -> new XZInputStream(in, FeedLimits.DECOMPRESSOR_MEBIBYTES * 1024));
      case BZIP2 ->
          DecompressedStream.open("bzip2", packed, in -> new BZip2CompressorInputStream(in, true));
      case ZSTD ->
          throw new DamagedFeedException(
              "zstd is not read; offer gzip, xz, bzip2, zip or plain text");
    };
  }

  /**
   * The octets of gzip, whose library keeps a name in a header in memory, however long it is: it
   * reads headers octet by octet, and this number of them in a row is damage.
   */
  private static final class ShortHeaders extends FilterInputStream {

    private static final int MAX_OCTETS = 1 << 17;

    private int inRow;

    ShortHeaders(InputStream packed) {
      super(packed);
    }

    @Override
    public int read() throws IOException {
      if (++inRow > MAX_OCTETS) {
        throw new DamagedFeedException("gzip header is damaged");
      }
      return super.read();
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      inRow = 0;
      return super.read(target, from, length);
    }
  }

  /**
   * The text of a library's decompressor, whose failures are damage of the feed. Used by {@link
   * Compression}, on the reading thread.
   */
  static final class DecompressedStream extends FilterInputStream {

    private final String kind;

    /** Makes a decompressor around octets. */
    @FunctionalInterface
    interface Decompressor {
      InputStream around(InputStream packed) throws IOException;
    }

    private DecompressedStream(String kind, InputStream text) {
      super(text);
      this.kind = kind;
    }

    static InputStream open(String kind, InputStream packed, Decompressor decompressor)
        throws DamagedFeedException {
      try {
        return new DecompressedStream(kind, decompressor.around(packed));
      } catch (IOException | RuntimeException e) {
        throw damage(kind, e);
      }
    }

    /** Decompressors meet hostile octets with more than {@link IOException}. */
    private static DamagedFeedException damage(String kind, Exception e) {
      return e instanceof DamagedFeedException damage
          ? damage
          : new DamagedFeedException(
              e instanceof EOFException
                  ? kind + " data is cut off"
                  : kind
                      + " data is damaged"
                      + (e instanceof IOException io
                          ? ": " + Octets.escape(Faults.reason(io))
                          : ""));
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      try {
        return super.read(target, from, length);
      } catch (IOException | RuntimeException e) {
        throw damage(kind, e);
      }
    }

    /** Buffers ask this between reads, and decompressors answer with what they met. */
    @Override
    public int available() {
      return 0;
    }
  }
}
