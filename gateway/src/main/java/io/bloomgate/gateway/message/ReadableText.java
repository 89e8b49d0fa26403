package io.bloomgate.gateway.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.content.MailDecoding;
import java.io.ByteArrayOutputStream;
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
   * Characters of a base64 line that is not read as text too. RFC 2045 section 6.8 allows 76, and
   * programs write as many; a shorter line may be the last of its part, or a word.
   */
  private static final int LONG_BASE64_CHARS = 40;

  /** Whole groups of four; only the last of them may be padded. */
  private static final Pattern BASE64 =
      Pattern.compile("(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");

  private static final byte[] SUBJECT = MessageHead.ascii("subject");

  private final byte[] octets;
  private final ByteArrayOutputStream subject = new ByteArrayOutputStream();
  private final ByteArrayOutputStream plain = new ByteArrayOutputStream();
  private final ByteArrayOutputStream base64 = new ByteArrayOutputStream();

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
    byte[] plain = text.plain.toByteArray();
    byte[] decoded = MailDecoding.base64(text.base64.toByteArray());
    return List.of(
        MailDecoding.words(text.subject.toString(UTF_8).replaceAll("\\r?\\n(?=[ \\t])", "")),
        new String(plain, ISO_8859_1),
        new String(MailDecoding.quotedPrintable(plain), ISO_8859_1),
        new String(decoded, ISO_8859_1));
  }

  /** Index of the first octet below the header block, as {@link MessageHead} sees it. */
  private int readHead() {
    int from = 0;
    boolean inSubject = false;
    while (from < octets.length) {
      int to = endOfLine(from);
      boolean folded = octets[from] == ' ' || octets[from] == '\t';
      int name = folded ? 0 : MessageHead.length(octets, from, to);
      if (name < 0) {
        return from;
      }
      if (!folded) {
        inSubject = name == SUBJECT.length && MessageHead.stands(SUBJECT, octets, from, to);
      }
      if (inSubject) {
        subject.write(octets, from, to - from);
      }
      from = to;
    }
    return from;
  }

  private void readBody(int begin) {
    int from = begin;
    while (from < octets.length) {
      int to = endOfLine(from);
      int end = to;
      while (end > from && octets[end - 1] <= ' ' && octets[end - 1] >= 0) {
        end--;
      }
      boolean isBase64 =
          end > from && BASE64.matcher(new String(octets, from, end - from, ISO_8859_1)).matches();
      if (isBase64) {
        base64.write(octets, from, end - from);
      }
      if (!isBase64 || end - from < LONG_BASE64_CHARS) {
        plain.write(octets, from, end - from);
        plain.write('\n');
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
}
