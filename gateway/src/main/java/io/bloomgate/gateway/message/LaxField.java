package io.bloomgate.gateway.message;

/**
 * Decides whether a line can be a field of ours to a reader that is lax: blanks and control
 * characters may be around the name, and the colon or the value on a line that the field is folded
 * into. Pure; used by {@link FieldSieve}.
 *
 * <p>In its strict form, the name at the start of the line and the colon behind it, a field of such
 * a name is always ours. In any other form it is only where the value begins as ours do: a line of
 * text that begins with a name of ours is no field.
 */
final class LaxField {

  /**
   * The octets of a field that are seen before it is decided; RFC 5322 section 2.1.1 allows no
   * longer line.
   */
  static final int MAX_OCTETS = 998;

  private static final byte[][] VERDICTS = {FieldName.ascii("verdict="), FieldName.ascii("would=")};
  private static final byte[][] MARKS = {FieldName.ascii("yes"), FieldName.ascii("no")};

  /** Letters and digits that an incident id has. */
  private static final int ID_OCTETS = 10;

  /** The finding about the octets. */
  enum Finding {
    OURS,
    NOT_OURS,
    /** More of them must be seen. */
    UNDECIDED
  }

  private LaxField() {}

  /**
   * Looks at what begins with a name.
   *
   * @param name index of its first octet; all octets from there on are looked at
   * @param last true when no more octets will come
   * @param tagged whether inbound spam marks have to go too
   * @param atStart true at the start of a line
   */
  static Finding at(byte[] octets, int name, boolean last, boolean tagged, boolean atStart) {
    int to = Math.min(octets.length, name + MAX_OCTETS);
    int end = name;
    while (end < to && !isBlank(octets[end]) && octets[end] != ':') {
      end++;
    }
    FieldName.Reason reason = FieldName.reasonToCut(octets, name, end - name);
    if (!reason.applies(tagged)) {
      return Finding.NOT_OURS;
    }
    if (atStart && end < to && octets[end] == ':') {
      return Finding.OURS;
    }
    Finding unseen =
        to < octets.length || to == name + MAX_OCTETS
            ? Finding.OURS
            : last ? Finding.NOT_OURS : Finding.UNDECIDED;
    int colon = skipFolded(octets, end, to);
    if (colon == to) {
      return unseen;
    }
    if (octets[colon] != ':') {
      return Finding.NOT_OURS;
    }
    int value = skipFolded(octets, colon + 1, to);
    if (reason == FieldName.Reason.INCIDENT) {
      int seen = Math.min(ID_OCTETS, to - value);
      return !isWord(octets, value, seen)
          ? Finding.NOT_OURS
          : seen == ID_OCTETS ? Finding.OURS : unseen;
    }
    byte[][] begins = reason == FieldName.Reason.OURS ? VERDICTS : MARKS;
    for (byte[] begin : begins) {
      int seen = Math.min(begin.length, to - value);
      if (begins(begin, octets, value, seen)) {
        return seen == begin.length ? Finding.OURS : unseen;
      }
    }
    return Finding.NOT_OURS;
  }

  /** Index of the first octet that is no blank; where the field ends before, of its line feed. */
  private static int skipFolded(byte[] octets, int from, int to) {
    int i = from;
    while (i < to && isBlank(octets[i])) {
      if (octets[i] == '\n' && i + 1 < to && !isFolding(octets[i + 1])) {
        return i;
      }
      i++;
    }
    return i;
  }

  private static boolean begins(byte[] lowerCase, byte[] octets, int from, int length) {
    for (int i = 0; i < length; i++) {
      if (Character.toLowerCase((char) octets[from + i]) != lowerCase[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isWord(byte[] octets, int from, int length) {
    for (int i = from; i < from + length; i++) {
      int octet = octets[i] | 0x20;
      if ((octet < 'a' || octet > 'z') && (octets[i] < '0' || octets[i] > '9')) {
        return false;
      }
    }
    return true;
  }

  /** True for what folds a line into the field above it (RFC 5322 section 2.2.3). */
  static boolean isFolding(byte octet) {
    return octet == ' ' || octet == '\t';
  }

  static int skipBlanks(byte[] line, int from, int to) {
    int i = from;
    while (i < to && isBlank(line[i])) {
      i++;
    }
    return i;
  }

  /** True for a blank as {@link String#trim} has it. */
  private static boolean isBlank(byte octet) {
    return (octet & 0xff) <= ' ';
  }
}
