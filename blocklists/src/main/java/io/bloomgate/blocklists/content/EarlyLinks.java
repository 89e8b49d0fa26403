package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.url.UrlsLeft;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Links of a text in front of its first base, which they are relative to as well. All texts of a
 * mail that are open share the room for them. Part of {@link Urls}.
 *
 * <p>They are one array, since a mail of one-letter links would take many times its size in
 * objects.
 */
final class EarlyLinks {

  private static final int FIRST = 64;
  private static final char[] NONE = {};

  private final UrlsLeft left;

  /** Of each link its length, and its characters. */
  private char[] links = NONE;

  private int used;
  private boolean full;

  EarlyLinks(UrlsLeft left) {
    this.left = left;
  }

  /** Keeps a link as long as there is room. */
  void add(char[] value, int length) {
    int needed = used + 1 + length;
    if (full || length > Character.MAX_VALUE || !hasRoom(needed)) {
      full = true;
      return;
    }
    links[used] = (char) length;
    System.arraycopy(value, 0, links, used + 1, length);
    used = needed;
  }

  private boolean hasRoom(int needed) {
    if (needed <= links.length) {
      return true;
    }
    int doubled = Math.max(FIRST, Math.max(needed, links.length * 2));
    int room = Math.min(doubled, links.length + left.roomForEarly());
    if (room < needed) {
      return false;
    }
    left.keepEarly(room - links.length);
    links = Arrays.copyOf(links, room);
    return true;
  }

  /** Hands all of them on, and forgets them; false when there are others that were not kept. */
  boolean take(Consumer<String> by) {
    for (int at = 0; at < used; at += 1 + links[at]) {
      by.accept(new String(links, at + 1, links[at]));
    }
    boolean all = !full;
    clear();
    return all;
  }

  /** Forgets all of them, and gives their memory back. */
  void clear() {
    left.keepEarly(-links.length);
    links = NONE;
    used = 0;
    full = false;
  }
}
