package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** How a connection is closed so that the last reply arrives. Runs on the session's thread. */
final class Closing {

  /** How long more input is awaited, each time. */
  private static final Duration LINGER = Duration.ofMillis(300);

  private static final int LINGER_OCTETS = 64 * 1024;

  /** For a closing alert of TLS. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  private Closing() {}

  /**
   * Lets the last reply arrive. When a socket is closed that holds unread input, the kernel sends
   * RST, which can overtake the reply; so input is read and dropped for a moment when there is any.
   */
  static void linger(SessionState session) throws IOException {
    ClientWire wire = session.wire();
    if (wire.encrypted()) {
      return;
    }
    // A drain has shut the input down: then there is nothing to be read.
    if (wire.reader().buffered() > 0 || wire.plain().octetsPending()) {
      wire.plain().shutdownOutput();
      readAway(wire.plain());
    }
  }

  private static void readAway(WatchedSocket socket) throws IOException {
    InputStream in = socket.getInputStream();
    byte[] scratch = new byte[4096];
    int total = 0;
    int octets = 0;
    while (octets >= 0 && total < LINGER_OCTETS) {
      total += octets;
      socket.begin(LINGER);
      octets = in.read(scratch, 0, scratch.length);
    }
  }

  /** Closes the connection; under TLS with a closing alert, RFC 8446 section 6.1. */
  static void close(SessionState session) throws IOException {
    session.wire().plain().begin(CLOSE_LIMIT);
    session.wire().socket().close();
  }

  /** Sends a last reply after a bug; 421 may be sent at any time, RFC 5321 section 3.8. */
  static void afterBug(SessionState session, Reply reply) throws IOException {
    session.answerAndEnd(reply);
    session.wire().writer().flush();
  }
}
