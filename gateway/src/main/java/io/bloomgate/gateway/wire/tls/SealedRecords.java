package io.bloomgate.gateway.wire.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLException;

/**
 * Holds what came from the network until a record is whole: an engine is asked once for each
 * record. Small while nothing comes. Used by one {@link TlsSocket} on its session's thread.
 */
final class SealedRecords {

  /** Type, version and length of a record, RFC 8446 section 5.1. */
  private static final int HEADER_OCTETS = 5;

  /** The largest record, of TLS 1.2 (RFC 5246 section 6.2.3). */
  static final int MAX_OCTETS = HEADER_OCTETS + 16 * 1024 + 2048;

  /** RFC 8446 appendix B.1: change_cipher_spec, the first of four that follow one another. */
  private static final int FIRST_TYPE = 20;

  private static final int LAST_TYPE = 23;

  /** The least that is read from the network at once. */
  private static final int MIN_READ_OCTETS = 512;

  private byte[] octets = {};
  private int from;
  private int to;

  /** The octets of the first record, or of what is none, if they are all here; otherwise 0. */
  int whole() {
    int here = to - from;
    if (here < HEADER_OCTETS) {
      return 0;
    }
    int record = recordOctets();
    return record > here ? 0 : record;
  }

  /** Something that is no record is left to the engine, which says so. */
  private int recordOctets() {
    int type = octets[from] & 0xff;
    int record =
        HEADER_OCTETS + ((octets[from + 3] & 0xff) << Byte.SIZE) + (octets[from + 4] & 0xff);
    return type < FIRST_TYPE || type > LAST_TYPE || record > MAX_OCTETS
        ? Math.min(to - from, MAX_OCTETS)
        : record;
  }

  /** Copies the first octets; they stay. */
  void copy(int length, ByteBuffer into) {
    into.put(octets, from, length);
  }

  /** Drops the first octets. */
  void consume(int length) {
    from += length;
  }

  /**
   * Waits for more.
   *
   * @param wanted octets that the reader has room for
   * @return false at the end of the input
   */
  boolean fill(InputStream network, int wanted) throws IOException {
    int here = to - from;
    int room = Math.clamp(wanted, MIN_READ_OCTETS, MAX_OCTETS);
    if (here >= HEADER_OCTETS) {
      room = Math.max(room, recordOctets());
    }
    if (here >= MAX_OCTETS) {
      throw new SSLException("a record is longer than TLS allows");
    } else if (here >= room) {
      room = Math.min(2 * here, MAX_OCTETS);
    }
    if (octets.length < room || (here == 0 && octets.length > room)) {
      octets = Arrays.copyOf(Arrays.copyOfRange(octets, from, to), room);
    } else if (from > 0) {
      System.arraycopy(octets, from, octets, 0, here);
    }
    from = 0;
    to = here;
    int came = network.read(octets, to, octets.length - to);
    to += Math.max(0, came);
    return came >= 0;
  }
}
