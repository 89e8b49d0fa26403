package io.bloomgate.blocklists.content;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The leaf of a mail that is open; and, where readers differ on whether it ended, two of them: the
 * one that goes on for some readers, and beside it the parts that others find in its octets. Only
 * one leaf at a time goes on like that. Part of {@link MimeSplitter}.
 */
final class OpenLeaves {

  /** Octets in front of the first part of a multipart that are read when no part follows. */
  static final int MOST_PREAMBLE = 16 * 1024;

  private static final byte[] LINE_END = {'\r', '\n'};

  private final MimeHandler first;
  private final IntConsumer memory;

  /** Takes the parts that are found inside a leaf that goes on. */
  private @Nullable MimeHandler second;

  private boolean firstOpen;
  private boolean secondOpen;

  /** The open leaf ended already for some readers. */
  private boolean ended;

  /** The leaf of the first handler goes on. */
  private boolean beside;

  /** The open leaf ends here for some readers. */
  void mayEnd() {
    if (isOpen() && !ended) {
      ended = true;
      reader().mayEnd();
    }
  }

  /** Multiparts that were open where it began to. */
  private int levels;

  /** What is in front of the first part so far, while none has come. */
  private byte[] preamble = Octets.NONE;

  private int preambleLength = -1;
  private boolean preambleIsLonger;

  // octets of a line end that are held back: a boundary may follow, which they belong to
  private boolean heldReturn;
  private boolean heldFeed;

  /**
   * No leaf is open.
   *
   * @param memory takes octets that are kept from now on
   */
  OpenLeaves(MimeHandler first, IntConsumer memory) {
    this.first = first;
    this.memory = memory;
  }

  /** Octets of memory that were taken. */
  int keptOctets() {
    return preamble.length;
  }

  /** Who takes the parts now. */
  private MimeHandler reader() {
    MimeHandler other = second;
    return beside && other != null ? other : first;
  }

  boolean isOpen() {
    return beside ? secondOpen : firstOpen;
  }

  void begin(PartHead head, Position position, boolean whole) {
    ended = false;
    if (beside) {
      secondOpen = true;
    } else {
      firstOpen = true;
    }
    reader().begin(head, position, whole);
  }

  void field(FieldName name, byte[] octets, int from, int to, Position position) {
    reader().field(name, octets, from, to, position);
  }

  void skipped(Skipped what) {
    first.skipped(what);
  }

  /** Ends the leaf that is open; one that goes on is not ended. */
  void end() {
    if (isOpen()) {
      reader().end();
      if (beside) {
        secondOpen = false;
      } else {
        firstOpen = false;
      }
    }
  }

  /**
   * The open leaf, if there is one, goes on while its octets are read as parts, too.
   *
   * @param multiparts that are open: a boundary of one of these ends it
   */
  void goOn(int multiparts) {
    if (beside || !firstOpen) {
      end();
      return;
    }
    mayEnd();
    second = second == null ? first.beside() : second;
    beside = true;
    levels = multiparts;
  }

  /** Multiparts that were open where the leaf that goes on began to; 0 for none. */
  int levels() {
    return beside ? levels : 0;
  }

  /** Ends the leaf that goes on, if a boundary of the multipart with that index ends it. */
  void endBeside(int index) {
    if (beside && index < levels) {
      beside = false;
      firstOpen = false;
      first.end();
    }
  }

  /** Ends everything. */
  void endAll() {
    end();
    endBeside(-1);
  }

  /** A multipart begins. */
  void startPreamble() {
    preambleLength = 0;
    preambleIsLonger = false;
  }

  /** A part of the multipart begins, and nobody shows what was in front of it. */
  void dropPreamble() {
    preambleLength = -1;
  }

  /** The multipart ends without a part: some readers show it as text. */
  void readPreamble(PartHead head, Position position) {
    int all = preambleLength;
    preambleLength = -1;
    if (all > 0 && !isOpen()) {
      if (preambleIsLonger) {
        skipped(Skipped.LONG_PREAMBLE);
      }
      head.takeForText();
      begin(head, position, false);
      inside(preamble, 0, all);
      end();
    }
  }

  /** Octets of a header or a line with a boundary: of the body for the leaf that goes on alone. */
  void outside(byte[] octets, int from, int to) {
    if (beside && from < to) {
      first.put(octets, from, to);
    }
  }

  /** Octets of the open leaf alone. */
  void inside(byte[] octets, int from, int to) {
    if (isOpen() && from < to) {
      reader().put(octets, from, to);
    }
  }

  /** Octets of a body. */
  void put(byte[] octets, int from, int to) {
    outside(octets, from, to);
    inside(octets, from, to);
    if (preambleLength >= 0) {
      int taken = Math.min(to - from, MOST_PREAMBLE - preambleLength);
      if (preambleLength + taken > preamble.length) { // most preambles are a line or none
        int doubled = Math.max(2 * preamble.length, preambleLength + taken);
        int size = Math.min(doubled, MOST_PREAMBLE);
        memory.accept(size - preamble.length);
        preamble = Arrays.copyOf(preamble, size);
      }
      preambleIsLonger |= taken < to - from;
      System.arraycopy(octets, from, preamble, preambleLength, taken);
      preambleLength += taken;
    }
  }

  /** Holds the octets of a line end back. */
  void hold(boolean carriageReturn, boolean lineFeed) {
    heldReturn = carriageReturn;
    heldFeed = lineFeed;
  }

  /** True when a carriage return is held back without its line feed. */
  boolean holdsReturn() {
    return heldReturn && !heldFeed;
  }

  /** No boundary followed: the line end is of the body. */
  void release() {
    if (heldReturn || heldFeed) {
      int from = heldReturn ? 0 : 1;
      int to = heldFeed ? 2 : 1;
      hold(false, false);
      put(LINE_END, from, to);
    }
  }

  /** A boundary followed: the line end is of the body for the leaf that goes on alone. */
  void releaseOutside() {
    if (heldReturn || heldFeed) {
      outside(LINE_END, heldReturn ? 0 : 1, heldFeed ? 2 : 1);
      hold(false, false);
    }
  }
}
