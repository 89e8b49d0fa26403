package io.bloomgate.gateway.wire.tls;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * TLS over a connection. All engines work alike here, and a session that waits holds no buffers:
 * octets are encrypted and decrypted in {@link Room}s that all sessions share.
 *
 * <pre>
 *   network --> sealed (until a record is whole) --> engine --> text (what the reader left) --> reader
 * </pre>
 *
 * <p>How long a read or write may wait is up to the socket below. Used by one session's thread.
 */
public final class TlsSocket extends Socket {

  private static final int MAX_TEXT_OCTETS = 16 * 1024;

  private static final byte[] NOTHING = {};

  /**
   * A place where one record is decrypted or encrypted; outside Java's heap, where a native engine
   * works.
   */
  private record Room(ByteBuffer sealed, ByteBuffer text) implements AutoCloseable {

    /** There are as many as threads worked at the same time; none of them waits meanwhile. */
    private static final ConcurrentLinkedDeque<Room> FREE = new ConcurrentLinkedDeque<>();

    static Room take() {
      Room room = FREE.poll();
      return room == null
          ? new Room(
              ByteBuffer.allocateDirect(SealedRecords.MAX_OCTETS),
              ByteBuffer.allocateDirect(SealedRecords.MAX_OCTETS))
          : room;
    }

    @Override
    public void close() {
      sealed.clear();
      text.clear();
      FREE.push(this);
    }
  }

  private final Socket plain;
  private final SSLEngine engine;
  private final Runnable release;
  private final boolean lags;
  private final Input input = new Input();
  private final Output output = new Output();

  private final SealedRecords sealed = new SealedRecords();
  private byte[] text = NOTHING;
  private int textFrom;

  private TlsRecords records = new TlsRecords();
  private boolean established;
  private boolean ended;
  private boolean closed;

  /**
   * Makes the socket; no octet is read or written yet.
   *
   * @param plain connected, and nobody else reads or writes it from now on
   * @param release gives back what the engine holds outside Java's heap
   * @param lags true for the native engine, which takes one more step to end a handshake
   */
  TlsSocket(Socket plain, SSLEngine engine, Runnable release, boolean lags) {
    this.plain = plain;
    this.engine = engine;
    this.release = release;
    this.lags = lags;
  }

  /**
   * Runs the whole handshake.
   *
   * @throws IOException when it fails; the reason has been sent to the peer, and nothing of the
   *     engine is left
   */
  public void handshake() throws IOException {
    try {
      engine.beginHandshake();
      shakeHands();
      if (lags) {
        seal(NOTHING, 0, 0);
      }
      if (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
        throw new SSLException("the handshake did not end");
      }
      established = true;
      records = new TlsRecords(); // those of the handshake brought something
    } catch (SSLException e) {
      tellWhy();
      throw e;
    } finally {
      if (!established) {
        abandon();
      }
    }
  }

  private void shakeHands() throws IOException {
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> runTasks();
        case NEED_WRAP -> {
          if (!speaks()) {
            return;
          }
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (needsMore() && open(NOTHING, 0, 0) < 0) {
            throw new EOFException("the peer closed the connection during the handshake");
          }
        }
        case NOT_HANDSHAKING, FINISHED -> {
          return;
        }
      }
    }
  }

  /** The native engine finds out at its next step only that the last record ended a handshake. */
  private boolean needsMore() throws IOException {
    if (!lags || sealed.whole() > 0) {
      return true;
    }
    seal(NOTHING, 0, 0);
    return engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP;
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask(); task != null; ) {
      task.run();
      task = engine.getDelegatedTask();
    }
  }

  /** Sends what the engine has to say; false when it says nothing and yet wants to. */
  private boolean speaks() throws IOException {
    return seal(NOTHING, 0, 0) > 0 || engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP;
  }

  /** Sends the alert that the engine has made of its error, RFC 8446 section 6.2. */
  private void tellWhy() {
    try {
      boolean more = true;
      while (more && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        more = speaks();
      }
    } catch (IOException e) {
      // The first error is the one to report.
    }
  }

  // ---- from the peer

  /**
   * Decrypts the next record, and waits for it.
   *
   * @return octets put into the array; 0 for a record that brought none; -1 at the end
   */
  private int open(byte[] into, int offset, int length) throws IOException {
    while (!ended) {
      int whole = sealed.whole();
      if (whole > 0) {
        int octets = unwrap(whole, into, offset, length);
        if (octets != UNDERFLOW) {
          return octets;
        }
      }
      ended = !sealed.fill(plain.getInputStream(), length);
    }
    return -1;
  }

  private static final int UNDERFLOW = -2;

  private int unwrap(int whole, byte[] into, int offset, int length) throws IOException {
    SSLEngineResult result;
    int given;
    try (Room room = Room.take()) {
      sealed.copy(whole, room.sealed());
      result = engine.unwrap(room.sealed().flip(), room.text());
      sealed.consume(result.bytesConsumed());
      ByteBuffer opened = room.text().flip();
      given = Math.min(length, opened.remaining());
      opened.get(into, offset, given);
      if (opened.hasRemaining()) {
        text = new byte[opened.remaining()];
        textFrom = 0;
        opened.get(text);
      }
    } catch (SSLException e) {
      throw TlsRecords.isTooMany(e) ? new TlsRecords.TooManyException() : e;
    }
    if (result.getStatus() == Status.BUFFER_UNDERFLOW && result.bytesConsumed() == 0) {
      return UNDERFLOW;
    }
    return switch (result.getStatus()) {
      case BUFFER_OVERFLOW -> throw new SSLException("a record is longer than TLS allows");
      case CLOSED -> {
        ended = true;
        yield -1;
      }
      case OK, BUFFER_UNDERFLOW -> {
        counted(result);
        yield given;
      }
    };
  }

  private void counted(SSLEngineResult result) throws IOException {
    if (result.bytesProduced() > 0) {
      records.text();
    } else if (result.bytesConsumed() > 0) {
      records.nothing(result.bytesConsumed());
    }
    HandshakeStatus status = result.getHandshakeStatus();
    if (established
        && status != HandshakeStatus.NOT_HANDSHAKING
        && status != HandshakeStatus.FINISHED) {
      afterHandshake(result.bytesConsumed());
    }
  }

  /** The engine wants to speak although nobody has written: an answer to new keys, or an alert. */
  private void afterHandshake(int consumed) throws IOException {
    // A client could begin another handshake at any octet of TLS 1.2 (RFC 9325 section 3.5), which
    // the native engine refuses; TLS 1.3 has none.
    if (!lags && !engine.getSession().getProtocol().equals("TLSv1.3")) {
      throw new SSLException("renegotiation is not allowed");
    }
    if (seal(NOTHING, 0, 0) == 0 && consumed == 0) {
      throw new SSLException("TLS cannot go on");
    }
  }

  private int textOctets() {
    return text.length - textFrom;
  }

  private int takeText(byte[] into, int offset, int length) {
    int octets = Math.min(length, textOctets());
    System.arraycopy(text, textFrom, into, offset, octets);
    textFrom += octets;
    if (textOctets() == 0) {
      text = NOTHING;
      textFrom = 0;
    }
    return octets;
  }

  private final class Input extends InputStream {

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      int octets = textOctets() > 0 ? takeText(into, offset, length) : 0;
      while (octets == 0) {
        octets = open(into, offset, length);
      }
      return octets;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** Counts what can be read at once, of records that are here whole; does not wait. */
    @Override
    public int available() throws IOException {
      while (textOctets() == 0 && !ended && sealed.whole() > 0) {
        if (unwrap(sealed.whole(), NOTHING, 0, 0) == UNDERFLOW) {
          break;
        }
      }
      return textOctets();
    }

    @Override
    public void close() throws IOException {
      TlsSocket.this.close();
    }
  }

  // ---- to the peer

  /**
   * Encrypts the octets, or what the engine has to say without any, and writes them.
   *
   * @return octets written
   */
  private int seal(byte[] octets, int offset, int length) throws IOException {
    int written = 0;
    int from = offset;
    int end = offset + length;
    do {
      byte[] record;
      try (Room room = Room.take()) {
        ByteBuffer part =
            room.text().put(octets, from, Math.min(end - from, MAX_TEXT_OCTETS)).flip();
        SSLEngineResult result = engine.wrap(part, room.sealed());
        record = new byte[result.bytesProduced()];
        room.sealed().flip().get(record);
        from += result.bytesConsumed();
        if (from < end && record.length == 0) {
          throw new SocketException("TLS has ended");
        }
      }
      if (record.length > 0) {
        plain.getOutputStream().write(record);
        written += record.length;
      }
    } while (from < end);
    return written;
  }

  private final class Output extends OutputStream {

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      if (length > 0) {
        seal(octets, offset, length);
      }
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void close() throws IOException {
      TlsSocket.this.close();
    }
  }

  // ---- the socket

  @Override
  public InputStream getInputStream() {
    return input;
  }

  @Override
  public OutputStream getOutputStream() {
    return output;
  }

  /** Closes with a closing alert (RFC 8446 section 6.1), without waiting for that of the peer. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (plain) {
      if (established && !plain.isClosed()) {
        engine.closeOutbound();
        seal(NOTHING, 0, 0);
      }
    } catch (IOException e) {
      // The peer is gone, or does not read: it needs no alert.
    } finally {
      release.run();
    }
  }

  /** Gives back what the engine holds, without a word to the peer. */
  public void abandon() {
    if (!closed) {
      closed = true;
      release.run();
    }
  }
}
