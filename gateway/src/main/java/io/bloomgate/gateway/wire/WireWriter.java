package io.bloomgate.gateway.wire;

import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;

/**
 * Replies on their way to the client. They gather while commands of a pipelined group are still in
 * the reader's buffer and leave in one write before the session blocks for input (RFC 2920 section
 * 3.2): small single writes cost 40 ms each between Nagle and delayed ACK. Used by one session's
 * thread.
 */
public final class WireWriter {

  private static final int INITIAL_OCTETS = 256;
  private static final int KEPT_OCTETS = 512;
  private static final byte[] NOTHING = {};

  private final WatchedSocket socket;
  private final OutputStream out;
  private final Duration limit;
  private byte[] buffer = NOTHING;
  private int length;

  /**
   * Makes the writer of one connection.
   *
   * @param socket whose deadline is set before each write
   * @param out where the replies go: to the socket, or through TLS
   * @param limit how long one write may take before the watchdog closes the socket
   */
  WireWriter(WatchedSocket socket, OutputStream out, Duration limit) {
    this.socket = socket;
    this.out = out;
    this.limit = limit;
  }

  /** The same limits on another stream, for TLS. Nothing may be waiting. */
  WireWriter onto(OutputStream other) {
    if (length != 0) {
      throw new IllegalStateException("replies are waiting for the old stream");
    }
    return new WireWriter(socket, other, limit);
  }

  /** Puts a reply behind those that wait, in the form of RFC 5321 section 4.2.1. */
  public void add(Reply reply) {
    int last = reply.lines().size() - 1;
    for (int i = 0; i <= last; i++) {
      putCode(reply.code());
      put(i < last ? '-' : ' ');
      if (!reply.enhanced().isEmpty()) {
        put(reply.enhanced());
        put(' ');
      }
      put(reply.lines().get(i));
      put('\r');
      put('\n');
    }
  }

  /** Sends what waits, in one write. */
  public void flush() throws IOException {
    if (length == 0) {
      return;
    }
    int octets = length;
    length = 0;
    socket.begin(limit);
    out.write(buffer, 0, octets);
    out.flush();
    if (buffer.length > KEPT_OCTETS) {
      buffer = NOTHING;
    }
  }

  private void putCode(int code) {
    put((char) ('0' + code / 100));
    put((char) ('0' + code / 10 % 10));
    put((char) ('0' + code % 10));
  }

  private void put(String ascii) {
    for (int i = 0; i < ascii.length(); i++) {
      put(ascii.charAt(i));
    }
  }

  /** {@link Reply} holds printable ASCII only, so a character is an octet. */
  private void put(char c) {
    if (length == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(INITIAL_OCTETS, 2 * length));
    }
    buffer[length++] = (byte) c;
  }
}
