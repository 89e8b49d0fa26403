package io.bloomgate.gateway.relay;

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

  private final InputStream in;
  private final byte[] buffer = new byte[2048];
  private int position;
  private int limit;

  /** Not a reply: wrong form, or larger than the bounds. The text is printable. */
  static final class MalformedReplyException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedReplyException(String message) {
      super(message);
    }
  }

  /**
   * A well-formed reply as the mail server sent it (RFC 5321 section 4.2); its text is neither
   * checked nor bounded yet. Immutable.
   *
   * @param code three digits, the same on every line
   * @param lines the text behind code and separator, undecodable octets replaced; at least one
   */
  record RawReply(int code, List<String> lines) {

    RawReply {
      lines = List.copyOf(lines);
    }

    /** Code and first line for logs: printable, bounded. */
    String forLog() {
      return code + " " + UpstreamReplies.excerpt(lines.getFirst());
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
      throw new MalformedReplyException("not a reply: " + UpstreamReplies.excerpt(line));
    }
    return Integer.parseInt(line, 0, 3, 10);
  }

  private static boolean isDigit(char c, char low, char high) {
    return c >= low && c <= high;
  }

  /** One line without its end; a bare LF ends it too, as other clients have it. */
  private String readLine(int octetsLeft) throws IOException {
    byte[] line = new byte[128];
    int length = 0;
    while (true) {
      if (position == limit) {
        fill();
      }
      byte octet = buffer[position++];
      if (octet == '\n') {
        int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        return new String(line, 0, end, StandardCharsets.UTF_8);
      }
      if (length == octetsLeft) {
        throw new MalformedReplyException("reply of more than " + MAX_REPLY_OCTETS + " octets");
      }
      if (length == line.length) {
        line = java.util.Arrays.copyOf(line, length * 2);
      }
      line[length++] = octet;
    }
  }

  private void fill() throws IOException {
    position = 0;
    limit = 0;
    int count = in.read(buffer, 0, buffer.length);
    if (count < 0) {
      throw new EOFException("connection closed by the mail server");
    }
    limit = count;
  }
}
