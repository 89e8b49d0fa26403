package io.bloomgate.gateway.relay;

import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.gateway.relay.RawReply.Step;
import io.bloomgate.gateway.relay.ReplyReader.MalformedReplyException;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.WatchedSocket;
import io.bloomgate.gateway.wire.tls.TlsContext;
import io.bloomgate.gateway.wire.tls.TlsSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.commons.net.DefaultSocketFactory;
import org.apache.commons.net.smtp.SMTPClient;
import org.jspecify.annotations.Nullable;

/**
 * The commons-net client as the relay needs it: a total time for each step, bounded replies, many
 * commands in one write, content as bytes.
 *
 * <p>commons-net connects; replies are read by {@link ReplyReader}. Greeted and ready for MAIL it
 * belongs to one {@link UpstreamDialog} or to {@link IdleConnections}, never to both, so one thread
 * at a time sees it.
 */
final class UpstreamClient extends SMTPClient implements OutgoingContent.Sink {

  /** Time that the 221 is awaited, or the last reply of a mail server that closed the client. */
  static final Duration LAST_REPLY = Duration.ofSeconds(2);

  /** Time that the rest of a TLS record is awaited whose first octets are here. */
  private static final Duration RECORD = Duration.ofMillis(20);

  private final WatchedSocket socket;
  private final TlsContext tls;
  private final Downstream settings;
  private final Function<Socket, byte[]> preface;
  private @Nullable TlsSocket encrypted;
  private @Nullable ReplyReader replies;
  private @Nullable RawReply last;
  private final long openedNanos;
  private UpstreamExtensions extensions = UpstreamExtensions.NONE;
  private List<String> xforward = List.of();
  private boolean namedByXclient;
  private int transactions;
  private long idleNanos;

  /**
   * @param preface octets to send on the connected socket before the greeting is awaited: a PROXY
   *     header, or none
   * @param openedNanos monotonic time of its making
   */
  UpstreamClient(
      WatchedSocket socket,
      TlsContext tls,
      Downstream settings,
      Function<Socket, byte[]> preface,
      long openedNanos) {
    this.socket = socket;
    this.tls = tls;
    this.settings = settings;
    this.preface = preface;
    this.openedNanos = openedNanos;
    setSocketFactory(new OneSocket(socket));
  }

  /** Connects to one of the host's addresses and reads the greeting. */
  void open(InetAddress address, Duration connectLimit) throws IOException {
    setConnectTimeout((int) Math.clamp(connectLimit.toMillis(), 1L, Integer.MAX_VALUE));
    connect(address, settings.port());
  }

  /** The greeting, or the newest reply. */
  RawReply lastReply() {
    RawReply reply = last;
    if (reply == null) {
      throw new IllegalStateException("no reply was read");
    }
    return reply;
  }

  /** The raw socket, below TLS. */
  WatchedSocket socket() {
    return socket;
  }

  /** Called by {@link #connect} on the connected socket. */
  @Override
  protected void _connectAction_() throws IOException {
    // Without this Nagle and delayed ACK cost 40 ms a message.
    socket.setTcpNoDelay(true);
    socket.begin(settings.greetingTimeout());
    byte[] octets = preface.apply(socket);
    if (octets.length > 0) {
      socket.getOutputStream().write(octets);
    }
    super._connectAction_();
  }

  /** Sends one command line and awaits its reply, each within {@code limit}. */
  RawReply command(Duration limit, String line) throws IOException {
    send(limit, line);
    return await(limit);
  }

  /** Sends command lines in one write (RFC 2920). */
  void send(Duration limit, String... lines) throws IOException {
    StringBuilder block = new StringBuilder();
    for (String line : lines) {
      block.append(requireOneLine(line)).append("\r\n");
    }
    write(limit, block.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Sends octets as they are. */
  void write(Duration limit, byte[] octets) throws IOException {
    write(limit, octets, 0, octets.length);
  }

  /** Sends octets as they are, in one write. */
  void write(Duration limit, byte[] octets, int offset, int length) throws IOException {
    socket.begin(limit);
    _output_.write(octets, offset, length);
    _output_.flush();
  }

  // ---- content

  @Override
  public void write(byte[] octets, int offset, int length) throws IOException {
    write(settings.contentTimeout(), octets, offset, length);
  }

  @Override
  public @Nullable Reply answered() throws IOException {
    if (!replyPending()) {
      return null;
    }
    RawReply raw = await(LAST_REPLY);
    return raw.earlyRefusal()
        .orElseThrow(() ->
            new MalformedReplyException(
                "mail server answered inside the content with " + raw.forLog()));
  }

  @Override
  public Reply lastWord(IOException writeFailure) throws IOException {
    try {
      Optional<Reply> refusal = await(LAST_REPLY).earlyRefusal();
      if (refusal.isPresent()) {
        return refusal.get();
      }
    } catch (IOException e) {
      writeFailure.addSuppressed(e);
    }
    throw writeFailure;
  }

  // ---- replies

  /** Awaits one reply within {@code limit}. */
  RawReply await(Duration limit) throws IOException {
    socket.begin(limit);
    getReply();
    return lastReply();
  }

  /**
   * STARTTLS and the handshake (RFC 3207).
   *
   * @return the mail server's reply; after 220 the connection is encrypted
   */
  RawReply startTls(Duration limit) throws IOException {
    RawReply reply = command(limit, "STARTTLS");
    if (reply.code() / 100 == 2) {
      if (reader().buffered()) {
        // It does not come from the peer of the handshake (RFC 3207 section 4.2, CVE-2011-0411).
        throw new MalformedReplyException("plain text behind the reply to STARTTLS");
      }
      TlsSocket over = tls.over(socket, settings.host());
      over.handshake();
      encrypted = over;
      _socket_ = over;
      _input_ = over.getInputStream();
      _output_ = over.getOutputStream();
      replies = new ReplyReader(_input_);
    }
    return reply;
  }

  /**
   * True when the mail server has sent something without a command. Under TLS it is decrypted
   * first, because a record need not be a reply.
   *
   * @throws IOException it has closed the connection
   */
  boolean replyPending() throws IOException {
    ReplyReader current = reader();
    if (current.pending()) {
      return true;
    }
    if (encrypted == null || !socket.octetsPending()) {
      return false;
    }
    socket.begin(RECORD);
    return current.poll();
  }

  /**
   * Asked before a message begins: a second reply to the one before would be taken for the answer.
   *
   * @throws IOException a reply is there that no command asked for, or the connection is closed
   */
  void requireQuiet() throws IOException {
    if (replyPending()) {
      throw new MalformedReplyException("a reply that no command asked for");
    }
  }

  /** Reads by {@link ReplyReader}; commons-net calls it for the greeting. */
  @Override
  public int getReply() throws IOException {
    RawReply reply = reader().read();
    last = reply;
    return reply.code();
  }

  /** Says QUIT, awaits the answer for a moment, closes. */
  void quitAndClose(Duration limit) {
    try {
      command(limit, "QUIT");
      _socket_.close();
    } catch (IOException e) {
      // The mail server need not answer any more.
    } finally {
      abandon();
    }
  }

  /** Says QUIT and does not wait for the answer. */
  void sayQuit() throws IOException {
    send(LAST_REPLY, "QUIT");
  }

  /** Closes without QUIT. */
  void abandon() {
    if (encrypted != null) {
      encrypted.abandon();
    }
    socket.closeQuietly();
  }

  // ---- what is remembered of it from one client to the next

  UpstreamExtensions extensions() {
    return extensions;
  }

  List<String> xforward() {
    return xforward;
  }

  long openedNanos() {
    return openedNanos;
  }

  /**
   * It carries the identity of this client from now on.
   *
   * @param offered what the server offers to it
   * @param xclient true when the server took XCLIENT
   * @param xforwardOfClient commands to send before each MAIL
   */
  void speaksFor(UpstreamExtensions offered, boolean xclient, List<String> xforwardOfClient) {
    extensions = offered;
    namedByXclient |= xclient;
    xforward = List.copyOf(xforwardOfClient);
  }

  /** True when XCLIENT was sent on it: only another XCLIENT gives it to another client. */
  boolean namedByXclient() {
    return namedByXclient;
  }

  /**
   * MAIL alone, to see whether the server accepts mail at all; any answer about the mail itself is
   * a success. Leaves a transaction that QUIT or RSET must end.
   *
   * @param timeout for the answer
   */
  void probe(Duration timeout) throws UpstreamException {
    try {
      var _ = command(timeout, "MAIL FROM:<>").forClient(Step.MAIL);
    } catch (IOException e) {
      throw UpstreamException.of(e, "MAIL");
    }
  }

  /** MAIL is about to be sent. */
  void beginTransaction() {
    transactions++;
  }

  /** Waits for another client from this monotonic time on. */
  void idleFrom(long nanos) {
    idleNanos = nanos;
  }

  /** Returns the time since which it waits. */
  long idleNanos() {
    return idleNanos;
  }

  /** Returns the number of times that MAIL was sent on it, for all clients. */
  int transactions() {
    return transactions;
  }

  // ---- inside

  private ReplyReader reader() {
    ReplyReader current = replies;
    if (current == null) {
      current = new ReplyReader(_input_);
      replies = current;
    }
    return current;
  }

  /** A line end inside an argument would be a second command. */
  private static String requireOneLine(String line) {
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c < ' ' || c == 0x7f) {
        throw new IllegalArgumentException("control character in an SMTP command");
      }
    }
    return line;
  }

  /** Hands commons-net the one socket that was made for this connection. */
  private static final class OneSocket extends DefaultSocketFactory {
    private final Socket socket;

    OneSocket(Socket socket) {
      this.socket = socket;
    }

    @Override
    public Socket createSocket() {
      return socket;
    }
  }
}
