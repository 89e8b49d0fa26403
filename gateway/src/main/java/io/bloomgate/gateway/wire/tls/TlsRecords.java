package io.bloomgate.gateway.wire.tls;

import java.io.InterruptedIOException;
import javax.net.ssl.SSLException;

/**
 * Counts the TLS records of one connection that brought nothing to read. A key update of TLS 1.3
 * (RFC 8446 section 4.6.3) is 27 octets for the client and costs us key derivations and often an
 * answer; the JDK's engine takes as many as come, below any read of ours. Honest clients send one
 * in millions of records. Warnings before the handshake are the same in 7 octets.
 *
 * <p>{@link TlsSocket} tells it what each record brought. Used by one session's thread.
 */
public final class TlsRecords {

  /** The largest number on one connection. */
  public static final int MAX_EMPTY_RECORDS = 100;

  /** One after the other, padding included; a record has at most 16 KiB. */
  static final int MAX_OCTETS_WITHOUT_TEXT = 64 * 1024;

  /** The native engine has bounds for a row of them, of 4 and more; its errors are named so. */
  private static final String NATIVE_BOUND = "TOO_MANY_";

  /** More came than is taken; after it nothing can be read, but a reply can still be sent. */
  public static final class TooManyException extends InterruptedIOException {
    private static final long serialVersionUID = 1L;

    TooManyException() {
      super("too many TLS records without content");
    }
  }

  private int emptyRecords;
  private int octetsWithoutText;

  /** True for the error of an engine that has had enough of records that bring nothing. */
  static boolean isTooMany(SSLException e) {
    return String.valueOf(e.getMessage()).contains(NATIVE_BOUND);
  }

  /**
   * A record brought nothing.
   *
   * @throws TooManyException when too many did
   */
  void nothing(int octets) throws TooManyException {
    emptyRecords++;
    octetsWithoutText += octets;
    if (emptyRecords > MAX_EMPTY_RECORDS || octetsWithoutText > MAX_OCTETS_WITHOUT_TEXT) {
      throw new TooManyException();
    }
  }

  /** A record brought text. */
  void text() {
    octetsWithoutText = 0;
  }
}
