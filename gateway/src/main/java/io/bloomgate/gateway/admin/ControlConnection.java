package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Role;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One control connection: request lines in, answer lines out, until the client closes it.
 *
 * <p>Runs on its own thread; {@link #closeIfOverdue} is called by the housekeeping, because Unix
 * sockets have no timeouts of their own in Java.
 */
final class ControlConnection {

  private static final Logger LOG = LoggerFactory.getLogger(ControlConnection.class);

  /** The longest silence while a request is awaited or an answer is not read. */
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private static final int BUFFER_OCTETS = 16_384;

  /** The one that has waited longest first; readings of a monotonic clock may overflow. */
  static final Comparator<ControlConnection> BY_PATIENCE =
      (a, b) -> Long.signum(a.deadline - b.deadline);

  private final SocketChannel channel;
  private final Function<SocketChannel, Caller> roles;
  private final RequestHandler conversation;
  private final LongSupplier nanoTime;
  private final ByteBuffer input = ByteBuffer.allocate(BUFFER_OCTETS).flip();
  private volatile long deadline;
  private volatile boolean limited;
  private volatile boolean idle = true;

  /** A connection that was accepted. */
  ControlConnection(
      SocketChannel channel,
      Function<SocketChannel, Caller> roles,
      RequestHandler conversation,
      LongSupplier nanoTime) {
    this.channel = channel;
    this.roles = roles;
    this.conversation = conversation;
    this.nanoTime = nanoTime;
    waitingBegins();
  }

  /** Serves until the client closes, is too slow or sends something that is not a line. */
  void run() {
    try {
      limited = false; // to close it would wait for the directory of users
      Caller caller = roles.apply(channel);
      if (caller.role() == Role.NONE) {
        refuse();
        return;
      }
      for (Optional<String> line = readLine(); line.isPresent(); line = readLine()) {
        switch (ControlCodec.decodeRequest(line.get())) {
          case Parsed.Bad<ControlRequest>(String message) ->
              send(
                  List.of(
                      new Failed(
                          ReplySender.USAGE, message, "use the `bloomgate` of the same release")));
          case Parsed.Ok<ControlRequest>(ControlRequest request, var _) -> answer(request, caller);
        }
      }
    } catch (RequestTooLongException e) {
      turnAway(
          "a request has at most " + ControlCodec.MAX_REQUEST_OCTETS + " octets",
          "split it into several requests");
    } catch (IOException e) {
      LOG.debug("control connection ended: {}", e.toString());
    } finally {
      close();
    }
  }

  /** Refuses and closes; used instead of {@link #run}. */
  void turnAway(String message, String hint) {
    try (channel) {
      send(List.of(new Failed(ReplySender.NO, message, hint)));
    } catch (IOException e) {
      LOG.debug("control connection ended: {}", e.toString());
    }
  }

  private void answer(ControlRequest request, Caller caller) throws IOException {
    idle = false;
    conversation.answer(request, caller, this::send);
  }

  /** True while no request is at work, so that another client may have the place. */
  boolean idle() {
    return idle && channel.isOpen();
  }

  void closeIfOverdue(long now) {
    if (limited && now - deadline > 0) {
      close();
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing a control connection", e);
    }
  }

  /** Answers whatever is asked, and reads no more of it than lets the client read the answer. */
  private void refuse() throws IOException {
    send(
        List.of(
            new Failed(
                ReplySender.PERMISSION,
                "you are in no group that may ask this gateway",
                "become root, or a member of admin.read_group of its settings")));
    channel.shutdownOutput();
    waitingBegins();
    for (int read = 0; read >= 0 && read < ControlCodec.MAX_REQUEST_OCTETS; ) {
      input.clear();
      int count = channel.read(input);
      read = count < 0 ? count : read + count;
    }
  }

  /** The next line without its line feed; empty at the end of the stream. */
  private Optional<String> readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    waitingBegins();
    idle = true;
    while (true) {
      while (input.hasRemaining()) {
        byte octet = input.get();
        if (octet == '\n') {
          limited = false;
          return Optional.of(line.toString(StandardCharsets.UTF_8));
        }
        if (line.size() + 1 >= ControlCodec.MAX_REQUEST_OCTETS) {
          throw new RequestTooLongException();
        }
        line.write(octet);
      }
      input.clear();
      int count = channel.read(input);
      input.flip();
      if (count < 0) {
        return Optional.empty(); // a line without a line feed is not complete
      }
    }
  }

  private void send(List<? extends ControlReply> replies) throws IOException {
    String lines =
        replies.stream()
            .map(reply -> ControlCodec.encode(reply) + "\n")
            .collect(Collectors.joining());
    ByteBuffer octets = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
    waitingBegins();
    while (octets.hasRemaining()) {
      channel.write(octets);
    }
    limited = false;
  }

  private void waitingBegins() {
    deadline = nanoTime.getAsLong() + PATIENCE_NANOS;
    limited = true;
  }

  /** The request line exceeds {@link ControlCodec#MAX_REQUEST_OCTETS}. */
  private static final class RequestTooLongException extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
