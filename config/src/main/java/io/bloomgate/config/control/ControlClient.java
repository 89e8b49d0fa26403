package io.bloomgate.config.control;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Parsed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the gateway's control socket: request lines out, reply lines in, with a limit on
 * the gateway's silence. Java's Unix sockets have no timeouts, so a selector waits. Used by the
 * command line, the demo and tests; one thread.
 */
public final class ControlClient implements AutoCloseable {

  private static final int BUFFER_OCTETS = 16_384;

  private final Path socket;
  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final Duration silence;
  private final ByteBuffer input = ByteBuffer.allocate(BUFFER_OCTETS).flip();

  private ControlClient(
      Path socket, SocketChannel channel, Selector selector, SelectionKey key, Duration silence) {
    this.socket = socket;
    this.channel = channel;
    this.selector = selector;
    this.key = key;
    this.silence = silence;
  }

  /** An error in place of an answer: what is wrong and how to fix it. */
  public static final class ControlException extends IOException {

    private static final long serialVersionUID = 1L;

    /** The reason for which there is no answer. */
    public enum Kind {
      /** Nobody listens at the control socket. */
      NO_GATEWAY,
      /** The system forbids this user to connect. */
      FORBIDDEN,
      /** The request is longer than the protocol allows; nothing was sent. */
      TOO_LONG,
      /** The gateway was silent for too long, closed the connection, or is no gateway. */
      LOST
    }

    private final Kind kind;
    private final String problem;
    private final String hint;

    private ControlException(Kind kind, String problem, String hint, @Nullable Throwable cause) {
      super(problem + "; " + hint, cause);
      this.kind = kind;
      this.problem = problem;
      this.hint = hint;
    }

    /** The reason for which there is no answer. */
    public Kind kind() {
      return kind;
    }

    /** The problem, in one sentence. */
    public String problem() {
      return problem;
    }

    /** The advice on how to fix it. */
    public String hint() {
      return hint;
    }
  }

  /**
   * One whole answer.
   *
   * @param exitCode that of the last line
   * @param failure what is wrong and how to fix it, when the request failed; else empty
   */
  public record Answer(List<JsonObject> items, List<String> notes, int exitCode, String failure) {
    /** The item of an answer that has one; {@link IllegalStateException} for any other answer. */
    public JsonObject only() {
      if (items.size() != 1) {
        throw new IllegalStateException("one item was expected: " + this);
      }
      return items.getFirst();
    }

    /** The items as JSON, each on a line. */
    public String json() {
      return String.join("\n", items.stream().map(Json::write).toList());
    }

    /** True when a note or the failure contains this text. */
    public boolean says(String text) {
      return notes.stream().anyMatch(note -> note.contains(text)) || failure.contains(text);
    }
  }

  /** The replies to one request, of which some may come from another thread. */
  public static final class Collected {
    private final List<JsonObject> items = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int exitCode;
    private String failure = "";

    /** Takes one; true when it is the last. */
    public synchronized boolean take(ControlReply reply) {
      switch (reply) {
        case ControlReply.Item(JsonObject value) -> items.add(value);
        case ControlReply.Progress ignored -> {}
        case ControlReply.Note(String text) -> notes.add(text);
        case ControlReply.Done(int code) -> exitCode = code;
        case ControlReply.Failed(int code, String message, String hint) -> {
          exitCode = code;
          failure = message + "; " + hint;
        }
      }
      return reply instanceof ControlReply.End;
    }

    /** The whole answer, once the last was taken. */
    public synchronized Answer answer() {
      return new Answer(items, notes, exitCode, failure);
    }
  }

  /**
   * Connects.
   *
   * @param silence longest time without an octet from the gateway; zero waits for ever
   */
  public static ControlClient connect(Path socket, Duration silence) throws ControlException {
    SocketChannel channel = null;
    try {
      channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
      channel.configureBlocking(false);
      Selector selector = Selector.open();
      SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
      return new ControlClient(socket, channel, selector, key, silence);
    } catch (IOException e) {
      close(channel);
      throw unreachable(socket, e);
    }
  }

  /** One request on a new connection, with no limit on the time. */
  public static Answer ask(Path socket, ControlRequest request) throws IOException {
    try (ControlClient client = connect(socket, Duration.ZERO)) {
      return client.ask(request);
    }
  }

  private static void close(@Nullable SocketChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // Nothing was sent; the first failure is the one to report.
      }
    }
  }

  private static ControlException unreachable(Path socket, IOException e) {
    String reason = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (reason.contains("permission denied") || reason.contains("not permitted")) {
      return new ControlException(
          ControlException.Kind.FORBIDDEN,
          "you may not use the control socket " + socket,
          "become root or a member of its group",
          e);
    }
    return new ControlException(
        ControlException.Kind.NO_GATEWAY,
        "no gateway answers at " + socket,
        "start it with `systemctl start bloomgate` (`bloomgate run` where no unit is installed), or"
            + " name its socket with --socket",
        e);
  }

  /** Sends a request and collects its answer. */
  public Answer ask(ControlRequest request) throws ControlException {
    send(request);
    return answer();
  }

  /** Sends one request. */
  public void send(ControlRequest request) throws ControlException {
    sendLine(ControlCodec.encode(request));
  }

  /**
   * Sends a request that is JSON already.
   *
   * @param request one line without its LF
   */
  public void sendLine(String request) throws ControlException {
    byte[] line = (request + "\n").getBytes(StandardCharsets.UTF_8);
    if (line.length > ControlCodec.MAX_REQUEST_OCTETS) {
      throw new ControlException(
          ControlException.Kind.TOO_LONG,
          "the request is longer than " + ControlCodec.MAX_REQUEST_OCTETS + " octets",
          "give fewer subjects at a time, or use import",
          null);
    }
    ByteBuffer octets = ByteBuffer.wrap(line);
    try {
      while (octets.hasRemaining()) {
        if (channel.write(octets) == 0) {
          await(SelectionKey.OP_WRITE);
        }
      }
    } catch (IOException e) {
      throw lost(e);
    }
  }

  /** Collects the rest of an answer, up to its end. */
  public Answer answer() throws ControlException {
    Collected collected = new Collected();
    while (!collected.take(next())) {
      // Not the last one.
    }
    return collected.answer();
  }

  /** The next reply. */
  public ControlReply next() throws ControlException {
    try {
      Parsed<ControlReply> reply = ControlCodec.decodeReply(line());
      if (reply instanceof Parsed.Ok<ControlReply> ok) {
        return ok.value();
      }
      throw new ControlException(
          ControlException.Kind.LOST,
          "what answers at %s is not a gateway of this version (%s)"
              .formatted(socket, ((Parsed.Bad<ControlReply>) reply).reason()),
          "name the right socket with --socket",
          null);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    while (true) {
      int end = input.position();
      while (end < input.limit() && input.get(end) != '\n') {
        end++;
      }
      line.write(input.array(), input.position(), end - input.position());
      if (line.size() > ControlCodec.MAX_REPLY_OCTETS) {
        throw new IOException("a reply is longer than " + ControlCodec.MAX_REPLY_OCTETS);
      }
      if (end < input.limit()) {
        input.position(end + 1);
        return line.toString(StandardCharsets.UTF_8);
      }
      fill();
    }
  }

  private void fill() throws IOException {
    input.clear();
    int count = channel.read(input);
    if (count == 0) {
      await(SelectionKey.OP_READ);
      count = channel.read(input);
    }
    input.flip();
    if (count < 0) {
      throw new IOException("the connection was closed");
    }
  }

  private void await(int operation) throws IOException {
    key.interestOps(operation);
    selector.selectedKeys().clear();
    if (selector.select(silence.toMillis()) == 0) {
      throw new ControlException(
          ControlException.Kind.LOST,
          "the gateway at " + socket + " said nothing for " + silence.toSeconds() + " s",
          "look at its log, or wait longer with --timeout",
          null);
    }
  }

  private ControlException lost(IOException e) {
    return e instanceof ControlException known
        ? known
        : new ControlException(
            ControlException.Kind.LOST,
            "the gateway at " + socket + " ended the conversation early",
            "look at its log, and ask again whether it was done",
            e);
  }

  @Override
  public void close() {
    try (channel;
        selector) {
      key.cancel();
    } catch (IOException e) {
      // The answer is complete or its failure is reported; there is nothing to save.
    }
  }
}
