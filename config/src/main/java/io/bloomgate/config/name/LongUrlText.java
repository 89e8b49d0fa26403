package io.bloomgate.config.name;

/**
 * Leaves out of the beginning of a long URL what it may have any number of in front of its path,
 * and no host needs. Called by {@link WebUrl}, on any thread; pure, linear time.
 */
final class LongUrlText {

  /** Characters in which a scheme without slashes behind it is looked for. */
  private static final int LONGEST_SCHEME = 32;

  private static final int SLASHES = 2;

  /** Octets of a character in UTF-8, which are three characters each when they are escaped. */
  private static final int MOST_OCTETS = 4;

  private LongUrlText() {}

  /**
   * Moves what is needed to the front.
   *
   * @return the new length, which is the old one when a path has begun, and else at most half of it
   */
  static int shortened(char[] text, int length) {
    int host = behindPath(text, length);
    int slashes = host;
    while (slashes > 0 && isSlash(text[slashes - 1])) {
      slashes--;
    }
    if (host == 0) {
      slashes = schemeEnd(text, length);
      host = slashes;
    } else if (slashes == host || (slashes > 0 && text[slashes - 1] != ':')) {
      return length;
    }
    int kept = Math.min(host, slashes + SLASHES);
    if (kept > length / 2) {
      return length;
    }
    int hostTo = withoutUser(text, host, length, kept);
    // no host is so long: all of it is the name of a user whose end has not come
    return hostTo > length / 2 ? kept : hostTo;
  }

  /** Behind the last mark that ends a host, 0 for none. */
  private static int behindPath(char[] text, int length) {
    int at = length;
    while (at > 0 && !isSlash(text[at - 1]) && text[at - 1] != '?' && text[at - 1] != '#') {
      at--;
    }
    return at;
  }

  private static int schemeEnd(char[] text, int length) {
    for (int i = 0; i < Math.min(length, LONGEST_SCHEME); i++) {
      if (text[i] == ':') {
        return i + 1;
      }
    }
    return length;
  }

  /** Moves a host; returns its end. */
  private static int withoutUser(char[] text, int from, int to, int target) {
    int at = from;
    for (int i = from; i < to; i++) {
      at = text[i] == '@' ? i + 1 : at;
    }
    int kept = target;
    while (at < to) {
      int unseen = unseen(text, at, to);
      if (unseen > 0) {
        at += unseen;
      } else if (text[at] == '0' && kept > target && text[kept - 1] == ':') {
        at++; // a port with zeros in front of it
      } else {
        text[kept++] = text[at++];
      }
    }
    return kept;
  }

  /** How many characters write one that nobody sees, plain or escaped; 0 for any other. */
  private static int unseen(char[] text, int at, int to) {
    if (text[at] == '%') {
      int lead = escaped(text, at, to);
      int octets = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : MOST_OCTETS;
      int point = lead & (0x7f >> octets);
      for (int i = 1; i < octets; i++) {
        int next = escaped(text, at + 3 * i, to);
        if ((next & 0xc0) != 0x80) {
          return 0;
        }
        point = (point << 6) | (next & 0x3f);
      }
      return octets > 1 && InternationalName.isUnseen(point) ? 3 * octets : 0;
    }
    if (text[at] < 0x80) {
      return 0;
    }
    int point = Character.codePointAt(text, at, to);
    return InternationalName.isUnseen(point) ? Character.charCount(point) : 0;
  }

  /** The octet of an escape, 0 for none. */
  private static int escaped(char[] text, int at, int to) {
    if (at + 2 >= to || text[at] != '%' || text[at + 1] >= 0x80 || text[at + 2] >= 0x80) {
      return 0;
    }
    int high = Character.digit(text[at + 1], 16);
    int low = Character.digit(text[at + 2], 16);
    return high < 0 || low < 0 ? 0 : high << 4 | low;
  }

  private static boolean isSlash(char c) {
    return c == '/' || c == '\\';
  }
}
