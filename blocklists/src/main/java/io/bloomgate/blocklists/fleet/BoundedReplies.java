package io.bloomgate.blocklists.fleet;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Passes what a server of the Redis protocol sends, while a reply keeps within the limits: the
 * library makes room for what a reply announces before it has come, and the gateway must not end
 * because somebody wrote a value of 300 MB. A server that sends an octet now and then must not keep
 * a thread either. Follows the framing of RESP2 and RESP3 and changes no octet. Read by the library
 * on the thread of a command.
 */
final class BoundedReplies extends FilterInputStream {

  /** The limit of one text or of a piece of a filter. */
  static final int MAX_TEXT_OCTETS = 16 << 20;

  /** The limit of a line: a status, an error, a number. */
  static final int MAX_LINE_OCTETS = 64 << 10;

  /** The limit of one reply with all that is in it. */
  static final long MAX_REPLY_OCTETS = 64L << 20;

  /** The limit of all lists of one reply together. */
  static final long MAX_ELEMENTS = 1_000_000;

  /** Lists in each other; the library reads them by recursion. */
  static final int MAX_DEPTH = 16;

  /**
   * The time from the question to the end of a short reply; blocking commands wait 1.5 s within it.
   */
  static final Duration MAX_REPLY_TIME = Duration.ofSeconds(10);

  /** A long reply may take a second more for each of these. */
  static final long OCTETS_A_SECOND = 1 << 20;

  private static final String LENGTHS = "$=!";
  private static final String LISTS = "*~>";
  private static final String MAP = "%";
  private static final String SIMPLE = "+-:_#,(";

  /** Elements that are still to come, the innermost list last. */
  private final Deque<Long> open = new ArrayDeque<>();

  private final StringBuilder line = new StringBuilder();

  /** Octets of the text that is read, with its CR LF, that are still to come. */
  private long text;

  private long octets;
  private long elements;
  private final LongSupplier nanoTime;

  /** The time when somebody began to wait for the reply that is not at its end. */
  private long asked;

  private boolean isWaiting;

  /** The replies of one connection. */
  BoundedReplies(InputStream in, LongSupplier nanoTime) {
    super(in);
    this.nanoTime = nanoTime;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (!isWaiting) {
      isWaiting = true;
      asked = nanoTime.getAsLong();
    }
    int read = in.read(buffer, offset, length);
    int end = offset + Math.max(0, read);
    for (int at = offset; at < end; ) {
      int passed = text > 0 ? (int) Math.min(text, end - at) : 1;
      octets += passed;
      require(octets <= MAX_REPLY_OCTETS, "octets in a reply", MAX_REPLY_OCTETS);
      if (text > 0) {
        text -= passed;
        if (text == 0) {
          valueEnded();
        }
      } else {
        takeOctetOfLine((char) (buffer[at] & 0xff));
      }
      at += passed;
    }
    requireInTime();
    return read;
  }

  private void requireInTime() throws IOException {
    long most = MAX_REPLY_TIME.plusSeconds(octets / OCTETS_A_SECOND).toNanos();
    if (isWaiting && nanoTime.getAsLong() - asked > most) {
      throw new IOException(
          "the server took more than " + MAX_REPLY_TIME.toSeconds() + " s to send a reply");
    }
  }

  private void takeOctetOfLine(char octet) throws IOException {
    if (octet != '\n') {
      line.append(octet);
      require(line.length() <= MAX_LINE_OCTETS, "octets in a line", MAX_LINE_OCTETS);
      return;
    }
    char type = line.isEmpty() ? '\r' : line.charAt(0);
    if (SIMPLE.indexOf(type) >= 0) {
      line.setLength(0);
      valueEnded();
      return;
    }
    long announced = announced();
    line.setLength(0);
    if (announced < 0) {
      valueEnded(); // the null of RESP2
    } else if (LENGTHS.indexOf(type) >= 0) {
      require(announced <= MAX_TEXT_OCTETS, "octets in a text", MAX_TEXT_OCTETS);
      text = announced + 2;
    } else if (LISTS.indexOf(type) >= 0) {
      openList(announced);
    } else if (MAP.indexOf(type) >= 0) {
      openList(2 * announced);
    } else {
      throw new IOException("this is no reply of a Redis server");
    }
  }

  /** The number of a line of type, number, CR; nothing else of RESP is ever sent to us. */
  private long announced() throws IOException {
    try {
      return Integer.parseInt(line, 1, line.length() - 1, 10);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IOException("this is no reply of a Redis server", e);
    }
  }

  private void openList(long size) throws IOException {
    elements += size;
    require(elements <= MAX_ELEMENTS, "elements in a reply", MAX_ELEMENTS);
    require(open.size() < MAX_DEPTH, "lists in each other", MAX_DEPTH);
    if (size == 0) {
      valueEnded();
    } else {
      open.addLast(size);
    }
  }

  /** Closes the lists of which this value was the last. */
  private void valueEnded() {
    while (!open.isEmpty()) {
      long left = open.removeLast() - 1;
      if (left > 0) {
        open.addLast(left);
        return;
      }
    }
    octets = 0;
    elements = 0;
    isWaiting = false;
  }

  private static void require(boolean holds, String of, long most) throws IOException {
    if (!holds) {
      throw new IOException("the server sent more than " + most + " " + of);
    }
  }
}
