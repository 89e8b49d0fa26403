package io.bloomgate.gateway.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.CommandInput;
import io.bloomgate.gateway.wire.ClientWire.ClientGone;
import io.bloomgate.gateway.wire.ClientWire.ClientTimeout;
import io.bloomgate.gateway.wire.tls.TlsRecords;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/**
 * The one reader of a connection: commands, content and PROXY header come out of the same buffer,
 * so no octet is ever seen twice or lost between two readers. Every wait has a deadline; before a
 * wait the replies that gathered are sent. Used by one session's thread.
 */
public final class WireReader {

  /**
   * A listener that lets others use the things of a session while it waits. Called on the session's
   * thread, before and after each wait.
   */
  public interface WaitListener {

    /** A listener that lets others do nothing. */
    WaitListener NOTHING = new WaitListener() {};

    /** Lets others use them until {@link #waitEnds}. Must not throw. */
    default void waitBegins() {}

    /** The session goes on, with what is left of them. Must not throw. */
    default void waitEnds() {}
  }

  /** The size of the buffer for commands: little for a client that sends nothing. */
  private static final int COMMAND_OCTETS = 1024;

  /** Larger ones cost more by falling out of the processor's caches than they save in reads. */
  private static final int CONTENT_OCTETS = 8 * 1024;

  private static final int MAX_OCTETS = 128 * 1024;

  private final WatchedSocket socket;
  private final InputStream in;
  private final ClientWire wire;
  private byte[] buffer = new byte[COMMAND_OCTETS];

  /** The buffer is the room that {@link #expectContent} was given. */
  private boolean borrowed;

  private int position;
  private int limit;
  private boolean content;
  private WaitListener waits = WaitListener.NOTHING;

  /**
   * Makes the reader of one connection.
   *
   * @param socket whose deadline is set before each read; the plain one under TLS
   * @param in where the octets come from: the socket, or TLS over it
   * @param wire flushed before each wait
   */
  WireReader(WatchedSocket socket, InputStream in, ClientWire wire) {
    this.socket = socket;
    this.in = in;
    this.wire = wire;
  }

  /** Reports each wait from here on to this one. */
  public void reportWaits(WaitListener to) {
    waits = to;
  }

  // ---- the buffer, for the scanners of content and PROXY header

  /** Holds the unread octets from {@link #position} to {@link #limit}. */
  public byte[] buffer() {
    return buffer;
  }

  public int position() {
    return position;
  }

  int limit() {
    return limit;
  }

  /** Octets in the buffer that were not read yet. */
  public int buffered() {
    return limit - position;
  }

  /** Everything before this index has been read. */
  public void consumeTo(int index) {
    position = index;
  }

  /** Takes all octets out of the buffer that were not read yet. */
  public byte[] takeBuffered() {
    byte[] rest = Arrays.copyOfRange(buffer, position, limit);
    position = limit;
    return rest;
  }

  /** True when input is there already, in the buffer or in the socket. */
  public boolean hasPending() throws IOException {
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
  public int fill(Deadline deadline) throws IOException {
    wire.flush();
    makeRoom();
    socket.until(deadline.nanos());
    return read(deadline);
  }

  /** True when something comes; false when the deadline passes, which ends nothing. */
  public boolean comesBefore(Deadline deadline) throws IOException {
    wire.flush();
    makeRoom();
    socket.pauseUntil(deadline.nanos());
    try {
      read(deadline);
      return true;
    } catch (ClientTimeout silent) {
      return false;
    }
  }

  private int read(Deadline deadline) throws IOException {
    int octets = readOnce(deadline);
    if (octets < 0) {
      throw new ClientGone("end of input");
    }
    limit += octets;
    return octets;
  }

  private int readOnce(Deadline deadline) throws IOException {
    waits.waitBegins();
    try {
      return in.read(buffer, limit, buffer.length - limit);
    } catch (TlsRecords.TooManyException e) {
      throw new ClientTimeout(Limit.TLS_RECORDS);
    } catch (SocketTimeoutException e) {
      throw new ClientTimeout(socket.endedFor(deadline.limit()));
    } catch (IOException e) {
      throw new ClientGone(String.valueOf(e.getMessage()));
    } finally {
      waits.waitEnds();
    }
  }

  private void makeRoom() {
    if (!content) {
      shrink();
    }
    if (position > 0) {
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

  /**
   * Content follows.
   *
   * @param room where it is read into, until {@link #expectCommands}: a message begins with what
   *     another has given back, which is in the processor's caches
   */
  public void expectContent(byte[] room) {
    content = true;
    if (buffer.length < room.length) {
      moveTo(room);
      borrowed = true;
    }
  }

  /**
   * Content is over, and the room for it is no longer used; a larger buffer goes when it is empty.
   */
  public void expectCommands() {
    content = false;
    if (borrowed) {
      resize(position == limit ? COMMAND_OCTETS : buffer.length);
    }
    shrink();
  }

  private void shrink() {
    if (buffer.length > COMMAND_OCTETS && position == limit) {
      resize(COMMAND_OCTETS);
    } else if (buffer.length > CONTENT_OCTETS && limit - position <= CONTENT_OCTETS / 2) {
      resize(CONTENT_OCTETS);
    }
  }

  private void resize(int size) {
    moveTo(new byte[size]);
  }

  private void moveTo(byte[] other) {
    System.arraycopy(buffer, position, other, 0, limit - position);
    limit -= position;
    position = 0;
    buffer = other;
    borrowed = false;
  }

  // ---- command lines

  /** Waits until an octet is there. */
  public void awaitInput(Deadline deadline) throws IOException {
    if (position == limit) {
      fill(deadline);
    }
  }

  /**
   * Reads one command line, up to its CRLF. A lone LF or CR ends no line (RFC 5321 section 2.3.8),
   * so what follows one is never run as a command.
   *
   * @param deadline of the whole line
   * @param maxOctets {@code command_line_length}, CRLF included (RFC 5321 section 4.5.3.1.4)
   */
  public CommandInput readLine(Deadline deadline, int maxOctets) throws IOException {
    int scanned = 0;
    while (true) {
      int end = indexOfLineEnd(position + scanned);
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

  /** Index of the LF of the first CRLF whose LF is not before {@code from}; -1 for none. */
  private int indexOfLineEnd(int from) {
    for (int i = from; i < limit; i++) {
      if (buffer[i] == '\n' && i > position && buffer[i - 1] == '\r') {
        return i;
      }
    }
    return -1;
  }

  private void skipLine(Deadline deadline) throws IOException {
    int end = indexOfLineEnd(position);
    while (end < 0) {
      // A CR at the end stays: the LF that makes it a line end may come next.
      boolean half = limit > position && buffer[limit - 1] == '\r';
      position = half ? limit - 1 : limit;
      fill(deadline);
      end = indexOfLineEnd(position);
    }
    position = end + 1;
  }

  private CommandInput lineUpTo(int lf) {
    int end = lf - 1;
    boolean ascii = true;
    for (int i = position; i < end; i++) {
      int c = buffer[i];
      if (c == '\r' || c == '\n') {
        return new CommandInput.BareLineEnd();
      }
      if ((c >= 0 && c < ' ' && c != '\t') || c == 0x7f) {
        return new CommandInput.BadCharacters();
      }
      ascii &= c >= 0;
    }
    String octets = new String(buffer, position, end - position, ISO_8859_1);
    if (ascii) {
      return CommandInput.Line.parse(octets);
    }
    try {
      ByteBuffer line = ByteBuffer.wrap(buffer, position, end - position);
      return CommandInput.Line.parse(UTF_8.newDecoder().decode(line).toString());
    } catch (CharacterCodingException e) {
      return new CommandInput.NotUtf8(CommandInput.Line.parse(octets));
    }
  }

  /** Drops octets that are in the buffer, at most this many, and returns how many. */
  public int skip(long octets) {
    int taken = (int) Math.min(octets, limit - position);
    position += taken;
    return taken;
  }
}
