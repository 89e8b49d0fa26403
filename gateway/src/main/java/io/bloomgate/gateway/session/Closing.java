package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** How a connection is closed so that the last reply arrives. Runs on the session's thread. */
final class Closing {

  private static final int LINGER_MILLIS = 300;
  private static final int LINGER_OCTETS = 64 * 1024;
  private static final long STEP_NANOS = 5_000_000_000L;

  private Closing() {}

  /**
   * Lets the last reply arrive. Closing a socket that holds unread input makes the kernel send RST,
   * which can overtake it; so input is read away for a moment when there is any.
   *
   * @param plain the socket below TLS
   */
  static void linger(Dialog dialog, Socket plain) throws IOException {
    Wire wire = dialog.wire();
    if (wire.encrypted()) {
      return;
    }
    stepBegins(dialog);
    try {
      if (wire.reader().buffered() > 0 || plain.getInputStream().available() > 0) {
        plain.shutdownOutput();
        readAway(plain);
      }
    } finally {
      dialog.handle().stepEnds();
    }
  }

  /** Closes the connection; under TLS with a closing alert, RFC 8446 section 6.1. */
  static void close(Dialog dialog) throws IOException {
    stepBegins(dialog);
    try {
      dialog.wire().socket().close();
    } finally {
      dialog.handle().stepEnds();
    }
  }

  private static void stepBegins(Dialog dialog) {
    long now = dialog.environment().nanoTime().getAsLong();
    dialog.handle().stepBegins(now + STEP_NANOS);
  }

  /** Says a last word after a bug; 421 may stand anywhere, RFC 5321 section 3.8. */
  static void afterBug(Dialog dialog, Reply reply) throws IOException {
    dialog.farewell(reply);
    dialog.wire().writer().flush();
  }

  private static void readAway(Socket plain) throws IOException {
    plain.setSoTimeout(LINGER_MILLIS);
    InputStream in = plain.getInputStream();
    byte[] scratch = new byte[4096];
    int total = 0;
    int octets = in.read(scratch);
    while (octets >= 0 && total < LINGER_OCTETS) {
      total += octets;
      octets = in.read(scratch);
    }
  }
}
