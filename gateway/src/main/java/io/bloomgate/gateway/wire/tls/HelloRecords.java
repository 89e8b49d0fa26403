package io.bloomgate.gateway.wire.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * The records in which a client's first message comes, read before TLS reads them: only then can a
 * certificate be chosen in the same way for each implementation of TLS. The octets are given to TLS
 * afterwards, which also answers what is wrong with them. Read by a session's thread.
 */
public final class HelloRecords {

  /** The largest message that is read, with its header; clients send up to 2 kB. */
  static final int MAX_MESSAGE_OCTETS = 4 + 16 * 1024;

  /** The most records of one message; clients use one. */
  static final int MAX_RECORDS = 100;

  private static final int RECORD_HEADER_OCTETS = 5;
  private static final int MESSAGE_HEADER_OCTETS = 4;
  private static final int HANDSHAKE = 22;
  private static final int CLIENT_HELLO = 1;

  /** RFC 8446 section 5.1. */
  private static final int MAX_RECORD_OCTETS = 16 * 1024;

  private final ByteArrayOutputStream came = new ByteArrayOutputStream();
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();
  private Optional<ClientHello> hello = Optional.empty();

  private HelloRecords() {}

  /**
   * Reads until the message is whole, or cannot become one that is read here.
   *
   * @param in whose next octet is the first of a record; at most the last record's end is read
   */
  public static HelloRecords read(InputStream in) throws IOException {
    HelloRecords records = new HelloRecords();
    int number = 1;
    while (records.readOne(in) && number < MAX_RECORDS) {
      number++;
    }
    return records;
  }

  /** All octets that were read, for TLS. */
  public byte[] octets() {
    return came.toByteArray();
  }

  /** The message; empty when it did not come, or cannot be read. */
  Optional<ClientHello> hello() {
    return hello;
  }

  /** Reads a record, and returns true when another one is needed. */
  private boolean readOne(InputStream in) throws IOException {
    byte[] header = in.readNBytes(RECORD_HEADER_OCTETS);
    came.writeBytes(header);
    if (header.length < RECORD_HEADER_OCTETS || header[0] != HANDSHAKE) {
      return false;
    }
    int octets = ((header[3] & 0xff) << Byte.SIZE) | (header[4] & 0xff);
    // An empty one is forbidden, so it is not waited for.
    if (octets == 0 || octets > MAX_RECORD_OCTETS) {
      return false;
    }
    byte[] body = in.readNBytes(octets);
    came.writeBytes(body);
    message.writeBytes(body);
    return body.length == octets && needsMore(message.toByteArray());
  }

  private boolean needsMore(byte[] begun) {
    if (begun.length < MESSAGE_HEADER_OCTETS) {
      return begun[0] == CLIENT_HELLO;
    }
    int whole =
        MESSAGE_HEADER_OCTETS
            + ((begun[1] & 0xff) << (2 * Byte.SIZE))
            + ((begun[2] & 0xff) << Byte.SIZE)
            + (begun[3] & 0xff);
    if (begun[0] != CLIENT_HELLO || whole > MAX_MESSAGE_OCTETS) {
      return false;
    }
    if (begun.length < whole) {
      return true;
    }
    hello = ClientHello.parse(begun);
    return false;
  }
}
