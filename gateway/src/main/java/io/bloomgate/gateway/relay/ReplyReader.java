package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.OctetScan;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads replies, bounded in octets and lines.
 *
 * <p>Replaces the reader of commons-net, which has no bounds, waits for ever after a last line that
 * is a bare code, accepts a multi-line reply whose codes differ, and does not know whether a reply
 * is already there. Used by {@link UpstreamClient} on one session's thread; time is bounded by
 * {@link WatchedSocket} below.
 */
final class ReplyReader {

  /** Octets of one reply; far above what EHLO of any server takes. */
  static final int MAX_REPLY_OCTETS = 16 * 1024;

  /** Lines of one reply. */
  static final int MAX_REPLY_LINES = 128;

  private static final byte LF = '\n';

  private final InputStream in;

  /** Grows when one line fills it. */
  private byte[] buffer = new byte[2048];

  private int position;
  private int limit;

  /** Not a reply: wrong form, or larger than the bounds. The text is printable. */
  static final class MalformedReplyException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedReplyException(String message) {
      super(message);
    }
  }

  ReplyReader(InputStream in) {
    this.in = in;
  }

  /** True when octets are there that no command has asked for. Does not block. */
  boolean pending() throws IOException {
    return position < limit || in.available() > 0;
  }

  /** The same where octets have to be read first; blocks until the deadline. */
  boolean poll() throws IOException {
    try {
      if (!pending()) {
        fill();
      }
      return true;
    } catch (SocketTimeoutException e) {
      // What came in was not for us, such as a session ticket (RFC 8446 section 4.6.1).
      return false;
    }
  }

  /** True when octets were read that belong to no reply yet. */
  boolean buffered() {
    return position < limit;
  }

  /**
   * The next reply.
   *
   * @throws MalformedReplyException not a reply
   * @throws EOFException closed before its end
   */
  RawReply read() throws IOException {
    List<String> texts = new ArrayList<>(4);
    int octetsLeft = MAX_REPLY_OCTETS;
    int code = -1;
    while (true) {
      String line = readLine(octetsLeft);
      octetsLeft -= line.length();
      int lineCode = codeOf(line);
      if (code >= 0 && lineCode != code) {
        throw new MalformedReplyException(
            "reply with codes " + code + " and " + lineCode + " in one");
      }
      code = lineCode;
      texts.add(line.length() > 4 ? line.substring(4) : "");
      if (line.length() == 3 || line.charAt(3) == ' ') {
        return new RawReply(code, texts);
      }
      if (texts.size() >= MAX_REPLY_LINES) {
        throw new MalformedReplyException("reply of more than " + MAX_REPLY_LINES + " lines");
      }
    }
  }

  private static int codeOf(String line) throws MalformedReplyException {
    boolean shaped =
        line.length() >= 3
            && isDigit(line.charAt(0), '2', '5')
            && isDigit(line.charAt(1), '0', '9')
            && isDigit(line.charAt(2), '0', '9')
            && (line.length() == 3 || line.charAt(3) == ' ' || line.charAt(3) == '-');
    if (!shaped) {
      throw new MalformedReplyException("not a reply: " + RawReply.excerpt(line));
    }
    return Integer.parseInt(line, 0, 3, 10);
  }

  private static boolean isDigit(char c, char low, char high) {
    return c >= low && c <= high;
  }

  /** One line without its end; a bare LF ends it too, as other clients have it. */
  private String readLine(int octetsLeft) throws IOException {
    int end = OctetScan.indexOf(buffer, position, limit, LF);
    while (end == limit && end - position <= octetsLeft) {
      int seen = end - position;
      fill();
      end = OctetScan.indexOf(buffer, position + seen, limit, LF);
    }
    if (end - position > octetsLeft) {
      throw new MalformedReplyException("reply of more than " + MAX_REPLY_OCTETS + " octets");
    }
    boolean crlf = end > position && buffer[end - 1] == '\r';
    String line =
        new String(buffer, position, end - position - (crlf ? 1 : 0), StandardCharsets.UTF_8);
    position = end + 1;
    return line;
  }

  /** Waits for octets behind those that were not read yet. */
  private void fill() throws IOException {
    int unread = limit - position;
    byte[] room = unread == buffer.length ? new byte[2 * unread] : buffer;
    System.arraycopy(buffer, position, room, 0, unread);
    buffer = room;
    position = 0;
    limit = unread;
    int count = in.read(buffer, limit, buffer.length - limit);
    if (count < 0) {
      throw new EOFException("connection closed by the mail server");
    }
    limit += count;
  }
}
