package io.bloomgate.cli;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlCodec.DecodedReply;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
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
import java.util.Locale;

/**
 * A connection to the gateway's control socket: request lines out, reply lines in, with a bound on
 * the gateway's silence. Java's Unix sockets have no timeouts, so a selector waits. One thread.
 */
final class ControlClient implements AutoCloseable {

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

  /**
   * Connects.
   *
   * @param silence longest time without an octet from the gateway; zero waits for ever
   * @throws CliException exit 3 when nobody listens there, 5 when the system forbids it
   */
  static ControlClient connect(Path socket, Duration silence) throws CliException {
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

  private static void close(@org.jspecify.annotations.Nullable SocketChannel channel) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // Nothing was sent; the first failure is the one to tell.
      }
    }
  }

  private static CliException unreachable(Path socket, IOException e) {
    String reason = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (reason.contains("permission denied") || reason.contains("not permitted")) {
      return new CliException(
          ExitCode.PERMISSION,
          "you may not use the control socket " + socket,
          "become root or a member of its group",
          e);
    }
    return new CliException(
        CliException.Kind.NO_GATEWAY,
        ExitCode.UNREACHABLE,
        "no gateway answers at " + socket,
        "start it with `bloomgate run`, or name its socket with --socket",
        e);
  }

  /** Sends one request. */
  void send(ControlRequest request) throws CliException {
    byte[] line = (ControlCodec.encode(request) + "\n").getBytes(StandardCharsets.UTF_8);
    if (line.length > ControlCodec.MAX_REQUEST_OCTETS) {
      throw new CliException(
          ExitCode.USAGE,
          "the request is longer than " + ControlCodec.MAX_REQUEST_OCTETS + " octets",
          "give fewer subjects at a time, or use import");
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

  /** The next reply. */
  ControlReply next() throws CliException {
    try {
      return switch (ControlCodec.decodeReply(line())) {
        case DecodedReply.Reply(ControlReply reply) -> reply;
        case DecodedReply.Malformed(String message) ->
            throw new CliException(
                ExitCode.UNREACHABLE,
                "what answers at " + socket + " is no gateway of this version (" + message + ")",
                "name the right socket with --socket");
      };
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private String line() throws IOException, CliException {
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

  private void fill() throws IOException, CliException {
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

  private void await(int operation) throws IOException, CliException {
    key.interestOps(operation);
    selector.selectedKeys().clear();
    if (selector.select(silence.toMillis()) == 0) {
      throw new CliException(
          ExitCode.UNREACHABLE,
          "the gateway at " + socket + " said nothing for " + silence.toSeconds() + " s",
          "look at its log, or wait longer with --timeout");
    }
  }

  private CliException lost(IOException e) {
    return new CliException(
        ExitCode.UNREACHABLE,
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
      // The answer is complete or its failure told; there is nothing to save.
    }
  }
}
