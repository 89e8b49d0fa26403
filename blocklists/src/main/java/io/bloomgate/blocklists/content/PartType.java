package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.content.PartHead.Kind;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * What one Content-Type field says of a body; RFC 2045 section 5. Used by {@link PartHead}, on the
 * thread of the mail.
 */
final class PartType {

  private static final byte[] MULTIPART = octets("multipart/");
  private static final byte[] DIGEST = octets("multipart/digest");
  private static final byte[] TEXT = octets("text/");
  private static final byte[] HTML = octets("text/html");
  private static final byte[] AMP = octets("text/x-amp-html");
  private static final byte[] XML_OF_APPLICATION = octets("application/xml");
  private static final byte[] XML_OF_TEXT = octets("text/xml");
  private static final byte[] XML_OF_ANY = octets("+xml");
  private static final byte[] XHTML = octets("application/xhtml+xml");
  private static final byte[] SVG = octets("image/svg+xml");
  private static final byte[] MAIL = octets("message/rfc822");
  private static final byte[] GLOBAL_MAIL = octets("message/global");
  private static final byte[] MESSAGE = octets("message/");
  private static final byte[] RICH = octets("application/rtf");
  private static final byte[][] CARDS = {
    octets("text/calendar"),
    octets("application/ics"),
    octets("text/vcard"),
    octets("text/x-vcard"),
    octets("text/directory")
  };

  /** RFC 3464, 8098, 5965, 6533 and 3462: what a mail server or a reader says of another mail. */
  private static final byte[][] REPORTS = {
    octets("message/delivery-status"),
    octets("message/disposition-notification"),
    octets("message/feedback-report"),
    octets("message/global-delivery-status"),
    octets("message/global-disposition-notification"),
    octets("message/global-headers"),
    octets("text/rfc822-headers")
  };

  private static final byte[][] TABLES = {octets("text/csv"), octets("text/tab-separated-values")};
  private final Parameters parameters;
  private Kind kind = Kind.PLAIN;
  private boolean known;
  private boolean digest;
  private boolean bare;

  /** A calendar or an address card. */
  private boolean card;

  private boolean xml;
  private boolean report;
  private boolean table;

  /**
   * Nothing is read yet.
   *
   * @param words of the mail
   */
  PartType(Supplier<EncodedWords> words) {
    parameters = new Parameters(words);
  }

  private static byte[] octets(String word) {
    return word.getBytes(ISO_8859_1);
  }

  /**
   * Forgets everything.
   *
   * @param inDigest true when a part without a type is a mail
   */
  void reset(boolean inDigest) {
    parameters.reset();
    kind = inDigest ? Kind.MESSAGE : Kind.PLAIN;
    known = false;
    digest = false;
    bare = false;
    card = false;
    xml = false;
    report = false;
    table = false;
  }

  /** True when a type was read. */
  boolean isKnown() {
    return known;
  }

  /** What the type says, whatever the name of the file. */
  Kind kind() {
    return kind;
  }

  /** The multipart has no parts: it is text. */
  void takeForText() {
    kind = Kind.PLAIN;
  }

  Parameters parameters() {
    return parameters;
  }

  /** True when both say the same of all that is looked at. */
  boolean isLike(PartType other) {
    return kind == other.kind
        && card == other.card
        && xml == other.xml
        && report == other.report
        && table == other.table
        && digest == other.digest
        && parameters.isLike(other.parameters);
  }

  /** True when parts without a type are mails. */
  boolean isDigest() {
    return digest;
  }

  /** True for a multipart without a boundary, which is read as text. */
  boolean isWithoutBoundary() {
    return bare;
  }

  boolean isCard() {
    return card;
  }

  boolean isXml() {
    return xml;
  }

  /** True for a part that tells of another mail. */
  boolean isReport() {
    return report;
  }

  boolean isTable() {
    return table;
  }

  /**
   * Reads the body of a field.
   *
   * @return false when {@link #readLoosely} may find something else
   */
  boolean read(byte[] octets, int from, int to) {
    int begin = skip(octets, from, to, false);
    int end = wordEnd(octets, begin, to, false);
    named(octets, begin, end, octets, end, to);
    int i = begin;
    while (i < end && !isBlank(octets[i], true)) {
      i++;
    }
    return known && i == end;
  }

  /**
   * The same by readers that take blanks and comments around the slash (JavaMail), and control
   * characters around the words (mime4j, Python).
   */
  void readLoosely(byte[] octets, int from, int to) {
    int begin = skip(octets, from, to, true);
    int end = wordEnd(octets, begin, to, true);
    int slash = skip(octets, end, to, true);
    int second = slash < to && octets[slash] == '/' ? skip(octets, slash + 1, to, true) : to;
    int secondEnd = wordEnd(octets, second, to, true);
    if (end == begin || secondEnd == second) {
      return;
    }
    byte[] name = Arrays.copyOfRange(octets, begin, end + 1 + secondEnd - second);
    name[end - begin] = '/';
    System.arraycopy(octets, second, name, end - begin + 1, secondEnd - second);
    named(name, 0, name.length, octets, secondEnd, to);
  }

  private void named(byte[] name, int begin, int end, byte[] field, int from, int to) {
    int slash = Octets.indexOf((byte) '/', name, begin, end);
    if (slash <= begin || slash == end - 1) {
      return;
    }
    parameters.reset();
    parameters.read(field, from, to);
    bare = false;
    if (Octets.startsWithLower(name, begin, end, MULTIPART)) {
      parameters.plainBoundaries(field, from, to);
      if (parameters.boundary() == null) {
        bare = true;
        return;
      }
      digest = Octets.isLower(name, begin, end, DIGEST);
    }
    card = isOne(CARDS, name, begin, end);
    report = isOne(REPORTS, name, begin, end);
    table = isOne(TABLES, name, begin, end);
    xml =
        Octets.isLower(name, begin, end, XML_OF_APPLICATION)
            || Octets.isLower(name, begin, end, XML_OF_TEXT)
            || Octets.isLower(name, Math.max(begin, end - XML_OF_ANY.length), end, XML_OF_ANY);
    kind = card ? Kind.PLAIN : kind(name, begin, end);
    known = true;
  }

  private static boolean isOne(byte[][] names, byte[] octets, int from, int to) {
    for (byte[] name : names) {
      if (Octets.isLower(octets, from, to, name)) {
        return true;
      }
    }
    return false;
  }

  private static Kind kind(byte[] octets, int from, int to) {
    if (Octets.startsWithLower(octets, from, to, MULTIPART)) {
      return Kind.MULTIPART;
    }
    if (Octets.isLower(octets, from, to, HTML)
        || Octets.isLower(octets, from, to, AMP)
        || Octets.isLower(octets, from, to, SVG)
        || Octets.isLower(octets, from, to, XHTML)) {
      return Kind.HTML;
    }
    if (Octets.isLower(octets, from, to, MAIL) || Octets.isLower(octets, from, to, GLOBAL_MAIL)) {
      return Kind.MESSAGE;
    }
    // Other messages, such as reports and fragments (message/partial), are shown as text.
    return Octets.startsWithLower(octets, from, to, TEXT)
            || Octets.startsWithLower(octets, from, to, MESSAGE)
            || Octets.isLower(octets, from, to, RICH)
        ? Kind.PLAIN
        : Kind.OTHER;
  }

  /**
   * Behind white space, comments and a quote.
   *
   * @param loosely and behind control characters
   */
  static int skip(byte[] octets, int from, int to, boolean loosely) {
    int comments = 0;
    int i = from;
    for (; i < to; i++) {
      byte octet = octets[i];
      if (octet == '(') {
        comments++;
      } else if (octet == ')' && comments > 0) {
        comments--;
      } else if (comments == 0 && !isBlank(octet, loosely) && octet != '"') {
        break;
      }
    }
    return i;
  }

  /**
   * Where a word ends.
   *
   * @param loosely at a slash and at control characters, too
   */
  static int wordEnd(byte[] octets, int from, int to, boolean loosely) {
    int i = from;
    while (i < to
        && !isBlank(octets[i], loosely)
        && octets[i] != ';'
        && octets[i] != '"'
        && octets[i] != ','
        && octets[i] != '('
        && !(loosely && octets[i] == '/')) {
      i++;
    }
    return i;
  }

  private static boolean isBlank(byte octet, boolean loosely) {
    return Boundaries.isBlank(octet) || (loosely && octet >= 0 && octet < ' ');
  }
}
