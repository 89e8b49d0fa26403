package io.bloomgate.blocklists.content;

import java.util.Arrays;

/**
 * Splits a mail into header blocks and leaves while its octets pass, whatever the cuts; RFC 2045,
 * 2046. Only lines that begin with two hyphens are compared with boundaries; all other octets of a
 * body are handed on in pieces as large as they came. Used by {@link MailScanner} and for encoded
 * messages by {@link LeafReader}, on the thread of the mail.
 *
 * <p>What is malformed is read as mail clients read it: a line ends with LF, the line end before a
 * boundary belongs to the boundary, a multipart that is not closed ends with the one around it, a
 * Content-Transfer-Encoding of a multipart is ignored, a multipart without a boundary is text.
 */
final class MimeSplitter {

  /** Octets of a line that is taken for a boundary; RFC 2046 allows 70 without the hyphens. */
  private static final int MOST_GUESSED = 76;

  private final MimeLimits limits;
  private final OpenLeaves leaves;
  private final MailShape shape;
  private final HeaderReader headers;
  private final Boundaries boundaries;
  private final PartHead head = new PartHead();

  private boolean inHeader = true;

  /** A line of the block was no field. */
  private boolean doubtful;

  /** The boundary of the block is open already. */
  private boolean pushed;

  /** Multiparts that were open before it. */
  private int around;

  private Position position;

  /** A multipart names no boundary: the first line that looks like one may be. */
  private boolean guessing;

  /** The rest of a line with a boundary is passed over. */
  private boolean skipping;

  /** A line that begins with a hyphen, as far as it is known. */
  private byte[] line = Octets.NONE;

  private int lineLength;

  /** At the first octet of a line of a body. */
  private boolean lineStart;

  /**
   * Waits for the first octet of a mail.
   *
   * @param seed of the hashes of boundaries
   * @param around where the mail is; a mail that is not inside another one has depth 0
   */
  MimeSplitter(
      MimeLimits limits, MimeHandler handler, MailShape shape, long seed, Position around) {
    this.limits = limits;
    this.leaves = new OpenLeaves(handler, shape::keep);
    this.shape = shape;
    this.position = around;
    this.boundaries = new Boundaries(seed, shape::keep);
    this.headers = new HeaderReader(limits, this::field, shape::keep);
    startBlock(around.depth(), around.nested(), true, false);
  }

  /** Takes the next octets. */
  void put(byte[] octets, int from, int to) {
    int i = from;
    while (i < to) {
      if (skipping) {
        int end = Octets.indexOf((byte) '\n', octets, i, to);
        skipping = end < 0;
        end = skipping ? to : end + 1;
        leaves.outside(octets, i, end);
        i = end;
      } else if (lineLength > 0) {
        i = candidate(octets, i, to);
      } else {
        i = inHeader ? header(octets, i, to) : body(octets, i, to);
      }
    }
  }

  /** Ends the mail, whatever is open. */
  void end() {
    if (lineLength > 0) {
      decide();
    }
    while (inHeader) {
      if (headers.end() == HeaderReader.Found.NO_FIELD) {
        doubt(headers.text(), 0, 0);
      } else {
        endBlock();
      }
    }
    leaves.release();
    leaves.readPreamble(head, position);
    leaves.endAll();
    shape.keep(-headers.keptOctets() - leaves.keptOctets());
  }

  private int header(byte[] octets, int from, int to) {
    if (headers.atLineStart() && octets[from] == '-') {
      headers.end(); // hands on the field in front: its boundary may be in this very line
      openEarly();
      if (guessing || !boundaries.isEmpty()) {
        return begin(octets, from);
      }
    }
    int feed = Octets.indexOf((byte) '\n', octets, from, to);
    int end = feed < 0 ? to : feed + 1;
    headerLine(octets, from, end);
    return end;
  }

  private void headerLine(byte[] octets, int from, int to) {
    boolean before = doubtful;
    leaves.outside(octets, from, to);
    HeaderReader.Found found = headers.put(octets, from, to);
    shape.passed(headers.excess());
    if (before) {
      leaves.inside(octets, from, to);
    } else if (found == HeaderReader.Found.NO_FIELD) {
      doubt(octets, from + headers.kept(), to);
    }
    if (found == HeaderReader.Found.END) {
      endBlock();
    }
  }

  /**
   * A line of a header is no field. Some readers let the body begin there (Postfix writes the
   * missing empty line), others pass it over. So the block goes on, and its lines from here are a
   * body of their own, up to the boundary that ends it, beside the one behind the empty line.
   */
  private void doubt(byte[] octets, int from, int to) {
    leaves.skipped(Skipped.NO_EMPTY_LINE);
    if (doubtful) {
      return;
    }
    doubtful = true;
    if (head.kind() == PartHead.Kind.PLAIN || head.kind() == PartHead.Kind.HTML) {
      leaves.begin(head, position, false);
      leaves.inside(headers.text(), 0, headers.textLength());
      leaves.inside(octets, from, to);
    }
  }

  /** The boundary of a multipart separates parts at once, without an empty line before it, too. */
  private void openEarly() {
    if (pushed || position.depth() >= limits.depth()) {
      return;
    }
    byte[] boundary = head.boundary();
    guessing = head.isWithoutBoundary();
    if (boundary != null) {
      pushed = true;
      around = boundaries.size();
      leaves.goOn(boundaries.size()); // of lines in front of the type that were no fields
      push(boundary);
    }
  }

  private void noteEarly() {
    if (inHeader) {
      leaves.skipped(Skipped.NO_EMPTY_LINE);
    }
  }

  private void endBlocks() {
    while (inHeader) {
      headers.end(); // whole lines only: a boundary is at the beginning of one
      endBlock();
    }
  }

  private void push(byte[] boundary) {
    leaves.startPreamble();
    boundaries.push(boundary, position.depth(), position.nested(), head.isDigest());
    head.otherBoundaries().forEach(boundaries::pushOther);
  }

  /** The octets that begin or continue a line which is none of a boundary. */
  private void text(byte[] octets, int length) {
    boolean feed = length > 0 && octets[length - 1] == '\n';
    int end = feed ? length - 1 : length;
    boolean carriageReturn = end > 0 && octets[end - 1] == '\r';
    leaves.put(octets, 0, carriageReturn ? end - 1 : end);
    leaves.hold(carriageReturn, feed);
    lineStart = feed;
  }

  private void field(FieldName name, byte[] octets, int from, int to, int last) {
    if (last > 0) {
      leaves.skipped(Skipped.LONG_FIELD);
    }
    switch (name.counted()) {
      case PARAMETERS -> head.field(name, octets, from, to + last);
      case ADDRESSES -> {
        leaves.field(
            name, octets, from, last > 0 ? Mailboxes.endOfWhole(octets, from, to) : to, position);
        if (last > 0) {
          leaves.field(
              name, octets, Mailboxes.beginOfWhole(octets, to, to + last), to + last, position);
        }
      }
      case NOTHING -> {
        boolean joins = last > 0 && name == FieldName.SUBJECT;
        int end = joins ? EncodedWords.withoutMiddle(octets, from, to, to + last) : to;
        leaves.field(name, octets, from, end, position);
      }
    }
  }

  private void startBlock(int depth, int nested, boolean message, boolean digest) {
    doubtful = false;
    pushed = false;
    guessing = false;
    shape.block(depth, limits);
    position = new Position(depth, nested, shape.parts(), message);
    head.reset(digest);
    headers.start(message && nested > 0); // a gateway writes fields above the outermost
    inHeader = true;
  }

  private void endBlock() {
    leaves.goOn(boundaries.size()); // of lines that were no fields
    inHeader = false;
    lineStart = true;
    leaves.hold(false, false);
    if (head.isTwice()) {
      leaves.skipped(Skipped.SECOND_TYPE);
    }
    if (head.isWithoutBoundary()) {
      leaves.skipped(Skipped.NO_BOUNDARY);
      guessing = position.depth() < limits.depth();
    }
    PartHead leaf = head.leaf();
    if (leaf != null) {
      leaves.begin(leaf, position, true);
    }
    if (head.container() == null) {
      return;
    }
    if (leaf != null) {
      leaves.goOn(pushed ? around : boundaries.size()); // a leaf for some readers
    }
    byte[] boundary = head.boundary();
    if (position.depth() >= limits.depth()) {
      shape.passed(new MimeExcess(MimeExcess.What.DEPTH, limits.depth()));
      leaves.skipped(Skipped.DEEP_PART);
    } else if (boundary != null && !pushed) {
      push(boundary);
    } else if (boundary == null) {
      startBlock(position.depth() + 1, position.nested() + 1, true, false);
    }
  }

  /** Begins a line that may be one of a boundary. */
  private int begin(byte[] octets, int from) {
    line = line.length < octetsThatCount() ? new byte[octetsThatCount()] : line;
    line[0] = octets[from];
    lineLength = 1;
    return from + 1;
  }

  private int octetsThatCount() {
    return Math.max(guessing ? MOST_GUESSED : 0, boundaries.octetsThatCount());
  }

  private int candidate(byte[] octets, int from, int to) {
    int most = octetsThatCount();
    boolean hyphens = lineLength > 1 || octets[from] == '-';
    int last = hyphens ? Math.min(to, from + most - lineLength) : from + 1;
    int feed = Octets.indexOf((byte) '\n', octets, from, last);
    int end = feed < 0 ? last : feed + 1;
    System.arraycopy(octets, from, line, lineLength, end - from);
    lineLength += end - from;
    if (feed >= 0 || !hyphens || lineLength == most) {
      decide();
    }
    return end;
  }

  private void decide() {
    int length = lineLength;
    lineLength = 0;
    int level = length < 2 || line[1] != '-' ? -1 : boundaries.match(line, length);
    boolean field = inHeader && Boundaries.isField(line, length);
    if (pushed && field && level == boundaries.innermost() && !boundaries.isExact()) {
      level = -1; // the header goes on
    }
    boolean guess = level < 0 && guessing && !field && length > 2 && line[1] == '-';
    if (guess && !Boundaries.isBlank(line[2])) {
      noteEarly();
      endBlocks();
      guessing = false;
      leaves.goOn(boundaries.size()); // some readers show it as text
      push(Arrays.copyOfRange(line, 2, Parameters.trimBlanks(line, 2, length)));
      level = boundaries.match(line, length);
    }
    boolean text = level < 0 || (boundaries.isClosing() && !boundaries.isExact());
    if (level >= 0 && !boundaries.isExact()) {
      leaves.skipped(Skipped.TEXT_BEHIND_BOUNDARY);
      leaves.mayEnd();
    }
    if (!text) {
      skipping = line[length - 1] != '\n';
      boundary(level, length);
    } else if (inHeader) {
      headerLine(line, 0, length);
    } else {
      leaves.release();
      text(line, length);
    }
  }

  /**
   * A line with a boundary. With text behind it, it separates parts for some readers only: for the
   * others the open leaf goes on, and boundaries inside of it are looked for as before.
   */
  private void boundary(int index, int length) {
    if (pushed && index == boundaries.innermost()) {
      noteEarly();
    }
    endBlocks();
    int last = index;
    if (index == boundaries.innermost()) {
      leaves.dropPreamble();
    } else if (boundaries.isExact()) {
      leaves.readPreamble(head, position);
    }
    if (boundaries.isExact()) {
      leaves.end();
      leaves.endBeside(index);
    } else {
      leaves.goOn(boundaries.size());
      last = Math.max(index, leaves.levels() - 1);
    }
    leaves.releaseOutside();
    leaves.outside(line, 0, length);
    boundaries.popAbove(last);
    if (boundaries.isClosing()) {
      boundaries.close(index);
      lineStart = true;
    } else {
      Boundaries.Level level = boundaries.level(index);
      if (boundaries.reopen(index)) {
        leaves.skipped(Skipped.BEHIND_END);
      }
      startBlock(level.depth() + 1, level.nested(), false, level.isDigest());
    }
  }

  private int body(byte[] octets, int from, int to) {
    if (boundaries.isEmpty() && !guessing) {
      leaves.release();
      leaves.put(octets, from, to);
      return to;
    }
    if (leaves.holdsReturn() && octets[from] == '\n') {
      leaves.hold(true, true);
      lineStart = true;
      return from + 1;
    }
    if (lineStart && octets[from] == '-') {
      lineStart = false;
      return begin(octets, from);
    }
    lineStart = false;
    leaves.release();
    int feed = Boundaries.lineEndBeforeHyphens(octets, from, to);
    int next = feed + 1;
    if (feed < 0) {
      // what may be the beginning of such a line end is held back
      int last = to - 1;
      if (octets[last] == '-' && last > from && octets[last - 1] == '\n') {
        next = last;
      } else if (octets[last] == '\n') {
        next = to;
      } else {
        boolean carriageReturn = octets[last] == '\r';
        leaves.put(octets, from, carriageReturn ? last : to);
        leaves.hold(carriageReturn, false);
        return to;
      }
    }
    lineStart = true;
    int end = next - 1;
    boolean carriageReturn = end > from && octets[end - 1] == '\r';
    leaves.put(octets, from, carriageReturn ? end - 1 : end);
    leaves.hold(carriageReturn, true);
    return next;
  }
}
