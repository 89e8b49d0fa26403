package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the addresses of a field of mailboxes, RFC 5322 section 3.4 and its obsolete forms: those
 * in angle brackets, and those that are alone. Groups, comments and routes are left out; an address
 * in a display name is none. Used by {@link MailScanner}.
 */
final class Mailboxes {

  /** U+FF20 and U+FE6B, which mail clients show like an at sign. */
  private static final byte[] WIDE_AT = {(byte) 0xef, (byte) 0xbc, (byte) 0xa0};

  private static final byte[] SMALL_AT = {(byte) 0xef, (byte) 0xb9, (byte) 0xab};

  private static final String QUOTES = "'`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e";

  private final Consumer<String> sink;

  /** The octets of the address in angle brackets, or of the bare words. */
  private byte[] text = new byte[64];

  private int length;

  /** Bare addresses of the mailbox, which are its name when an address in brackets follows. */
  private final List<String> bare = new ArrayList<>(1);

  /** An at sign that is not in quotes. */
  private boolean hasAt;

  /** White space was behind the last octet of a bare word. */
  private boolean spaced;

  private boolean angle;

  // what is opened and never closed means nothing, from the first such mark to the end
  private boolean comments;
  private boolean quotes;
  private boolean literals;

  /**
   * A reader.
   *
   * @param sink takes each address, as it is written
   */
  Mailboxes(Consumer<String> sink) {
    this.sink = sink;
  }

  /** Where the last whole address of a field ends that was cut behind that. */
  static int endOfWhole(byte[] field, int from, int to) {
    int i = to;
    while (i > from && field[i - 1] != ',') {
      i--;
    }
    return i;
  }

  /** Where the first word begins that is surely whole, in a field that was cut in front. */
  static int beginOfWhole(byte[] field, int from, int to) {
    int i = from;
    while (i < to && !Boundaries.isBlank(field[i]) && field[i] != ',' && field[i] != '<') {
      i++;
    }
    return i;
  }

  /** Reads the body of a field. */
  void read(byte[] field, int from, int to) {
    comments = true;
    quotes = true;
    literals = true;
    find(field, from, to);
  }

  /** The same by a reader that knows no comments, quotes and literals. */
  void readPlainly(byte[] field, int from, int to) {
    comments = false;
    quotes = false;
    literals = false;
    find(field, from, to);
  }

  private void find(byte[] field, int from, int to) {
    start();
    angle = false;
    int i = from;
    while (i < to) {
      byte octet = field[i];
      switch (octet) {
        case '(' -> {
          int end = comments ? behindComment(field, i, to) : -1;
          comments = end >= 0;
          i = behind(i, end);
        }
        case '"' -> {
          int end = quotes ? endOfQuoted(field, i, to) : -1;
          quotes = end >= 0;
          quoted(field, i, end);
          i = behind(i, end);
        }
        case '[' -> {
          int end = literals ? Octets.indexOf((byte) ']', field, i, to) : -1;
          literals = end >= 0;
          literal(field, i, end);
          i = behind(i, end < 0 ? -1 : end + 1);
        }
        case '<' -> {
          beginAngle();
          i++;
        }
        case '>' -> {
          if (angle) {
            emit();
          }
          angle = false;
          i++;
        }
        case ',', ';' -> {
          if (angle && octet == ',' && hasAt && text[0] != '@') {
            emit(); // several in one pair of brackets
          } else if (angle && octet == ',') {
            add(octet); // of a route
          } else {
            endOfMailbox();
          }
          i++;
        }
        case ':' -> {
          if (!angle || text[0] != '@') {
            emit(); // some readers take an address in front of a colon
          }
          length = 0; // behind a route or the name of a group
          hasAt = false;
          spaced = false;
          i++;
        }
        case ' ', '\t', '\r', '\n', ')' -> {
          spaced = true;
          i++;
        }
        default -> i += character(field, i, to);
      }
    }
    endOfMailbox();
  }

  /** Adds what is there; returns its octets. */
  private int character(byte[] field, int at, int to) {
    boolean wide =
        field[at] == WIDE_AT[0]
            && (Octets.startsWithLower(field, at, to, WIDE_AT)
                || Octets.startsWithLower(field, at, to, SMALL_AT));
    byte one = wide ? (byte) '@' : field[at];
    add(one);
    hasAt |= one == '@';
    return wide ? WIDE_AT.length : 1;
  }

  /** A name in front that looks like an address is the only one when the brackets have none. */
  private void beginAngle() {
    emit(); // in brackets, too: some readers take what is in front of a second one
    length = 0;
    hasAt = false;
    spaced = false;
    angle = true;
  }

  private void endOfMailbox() {
    emit();
    angle = false;
    bare.forEach(sink);
    start();
  }

  private void start() {
    length = 0;
    hasAt = false;
    spaced = false;
    bare.clear();
  }

  /** Adds the address that was read; one without a local part is a domain beside the name. */
  private void emit() {
    String address = hasAt ? unquoted(new String(text, 0, length, UTF_8)) : "";
    int at = address.lastIndexOf('@');
    if (at >= 0 && at < address.length() - 1) {
      if (angle) {
        if (at > 0) {
          bare.clear();
        }
        sink.accept(address);
      } else {
        bare.add(address);
      }
    }
    length = 0;
    hasAt = false;
  }

  /**
   * Without single quotes around it, which mail clients show as they are; nor with what no domain
   * has behind the domain, where Python's parser ends.
   */
  private static String unquoted(String address) {
    int domain = address.lastIndexOf('@') + 1;
    int to = domain;
    while (to < address.length() && isOfDomain(address.charAt(to))) {
      to++;
    }
    if (to == domain || address.contains("=?")) {
      to = address.length();
      while (to > 0 && isBehindDomain(address.charAt(to - 1))) {
        to--;
      }
    }
    int from = 0;
    while (from < to && to < address.length() && QUOTES.indexOf(address.charAt(from)) >= 0) {
      from++;
    }
    return address.substring(from, to);
  }

  private static boolean isOfDomain(char c) {
    return c < 0x80
        ? Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == '_'
        : QUOTES.indexOf(c) < 0;
  }

  private static boolean isBehindDomain(char c) {
    return c < ' ' || c == '"' || QUOTES.indexOf(c) >= 0;
  }

  /** Words that white space parts are one address only around a dot or an at sign. */
  private void add(byte octet) {
    if (spaced && length > 0) {
      byte last = text[length - 1];
      boolean joined = last == '@' || last == '.' || octet == '@' || octet == '.';
      if (!joined && (!angle || hasAt)) {
        emit(); // another one may follow without a comma
        length = 0;
      }
    }
    spaced = false;
    put(octet);
  }

  private void put(byte octet) {
    if (length == text.length) {
      text = Arrays.copyOf(text, length * 2);
    }
    text[length++] = octet;
  }

  /** Where to go on: a mark that nothing closes is a blank. */
  private int behind(int mark, int end) {
    spaced |= end < 0;
    return end < 0 ? mark + 1 : end;
  }

  /** Behind a quoted string, -1 when it has no end. */
  private static int endOfQuoted(byte[] field, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (field[i] == '"') {
        return i + 1;
      }
      if (field[i] == '\\') {
        i++;
      }
    }
    return -1;
  }

  private void quoted(byte[] field, int from, int end) {
    for (int i = from; i < end; i++) {
      if (field[i] == '\\' && i + 2 < end) {
        add(field[i]);
        i++;
      }
      if (field[i] != '\r' && field[i] != '\n') {
        add(field[i]);
      }
    }
  }

  private void literal(byte[] field, int from, int end) {
    for (int i = from; i <= end; i++) {
      if (!Boundaries.isBlank(field[i])) {
        add(field[i]);
      }
    }
  }

  /** Behind a comment, -1 when it has no end. */
  private static int behindComment(byte[] field, int from, int to) {
    int depth = 0;
    for (int i = from; i < to; i++) {
      byte octet = field[i];
      if (octet == '\\') {
        i++;
      } else if (octet == '(') {
        depth++;
      } else if (octet == ')' && --depth == 0) {
        return i + 1;
      }
    }
    return -1;
  }
}
