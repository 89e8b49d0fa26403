package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.TimedInput;
import java.io.IOException;
import java.net.Socket;

/** How a connection is closed so that the last reply arrives. Runs on the session's thread. */
final class Closing {

  private static final long LINGER_NANOS = 300_000_000L;
  private static final int LINGER_OCTETS = 64 * 1024;
  private static final long STEP_NANOS = 5_000_000_000L;

  private Closing() {}

  /**
   * Lets the last reply arrive. Closing a socket that holds unread input makes the kernel send RST,
   * which can overtake it; so input is read away for a moment when there is any.
   *
   * @param plain the socket below TLS
   */
  static void linger(SessionState session, Socket plain) throws IOException {
    ClientWire wire = session.wire();
    if (wire.encrypted()) {
      return;
    }
    stepBegins(session);
    try {
      // A drain has shut the input down: then there is nothing to be read away.
      if (wire.reader().buffered() > 0 || wire.input().available() > 0) {
        plain.shutdownOutput();
        readAway(session);
      }
    } finally {
      session.control().stepEnds();
    }
  }

  /** Closes the connection; under TLS with a closing alert, RFC 8446 section 6.1. */
  static void close(SessionState session) throws IOException {
    stepBegins(session);
    try {
      session.wire().input().until(after(session, STEP_NANOS));
      session.wire().socket().close();
    } finally {
      session.control().stepEnds();
    }
  }

  private static void stepBegins(SessionState session) {
    session.control().stepBegins(after(session, STEP_NANOS));
  }

  private static long after(SessionState session, long nanos) {
    return session.environment().nanoTime().getAsLong() + nanos;
  }

  /** Says a last word after a bug; 421 may stand anywhere, RFC 5321 section 3.8. */
  static void afterBug(SessionState session, Reply reply) throws IOException {
    session.farewell(reply);
    session.wire().writer().flush();
  }

  private static void readAway(SessionState session) throws IOException {
    TimedInput in = session.wire().input();
    byte[] scratch = new byte[4096];
    int total = 0;
    int octets = 0;
    while (octets >= 0 && total < LINGER_OCTETS) {
      total += octets;
      in.until(after(session, LINGER_NANOS));
      octets = in.read(scratch, 0, scratch.length);
    }
  }
}
