package io.bloomgate.gateway.wire;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;

/**
 * Counts the TLS records of one connection that brought nothing to read. A key update of TLS 1.3
 * (RFC 8446 section 4.6.3) is 27 octets for the client and costs us key derivations and often an
 * answer; the runtime takes as many as come, below any read of ours. Honest clients send one in
 * millions of records. Warnings before the handshake are the same in 7 octets.
 *
 * <p>{@link WatchedSocket} shows it what comes from the network, the stream of {@link #counted}
 * what TLS made of it. It relies on records being read one by one, as the runtime's TLS sockets do.
 * Used by one session's thread.
 */
public final class TlsRecords {

  /** The largest number on one connection. */
  public static final int MAX_EMPTY_RECORDS = 100;

  /** One after the other, padding included; a record has at most 16 KiB. */
  static final int MAX_OCTETS_WITHOUT_TEXT = 64 * 1024;

  private static final int HEADER_OCTETS = 5;

  /** More came than is taken; after it nothing can be read, but a reply can still be sent. */
  public static final class TooManyException extends InterruptedIOException {
    private static final long serialVersionUID = 1L;

    TooManyException() {
      super("too many TLS records without content");
    }
  }

  private long records;
  private long recordsAtText;
  private long emptyRecords;
  private long octetsWithoutText;

  private int headerOctets;
  private int bodyOctets;

  /**
   * Takes octets that came from the network.
   *
   * @throws TooManyException when too many of them brought nothing
   */
  public void came(byte[] octets, int offset, int length) throws TooManyException {
    int end = offset + length;
    for (int i = offset; i < end; ) {
      if (headerOctets < HEADER_OCTETS) {
        // The last two octets are the length of the body (RFC 8446 section 5.1).
        bodyOctets = ((bodyOctets << Byte.SIZE) | (octets[i] & 0xff)) & 0xffff;
        headerOctets++;
        i++;
      } else {
        int body = Math.min(bodyOctets, end - i);
        bodyOctets -= body;
        i += body;
      }
      if (headerOctets == HEADER_OCTETS && bodyOctets == 0) {
        records++;
        headerOctets = 0;
      }
    }
    octetsWithoutText += length;
    if (octetsWithoutText > MAX_OCTETS_WITHOUT_TEXT
        || emptyRecords + records - recordsAtText > MAX_EMPTY_RECORDS) {
      throw new TooManyException();
    }
  }

  /** Wraps the decrypted stream on its way to the session and counts what it gives. */
  InputStream counted(InputStream decrypted) {
    return new FilterInputStream(decrypted) {
      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        int octets = in.read(into, offset, length);
        if (octets > 0) {
          textCame();
        }
        return octets;
      }
    };
  }

  /** The newest record brought text; those before it, since the last that did, brought none. */
  private void textCame() {
    if (records > recordsAtText) {
      emptyRecords += records - recordsAtText - 1;
      recordsAtText = records;
    }
    octetsWithoutText = 0;
  }
}
