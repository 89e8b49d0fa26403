package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * Finds out from its first octets whether some mail clients read a text in another charset than the
 * one that its header names: because they do not know that, because a byte order mark is in front,
 * or because the text shows one itself. Used by {@link LeafReader}.
 */
final class OtherCharset {

  /** Octets in which browsers look for a charset (WHATWG HTML section 13.2.3.2). */
  static final int MOST_OCTETS = 1_024;

  /** Octets of a byte order mark, which is all that counts where the header names a charset. */
  private static final int MARK = 2;

  private static final byte[] CHARSET = "charset".getBytes(ISO_8859_1);

  private static final byte ESCAPE = 0x1b;
  private static final String JAPANESE = "iso-2022-jp";

  private @Nullable CharsetNames names;
  private byte[] octets = Octets.NONE;
  private int length;
  private int most;
  private boolean open;
  private @Nullable String named;
  private boolean isPage;

  /**
   * Begins a text.
   *
   * @param charset of the header, {@code null} for none
   * @param page true when the text has tags
   */
  void start(@Nullable String charset, boolean page) {
    named = charset == null || charset.isBlank() ? null : charset;
    isPage = page;
    length = 0;
    most = named == null ? MOST_OCTETS : MARK;
    octets = Octets.room(octets, most);
    open = true;
  }

  /** True as long as it wants octets. */
  boolean isOpen() {
    return open;
  }

  boolean isFull() {
    return length == most;
  }

  byte[] octets() {
    return octets;
  }

  int length() {
    return length;
  }

  /** Takes octets; returns how many of them. */
  int add(byte[] more, int from, int to) {
    int taken = Math.min(to - from, most - length);
    System.arraycopy(more, from, octets, length, taken);
    length += taken;
    return taken;
  }

  /** Wants no more octets. */
  void close() {
    open = false;
  }

  private CharsetNames names() {
    CharsetNames of = names == null ? new CharsetNames() : names;
    names = of;
    return of;
  }

  /** True when some readers take the text for ASCII. */
  boolean isPlainly() {
    if (named != null && !CharsetNames.isCommon(named) && names().isDoubtful(named)) {
      return true;
    }
    int mark = length < 2 ? 0 : ((octets[0] & 0xff) << 8) | (octets[1] & 0xff);
    return mark == 0xfffe || mark == 0xfeff;
  }

  /** The charset that the text itself names and the header does not, {@code null} for none. */
  @Nullable String ofPage() {
    if (named != null) {
      return null;
    }
    if (hasEscapes()) {
      return JAPANESE;
    }
    if (!isPage) {
      return null;
    }
    for (int i = 0; i + CHARSET.length < length; i++) {
      if (Octets.startsWithLower(octets, i, length, CHARSET)) {
        String name = name(i + CHARSET.length);
        if (name != null) {
          return name;
        }
      }
    }
    return null;
  }

  /** True for the escapes of Japanese, by which browsers and mail clients know it. */
  private boolean hasEscapes() {
    for (int i = 0; i + 2 < length; i++) {
      if (octets[i] == ESCAPE
          && (octets[i + 1] == '$' || (octets[i + 1] == '(' && octets[i + 2] != 'B'))) {
        return true;
      }
    }
    return false;
  }

  private @Nullable String name(int at) {
    int i = Parameters.skipBlanks(octets, at, length);
    if (i == length || octets[i] != '=') {
      return null;
    }
    i = Parameters.skipBlanks(octets, i + 1, length);
    while (i < length && (octets[i] == '"' || octets[i] == '\'')) {
      i++;
    }
    int end = i;
    while (end < length && !Boundaries.isBlank(octets[end]) && "\"';/>".indexOf(octets[end]) < 0) {
      end++;
    }
    String name = new String(octets, i, end - i, ISO_8859_1);
    boolean same =
        name.isEmpty() || name.equalsIgnoreCase("utf-8") || CharsetNames.find(name) == null;
    return same ? null : name;
  }
}
