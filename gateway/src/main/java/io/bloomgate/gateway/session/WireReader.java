package io.bloomgate.gateway.session;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.gateway.relay.ContentBudget;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one reader of a connection: commands, content and PROXY header come out of the same buffer,
 * so no octet is ever seen twice or lost between two readers. Every wait has a deadline; before a
 * wait the replies that gathered are sent. Used by one session's thread.
 */
final class WireReader {

  /** Enough for commands, so that an idle session costs little. */
  private static final int COMMAND_OCTETS = 1024;

  /** Enough for the next command of a client that has been silent for {@link #IDLE_NANOS}. */
  private static final int IDLE_OCTETS = 64;

  private static final long IDLE_NANOS = 2_000_000_000L;
  private static final int CONTENT_OCTETS = 8 * 1024;
  private static final int LARGE_OCTETS = 64 * 1024;
  private static final int MAX_OCTETS = 128 * 1024;
  private static final int NOTHING_YET = 0;

  private final TimedInput timed;
  private final InputStream in;
  private final WireWriter writer;
  private final LongSupplier nanoTime;
  private byte[] buffer = new byte[COMMAND_OCTETS];
  private int position;
  private int limit;
  private @Nullable ContentBudget content;
  private boolean filled;
  private boolean large;
  private @Nullable Meanwhile meanwhile;
  private Runnable whenIdle = () -> {};

  /**
   * Of one connection.
   *
   * @param timed told before each read how long to wait; stands below TLS
   * @param in where the client's words come from: the same, or what TLS makes of it
   * @param writer flushed before each wait
   */
  WireReader(TimedInput timed, InputStream in, WireWriter writer, LongSupplier nanoTime) {
    this.timed = timed;
    this.in = in;
    this.writer = writer;
    this.nanoTime = nanoTime;
  }

  /** What to do in long waits. */
  void meanwhile(Meanwhile chore) {
    meanwhile = chore;
  }

  /** What to do when the client has been silent for a while between commands, each time anew. */
  void whenIdle(Runnable chore) {
    whenIdle = chore;
  }

  // ---- the buffer, for the scanners of content and PROXY header

  /** Holds the unread octets from {@link #position} to {@link #limit}. */
  byte[] buffer() {
    return buffer;
  }

  int position() {
    return position;
  }

  int limit() {
    return limit;
  }

  /** Octets in the buffer that nobody has read yet. */
  int buffered() {
    return limit - position;
  }

  /** Everything before this index has been read. */
  void consumeTo(int index) {
    position = index;
  }

  /** Takes all octets out of the buffer that nobody has read yet. */
  byte[] takeBuffered() {
    byte[] rest = Arrays.copyOfRange(buffer, position, limit);
    position = limit;
    return rest;
  }

  /** True when input is there already, in the buffer or in the socket. */
  boolean hasPending() throws IOException {
    return position < limit || in.available() > 0;
  }

  /**
   * Waits for at least one more octet. Unread octets move to the front of the buffer, which grows
   * when they fill it.
   *
   * @return octets that came
   * @throws ClientTimeout at the deadline
   * @throws ClientGone at the end of input, or when the connection was reset
   */
  int fill(Deadline deadline) throws IOException {
    writer.flush();
    makeRoom();
    long idleAt = nanoTime.getAsLong() + IDLE_NANOS;
    int octets = NOTHING_YET;
    while (octets == NOTHING_YET) {
      octets = read(deadline, idleAt);
    }
    if (octets < 0) {
      throw new ClientGone("end of input");
    }
    limit += octets;
    filled = limit == buffer.length;
    return octets;
  }

  /** One read, interrupted for what falls due meanwhile. */
  private int read(Deadline deadline, long idleAt) throws IOException {
    long now = nanoTime.getAsLong();
    long left = deadline.nanos() - now;
    long due = meanwhile == null ? Meanwhile.NEVER : meanwhile.dueInNanos();
    if (meanwhile != null && due <= 0 && left > 0) {
      meanwhile.run();
      return NOTHING_YET;
    }
    if (limit == 0 && content == null && buffer.length > IDLE_OCTETS) {
      if (idleAt - now <= 0) {
        relax();
        return NOTHING_YET;
      }
      due = Math.min(due, idleAt - now);
    }
    timed.until(now + Math.min(left, due));
    try {
      return in.read(buffer, limit, buffer.length - limit);
    } catch (SocketTimeoutException e) {
      if (left > 0 && due < left) {
        return NOTHING_YET;
      }
      throw new ClientTimeout(deadline.limit());
    } catch (IOException e) {
      throw new ClientGone(String.valueOf(e.getMessage()));
    }
  }

  /** Gives back what a silent client makes us keep. */
  private void relax() {
    buffer = new byte[IDLE_OCTETS];
    whenIdle.run();
  }

  private void makeRoom() {
    if (content == null) {
      shrink();
    }
    if (buffer.length < COMMAND_OCTETS) {
      resize(COMMAND_OCTETS);
    }
    if (mayBecomeLarge()) {
      resize(LARGE_OCTETS);
    } else if (position > 0) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      limit -= position;
      position = 0;
    }
    if (limit == buffer.length) {
      if (limit >= MAX_OCTETS) {
        throw new IllegalStateException("a scanner left " + limit + " octets unread");
      }
      resize(2 * limit);
    }
  }

  private boolean mayBecomeLarge() {
    if (content == null || !filled || buffer.length >= LARGE_OCTETS) {
      return false;
    }
    large = content.tryTake(LARGE_OCTETS);
    return large;
  }

  /**
   * Content follows: a small message fits into the buffer as it is, and the buffer becomes large as
   * soon as a read has filled it.
   *
   * @param budget which a large buffer is taken from; without it the small one must do
   */
  void expectContent(ContentBudget budget) {
    content = budget;
    filled = false;
    if (buffer.length < CONTENT_OCTETS) {
      resize(CONTENT_OCTETS);
    }
  }

  /** Content is over: a large buffer is given back, at the latest before the next wait. */
  void expectCommands() {
    ContentBudget budget = content;
    if (large && budget != null) {
      budget.give(LARGE_OCTETS);
    }
    large = false;
    content = null;
    shrink();
  }

  private void shrink() {
    if (buffer.length > CONTENT_OCTETS && limit - position <= CONTENT_OCTETS / 2) {
      resize(CONTENT_OCTETS);
    }
  }

  private void resize(int size) {
    byte[] other = new byte[size];
    System.arraycopy(buffer, position, other, 0, limit - position);
    limit -= position;
    position = 0;
    buffer = other;
  }

  // ---- command lines

  /** Waits until an octet is there. */
  void awaitInput(Deadline deadline) throws IOException {
    if (position == limit) {
      fill(deadline);
    }
  }

  /**
   * Reads one command line, up to its LF.
   *
   * @param deadline of the whole line
   * @param maxOctets {@code command_line_length}, CRLF included (RFC 5321 section 4.5.3.1.4)
   */
  CommandInput readLine(Deadline deadline, int maxOctets) throws IOException {
    int scanned = 0;
    while (true) {
      int end = indexOfLf(position + scanned);
      if (end >= 0 && end - position < maxOctets) {
        CommandInput line = lineUpTo(end);
        position = end + 1;
        return line;
      }
      if (end >= 0 || limit - position >= maxOctets) {
        skipLine(deadline);
        return new CommandInput.TooLong();
      }
      scanned = limit - position;
      fill(deadline);
    }
  }

  private int indexOfLf(int from) {
    for (int i = from; i < limit; i++) {
      if (buffer[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private void skipLine(Deadline deadline) throws IOException {
    int end = indexOfLf(position);
    while (end < 0) {
      position = limit;
      fill(deadline);
      end = indexOfLf(position);
    }
    position = end + 1;
  }

  private CommandInput lineUpTo(int lf) {
    int end = lf - 1;
    if (end < position || buffer[end] != '\r') {
      return new CommandInput.BareLineEnd();
    }
    boolean ascii = true;
    for (int i = position; i < end; i++) {
      int c = buffer[i];
      if (c == '\r') {
        return new CommandInput.BareLineEnd();
      }
      if ((c >= 0 && c < ' ' && c != '\t') || c == 0x7f) {
        return new CommandInput.BadCharacters();
      }
      ascii &= c >= 0;
    }
    if (ascii) {
      return new CommandInput.Line(new String(buffer, position, end - position, ISO_8859_1));
    }
    try {
      ByteBuffer octets = ByteBuffer.wrap(buffer, position, end - position);
      return new CommandInput.Line(UTF_8.newDecoder().decode(octets).toString());
    } catch (CharacterCodingException e) {
      return new CommandInput.BadCharacters();
    }
  }

  /** Forgets up to so many of the octets that are in the buffer, and tells how many. */
  int skip(long octets) {
    int taken = (int) Math.min(octets, limit - position);
    position += taken;
    return taken;
  }
}
