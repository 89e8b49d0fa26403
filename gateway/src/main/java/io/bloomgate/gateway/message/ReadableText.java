package io.bloomgate.gateway.message;

import jakarta.mail.internet.MimeUtility;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The texts of a message in which a person may quote something: its subject, and its body with and
 * without its transfer encodings. The body is read line by line, once, and the structure of its
 * parts is not looked at: so a broken or deeply nested message costs no more than any other, and
 * the text is found wherever it is. Markup and character sets stay as they are, which is enough to
 * find a word of ASCII. Pure; called by {@link QuotedIds}.
 */
final class ReadableText {

  /**
   * Octets of Subject fields that are read: the library takes tens of microseconds for each encoded
   * word.
   */
  private static final int MAX_SUBJECT_OCTETS = 1024;

  /**
   * Characters of a base64 line that is not read as text too. RFC 2045 section 6.8 allows 76, and
   * programs write as many; a shorter line may be the last of its part, or a word.
   */
  private static final int LONG_BASE64_CHARS = 40;

  /** Whole groups of four; only the last of them may be padded. */
  private static final Pattern BASE64 =
      Pattern.compile("(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");

  private static final byte[] SUBJECT = FieldName.ascii("subject");
  private static final int NO_VALUE = -1;

  private final byte[] octets;
  private final StringBuilder subject = new StringBuilder();
  private final StringBuilder plain = new StringBuilder();
  private final StringBuilder unquoted = new StringBuilder();
  private final StringBuilder decoded = new StringBuilder();

  private ReadableText(byte[] octets) {
    this.octets = octets;
  }

  /**
   * The texts.
   *
   * @param octets a message or its first part
   * @return together at most about three times as long as the message
   */
  static List<String> of(byte[] octets) {
    ReadableText text = new ReadableText(octets);
    text.readBody(text.readHead());
    return List.of(
        text.decodedSubject(),
        text.plain.toString(),
        text.unquoted.toString(),
        text.decoded.toString());
  }

  // ---- header block

  /** Index of the first octet below the header block, as {@link MessageHead} sees it. */
  private int readHead() {
    int from = 0;
    boolean inSubject = false;
    while (from < octets.length) {
      int to = endOfLine(from);
      boolean folded = octets[from] == ' ' || octets[from] == '\t';
      int name = folded ? 0 : FieldName.length(octets, from, to);
      if (name < 0) {
        return from;
      }
      if (!folded) {
        inSubject = name == SUBJECT.length && FieldName.stands(SUBJECT, octets, from, to);
      }
      if (inSubject) {
        int length = Math.min(to - from, MAX_SUBJECT_OCTETS - subject.length());
        subject.append(new String(octets, from, length, StandardCharsets.UTF_8));
      }
      from = to;
    }
    return from;
  }

  /** Encoded words, RFC 2047; as it came where one of them is broken. */
  private String decodedSubject() {
    String unfolded = MimeUtility.unfold(subject.toString());
    try {
      return MimeUtility.decodeText(unfolded);
    } catch (UnsupportedEncodingException e) {
      return unfolded;
    }
  }

  // ---- body

  private void readBody(int begin) {
    int from = begin;
    while (from < octets.length) {
      int to = endOfLine(from);
      int end = to;
      while (end > from && octets[end - 1] <= ' ' && octets[end - 1] >= 0) {
        end--;
      }
      if (!addDecoded(from, end) || end - from < LONG_BASE64_CHARS) {
        append(from, end);
      }
      from = to;
    }
  }

  private int endOfLine(int from) {
    int to = from;
    while (to < octets.length && octets[to] != '\n') {
      to++;
    }
    return Math.min(to + 1, octets.length);
  }

  /**
   * Adds a line as it is, and as quoted-printable (RFC 2045 section 6.7), which it may be or not.
   */
  private void append(int from, int end) {
    plain.append(new String(octets, from, end - from, StandardCharsets.ISO_8859_1)).append('\n');
    boolean softBreak = end > from && octets[end - 1] == '=';
    int to = softBreak ? end - 1 : end;
    for (int i = from; i < to; i++) {
      int value = octets[i] == '=' && i + 2 < to ? quoted(i + 1) : NO_VALUE;
      unquoted.append((char) (value == NO_VALUE ? octets[i] & 0xff : value));
      i += value == NO_VALUE ? 0 : 2;
    }
    if (!softBreak) {
      unquoted.append('\n');
    }
  }

  /** The octet that two hexadecimal digits are; {@link #NO_VALUE} when they are none. */
  private int quoted(int at) {
    int high = Character.digit(octets[at], 16);
    int low = Character.digit(octets[at + 1], 16);
    return high < 0 || low < 0 ? NO_VALUE : high << 4 | low;
  }

  /** Adds a line of base64, decoded; false for another line. */
  private boolean addDecoded(int from, int end) {
    String line = new String(octets, from, end - from, StandardCharsets.ISO_8859_1);
    if (line.isEmpty() || !BASE64.matcher(line).matches()) {
      return false;
    }
    decoded.append(new String(Base64.getDecoder().decode(line), StandardCharsets.ISO_8859_1));
    return true;
  }
}
