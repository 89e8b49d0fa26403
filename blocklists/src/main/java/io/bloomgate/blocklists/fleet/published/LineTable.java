package io.bloomgate.blocklists.fleet.published;

import java.nio.ByteBuffer;

/**
 * Finds a line of a text by its octets: an open-addressing table of where lines begin. Made for one
 * delta by {@link LineDelta}; four octets of heap a place, two places a line at most.
 */
final class LineTable {

  /** Longest search. Lines that collide beyond it are sent again: no list can make this slow. */
  private static final int MOST_PROBES = 64;

  private final ByteBuffer text;
  private final int[] places;

  /**
   * @param lines of the text
   */
  LineTable(ByteBuffer text, long lines) {
    this.text = text;
    // At least a third of the places is free.
    long wanted = Math.max(16, lines + lines / 2);
    this.places = new int[Math.toIntExact(wanted)];
    for (int at = 0; at < text.limit(); ) {
      int end = lineEnd(text, at);
      int place = probe(text, at, end);
      if (place >= 0 && places[place] == 0) {
        places[place] = at + 1;
      }
      at = end;
    }
  }

  /** Lines of a text; the last one may lack its end. */
  static long lines(ByteBuffer text) {
    long lines = 0;
    for (int at = 0; at < text.limit(); at = lineEnd(text, at)) {
      lines++;
    }
    return lines;
  }

  /** Where the next line begins. */
  static int lineEnd(ByteBuffer text, int at) {
    int end = at;
    while (end < text.limit()) {
      if (text.get(end++) == '\n') {
        break;
      }
    }
    return end;
  }

  /** True when these octets of the old text are the line of the new one, its end included. */
  static boolean isLine(ByteBuffer old, int at, ByteBuffer text, int from, int to) {
    return at + (to - from) <= old.limit()
        && old.slice(at, to - from).mismatch(text.slice(from, to - from)) < 0;
  }

  /** Where the old text has this line; -1 when it has none. */
  int find(ByteBuffer other, int from, int to) {
    int place = probe(other, from, to);
    return place < 0 ? -1 : places[place] - 1;
  }

  /** The place of this line, or the free one that it would have; -1 when it has none. */
  private int probe(ByteBuffer other, int from, int to) {
    int place = place(other, from, to);
    for (int i = 0; i < MOST_PROBES; i++) {
      if (places[place] == 0 || isLine(text, places[place] - 1, other, from, to)) {
        return place;
      }
      place = place + 1 == places.length ? 0 : place + 1;
    }
    return -1;
  }

  /** FNV-1a with a final mix. */
  private int place(ByteBuffer of, int from, int to) {
    long hash = 0xcbf29ce484222325L;
    for (int i = from; i < to; i++) {
      hash = (hash ^ of.get(i)) * 0x100000001b3L;
    }
    hash ^= hash >>> 32;
    hash *= 0xd6e8feb86659fd93L;
    hash ^= hash >>> 32;
    return (int) Long.remainderUnsigned(hash, places.length);
  }
}
