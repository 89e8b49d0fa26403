package io.bloomgate.gateway.smtp;

import java.util.List;

/**
 * An SMTP reply (RFC 5321 section 4.2, RFC 2034): never built by concatenation at the socket.
 * Immutable.
 *
 * @param code three digits, 200 to 559
 * @param enhanced class.subject.detail without the trailing space, or empty where RFC 2034 wants
 *     none (220, 221 banner, EHLO, 354)
 * @param lines at least one; printable ASCII, no CR or LF, short enough that every line on the wire
 *     keeps 512 octets
 */
public record Reply(int code, String enhanced, List<String> lines) {

  /** Octets of a reply line with its CRLF, RFC 5321 section 4.5.3.1.5. */
  public static final int MAX_LINE_OCTETS = 512;

  public Reply {
    lines = List.copyOf(lines);
    if (code < 200 || code > 599) {
      throw new IllegalArgumentException("reply code " + code);
    }
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("reply without a line");
    }
    for (String line : lines) {
      requirePrintable(line);
    }
    requirePrintable(enhanced);
  }

  /** A reply of one line. */
  public static Reply of(int code, String enhanced, String text) {
    return new Reply(code, enhanced, List.of(text));
  }

  /** True for 2xx and 3xx. */
  public boolean positive() {
    return code < 400;
  }

  /** True for 4xx. */
  public boolean transientFailure() {
    return code >= 400 && code < 500;
  }

  /** True for 5xx. */
  public boolean permanentFailure() {
    return code >= 500;
  }

  /** Code, enhanced code and first line, for logs. */
  @Override
  public String toString() {
    return code + (enhanced.isEmpty() ? " " : " " + enhanced + " ") + lines.getFirst();
  }

  /**
   * Bytes of outside origin must have been made harmless before; a control character here would be
   * an injection.
   */
  private static void requirePrintable(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        throw new IllegalArgumentException(
            "reply text with a character that is not printable ASCII");
      }
    }
  }
}
