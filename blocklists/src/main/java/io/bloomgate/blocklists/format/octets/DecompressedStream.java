package io.bloomgate.blocklists.format.octets;

import io.bloomgate.config.fault.Faults;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The text of a library's decompressor, which keeps two kinds of {@link IOException} apart: damage
 * of the compressed data is the feed's fault, and octets that cannot be read are the machine's.
 * Used by {@link Compression}, on the reading thread.
 */
final class DecompressedStream extends FilterInputStream {

  private final String kind;
  private final Watched source;

  /** Makes a decompressor around octets. */
  @FunctionalInterface
  interface Decompressor {
    InputStream around(InputStream packed) throws IOException;
  }

  private DecompressedStream(String kind, InputStream text, Watched source) {
    super(text);
    this.kind = kind;
    this.source = source;
  }

  static InputStream open(String kind, InputStream packed, Decompressor decompressor)
      throws IOException {
    Watched source = new Watched(packed);
    try {
      return new DecompressedStream(kind, decompressor.around(source), source);
    } catch (IOException e) {
      throw cause(kind, source, e);
    } catch (RuntimeException e) {
      // Decompressors meet hostile octets with more than IOException.
      throw new DamagedFeedException(kind + " data is damaged");
    }
  }

  private static IOException cause(String kind, Watched source, IOException e) {
    if (e instanceof DamagedFeedException damage) {
      return damage;
    }
    if (source.failure != null) {
      return source.failure;
    }
    return new DamagedFeedException(
        e instanceof EOFException
            ? kind + " data is cut off"
            : kind + " data is damaged: " + Octets.escape(Faults.reason(e)));
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
    } catch (IOException e) {
      throw cause(kind, source, e);
    } catch (RuntimeException e) {
      // Decompressors meet hostile octets with more than IOException.
      throw new DamagedFeedException(kind + " data is damaged");
    }
  }

  /** Buffers ask this between reads, and decompressors answer with what they met. */
  @Override
  public int available() {
    return 0;
  }

  /** Remembers what the octets themselves threw. */
  private static final class Watched extends FilterInputStream {
    private @Nullable IOException failure;

    Watched(InputStream packed) {
      super(packed);
    }

    @Override
    public int read() throws IOException {
      try {
        return super.read();
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      try {
        return super.read(target, from, length);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
