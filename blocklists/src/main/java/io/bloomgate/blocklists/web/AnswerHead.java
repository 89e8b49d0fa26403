package io.bloomgate.blocklists.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Status line and headers of an answer (RFC 9112 sections 4 and 5), bounded. Read octet by octet,
 * so that not one octet behind it is taken from the stream. Used by {@link WebExchange}.
 *
 * @param headers by name in small letters
 */
record AnswerHead(int status, Map<String, String> headers) {

  /** Octets of all lines together. */
  static final int MOST_OCTETS = 1 << 16;

  private static final int FIRST_FINAL = 200;
  private static final int MOST_INTERIM = 10;

  /** The head of the final answer; interim ones are passed over (RFC 9110 section 15.2). */
  static AnswerHead read(InputStream in) throws IOException {
    for (int i = 0; i <= MOST_INTERIM; i++) {
      AnswerHead head = readOne(in);
      if (head.status >= FIRST_FINAL) {
        return head;
      }
    }
    throw new WebException("the server never comes to an answer");
  }

  private static AnswerHead readOne(InputStream in) throws IOException {
    LineReader lines = new LineReader(in);
    String first = lines.next();
    if (!first.matches("HTTP/1\\.[01] [1-9][0-9]{2}(?: .*)?")) {
      throw new WebException("the server does not speak HTTP/1.1");
    }
    int status = Integer.parseInt(first.substring(9, 12));
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
      int colon = line.indexOf(':');
      // A line that begins with a blank continues another: obsolete, and never needed.
      if (colon < 1 || line.charAt(0) <= ' ' || line.charAt(colon - 1) <= ' ') {
        throw new WebException("the server sends a damaged header");
      }
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (a, b) -> a + ", " + b);
    }
    return new AnswerHead(status, headers);
  }

  /** Lines of one head, ended by CR LF or LF. */
  private static final class LineReader {
    private final InputStream in;
    private int left = MOST_OCTETS;

    LineReader(InputStream in) {
      this.in = in;
    }

    String next() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int octet = in.read(); octet != '\n'; octet = in.read()) {
        if (octet < 0) {
          throw new WebException("the server hung up without an answer");
        }
        if (--left < 0) {
          throw new WebException("the server sends more than 64 kB of headers");
        }
        line.append((char) octet);
      }
      int end = line.length();
      return end > 0 && line.charAt(end - 1) == '\r' ? line.substring(0, end - 1) : line.toString();
    }
  }

  /** The body behind this head (RFC 9112 section 6.3). */
  InputStream body(InputStream in) throws WebException {
    String coding = headers.get("transfer-encoding");
    if (coding != null) {
      if (!coding.equalsIgnoreCase("chunked")) {
        throw new WebException("the server sends a transfer coding that was not asked for");
      }
      return new ChunkedBody(in);
    }
    String length = headers.get("content-length");
    if (length == null) {
      return in;
    }
    if (!length.matches("[0-9]{1,18}")) {
      throw new WebException("the server sends a damaged Content-Length");
    }
    return new SizedBody(in, Long.parseLong(length));
  }
}
