package io.bloomgate.blocklists.content;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads one header block after the other, line by line, and hands on the fields that are looked at.
 * A field is kept up to {@link #MOST_OCTETS}; of a longer one the middle is left out, and still
 * counted. Used by {@link MimeSplitter} on the thread of the mail.
 *
 * <p>A line that can be no field is passed over, as mime4j and Thunderbird do; {@link MimeSplitter}
 * takes care of the readers that let the body begin there. The block of a mail in a mail may begin
 * with the line {@code From } of a mailbox file.
 */
final class HeaderReader {

  /** First octets of a field, name included, that are looked at. */
  static final int MOST_OCTETS = 16 * 1024;

  /** Last octets of a longer field that are looked at, too. */
  static final int LAST_OCTETS = 4 * 1024;

  private static final int FIRST_OCTETS = 128;

  /** Octets of a name, white space before the colon included; a longer one makes the line text. */
  private static final int MOST_NAME = 1_000;

  private static final byte[] BLANK = {' '};
  private static final byte[] MAILBOX = {'F', 'r', 'o', 'm', ' '};

  /** What a piece of the block turned out to be. */
  enum Found {
    /** The block goes on. */
    MORE,
    /** The empty line behind the block. */
    END,
    /**
     * The line is no field: the octets of {@link #text}, and what of the piece is behind {@link
     * #kept}, may be the beginning of the body.
     */
    NO_FIELD
  }

  /** Who takes the fields. */
  interface Fields {
    /**
     * A whole field.
     *
     * @param from where its body begins
     * @param to behind its body, or behind the beginning of a longer one
     * @param last octets behind {@code to} that are the end of a longer one
     */
    void field(FieldName name, byte[] octets, int from, int to, int last);
  }

  private final MimeLimits limits;
  private final Fields fields;
  private final IntConsumer memory;
  private final FieldCount count = new FieldCount();
  private byte[] field = new byte[FIRST_OCTETS];
  private int length;
  private int kept;

  /** The last octets of a field that is longer, in a ring; and how many octets went into it. */
  private byte[] tail = Octets.NONE;

  private long tailLength;

  /** Where the colon is, -1 as long as it has not come. */
  private int colon;

  /** Octets of the name that were looked at. */
  private int looked;

  private boolean spaced;

  /** Blanks of the body have passed that are not kept yet. */
  private boolean blanks;

  private boolean ignored;
  private @Nullable FieldName name;
  private boolean lineStart;
  private boolean first;
  private boolean mailboxLine;
  private int parameters;
  private int addresses;
  private @Nullable MimeExcess excess;

  /**
   * No block was begun.
   *
   * @param memory takes octets that are kept from now on
   */
  HeaderReader(MimeLimits limits, Fields fields, IntConsumer memory) {
    this.limits = limits;
    this.fields = fields;
    this.memory = memory;
  }

  /**
   * Begins a block.
   *
   * @param ofMessage true when the line of a mailbox file may come before it
   */
  void start(boolean ofMessage) {
    mailboxLine = ofMessage;
    first = true;
    parameters = 0;
    addresses = 0;
    lineStart = true;
    none();
  }

  boolean atLineStart() {
    return lineStart;
  }

  /** The limit that was passed first, {@code null} for none. */
  @Nullable MimeExcess excess() {
    return excess;
  }

  /** Takes octets of one line, at most up to its line end. */
  Found put(byte[] octets, int from, int to) {
    boolean whole = octets[to - 1] == '\n';
    if (lineStart) {
      boolean folded = octets[from] == ' ' || octets[from] == '\t';
      if (!folded || first) {
        finish();
      }
      lineStart = false;
    }
    lineStart = whole;
    if (ignored) {
      return Found.MORE;
    }
    if (colon >= 0) {
      body(octets, from, to);
      return Found.MORE;
    }
    int at = Octets.indexOf((byte) ':', octets, from, to);
    int end = at < 0 ? to : at + 1;
    kept = keep(octets, from, end);
    Found found = name();
    if (colon >= 0 && name != null && end < to) {
      body(octets, end, to);
    }
    return found;
  }

  /**
   * Blanks at its beginning take no room from what follows; nor do those in a subject, of which one
   * is kept.
   */
  private void body(byte[] octets, int from, int to) {
    count(octets, from, to);
    int i = from;
    while (i < to && (length == colon + 1 || name == FieldName.SUBJECT)) {
      while (i < to && Boundaries.isBlank(octets[i])) {
        blanks |= octets[i] == ' ' || octets[i] == '\t'; // behind each line end of a folded field
        i++;
      }
      int begin = i;
      while (i < to && !Boundaries.isBlank(octets[i])) {
        i++;
      }
      if (blanks && i > begin && length > colon + 1) {
        keep(BLANK, 0, BLANK.length);
      }
      blanks &= i == begin;
      keep(octets, begin, i);
    }
    keep(octets, i, to);
  }

  /** Octets of memory that were taken. */
  int keptOctets() {
    return field.length - FIRST_OCTETS + tail.length;
  }

  /** What is not handed on yet is all that there is of the block. */
  Found end() {
    if (colon < 0 && !ignored && length > 0) {
      ignored = true;
      return Found.NO_FIELD;
    }
    finish();
    return Found.END;
  }

  /** The octets that {@link Found#NO_FIELD} means. */
  byte[] text() {
    return field;
  }

  int textLength() {
    return length;
  }

  /** How many octets of the last piece are part of {@link #text}. */
  int kept() {
    return kept;
  }

  /** Hands the field on that was read, if there is one. */
  private void finish() {
    FieldName read = name;
    if (read != null) {
      int more = count.end();
      if (read.counted() == FieldName.Counted.PARAMETERS) {
        parameters += more;
      } else if (read.counted() == FieldName.Counted.ADDRESSES) {
        addresses += more + 1;
      }
      count.start((byte) 0);
      check();
      int last = last(); // may be another array
      fields.field(read, field, colon + 1, length, last);
    }
    none();
  }

  private void none() {
    length = 0;
    tailLength = 0;
    colon = -1;
    looked = 0;
    spaced = false;
    blanks = false;
    ignored = false;
    name = null;
  }

  private void check() {
    FieldName read = name;
    if (excess != null || read == null) {
      return;
    }
    int now = count.soFar();
    if (read.counted() == FieldName.Counted.PARAMETERS && parameters + now > limits.parameters()) {
      excess = new MimeExcess(MimeExcess.What.PARAMETERS, limits.parameters());
    }
    if (read.counted() == FieldName.Counted.ADDRESSES && addresses + now > limits.addressFields()) {
      excess = new MimeExcess(MimeExcess.What.ADDRESS_FIELDS, limits.addressFields());
    }
  }

  /** Returns how many there was room for. */
  private int keep(byte[] octets, int from, int to) {
    int more = Math.min(to - from, MOST_OCTETS - length);
    tail(octets, from + more, to);
    if (length + more > field.length) {
      grow(Math.max(length + more, Math.min(field.length * 2, MOST_OCTETS)));
    }
    System.arraycopy(octets, from, field, length, more);
    length += more;
    return more;
  }

  private void tail(byte[] octets, int from, int to) {
    if (from == to) {
      return;
    }
    if (tail.length == 0) {
      tail = new byte[LAST_OCTETS];
      memory.accept(LAST_OCTETS);
    }
    int begin = Math.max(from, to - LAST_OCTETS);
    tailLength += begin - from;
    for (int i = begin; i < to; i++) {
      tail[(int) (tailLength++ % LAST_OCTETS)] = octets[i];
    }
  }

  /** Puts the last octets behind the first ones; returns how many they are. */
  private int last() {
    int all = (int) Math.min(tailLength, LAST_OCTETS);
    if (length + all > field.length) {
      grow(length + all);
    }
    for (int i = 0; i < all; i++) {
      field[length + i] = tail[(int) ((tailLength - all + i) % LAST_OCTETS)];
    }
    return all;
  }

  private void grow(int to) {
    memory.accept(to - field.length);
    field = Arrays.copyOf(field, to);
  }

  private void count(byte[] octets, int from, int to) {
    count.put(octets, from, to);
    check();
  }

  private Found name() {
    if (looked == 0) {
      looked = behindName();
    }
    for (; looked < length; looked++) {
      byte octet = field[looked];
      if (octet == ':' && looked > 0) {
        named(looked);
        first = false;
        return Found.MORE;
      }
      boolean blank = octet == ' ' || octet == '\t';
      if (octet == '\n' && (looked == 0 || (looked == 1 && field[0] == '\r'))) {
        none();
        return Found.END;
      }
      if (octet == '\r' && looked == 0) {
        continue;
      }
      boolean good = octet > ' ' && octet < 0x7f && octet != ':' && !spaced && field[0] != '\r';
      if (looked == MOST_NAME || (!good && !(blank && looked > 0))) {
        return noField();
      }
      spaced |= blank;
    }
    return Found.MORE;
  }

  /** Behind the octets of a name without anything beside it, as most. */
  private int behindName() {
    int end = Math.min(length, MOST_NAME);
    int i = 0;
    while (i < end && field[i] > ' ' && field[i] != ':' && field[i] < 0x7f) {
      i++;
    }
    return i;
  }

  private Found noField() {
    boolean ofMailbox = first && mailboxLine && isOfMailbox();
    ignored = true;
    first = false;
    return ofMailbox ? Found.MORE : Found.NO_FIELD;
  }

  /** The line of a mailbox file, letter by letter as Postfix takes it for one. */
  private boolean isOfMailbox() {
    int from = 0;
    while (from < length && field[from] == '>') {
      from++;
    }
    int to = Math.min(length, from + MAILBOX.length);
    return Arrays.equals(field, from, to, MAILBOX, 0, MAILBOX.length);
  }

  private void named(int at) {
    colon = at;
    int end = at;
    while (end > 0 && (field[end - 1] == ' ' || field[end - 1] == '\t')) {
      end--;
    }
    name = FieldName.of(field, 0, end);
    if (name == null) {
      ignored = true; // nothing of it is kept
      return;
    }
    count.start(
        switch (name.counted()) {
          case PARAMETERS -> (byte) ';';
          case ADDRESSES -> (byte) ',';
          case NOTHING -> (byte) 0;
        });
  }
}
