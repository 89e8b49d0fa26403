package io.bloomgate.gateway.demo;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives the demo's commands over the control socket, as the command line would. Used by {@link
 * Demo} on its thread.
 */
final class DemoControl implements AutoCloseable {

  private final SocketChannel channel;
  private final BufferedReader answers;

  DemoControl(Path socket) throws IOException {
    this.channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    this.answers = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
  }

  /** Loads every feed; returns when the new generation is live. */
  void refreshAll() throws IOException {
    ask(new ControlRequest.FeedsRefresh(List.of(), true, false));
  }

  /** {@code allow add}. */
  void allow(String subject, @Nullable String from, String reason) throws IOException {
    ask(
        new ListAdd(
            ListName.ALLOW, List.of(subject), null, from, null, reason, null, false, false));
  }

  /** {@code explain} for the client of a mail. */
  JsonObject explain(DemoMail mail) throws IOException {
    List<JsonObject> items =
        ask(new ControlRequest.Explain(mail.client(), mail.helo(), mail.from(), null, mail.to()));
    if (items.isEmpty()) {
      throw new IOException("explain gave no answer");
    }
    return items.getFirst();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private List<JsonObject> ask(ControlRequest request) throws IOException {
    ByteBuffer line =
        ByteBuffer.wrap((ControlCodec.encode(request) + "\n").getBytes(StandardCharsets.UTF_8));
    while (line.hasRemaining()) {
      channel.write(line);
    }
    List<JsonObject> items = new ArrayList<>();
    while (true) {
      switch (next()) {
        case ControlReply.Item(JsonObject value) -> items.add(value);
        case ControlReply.Progress ignored -> {}
        case ControlReply.Note ignored -> {}
        case ControlReply.Done ignored -> {
          return items;
        }
        case ControlReply.Failed(int ignored, String message, String hint) ->
            throw new IOException(message + "; " + hint);
      }
    }
  }

  private ControlReply next() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new EOFException("the gateway closed the control connection");
    }
    return switch (ControlCodec.decodeReply(line)) {
      case ControlCodec.DecodedReply.Reply(ControlReply reply) -> reply;
      case ControlCodec.DecodedReply.Malformed(String message) -> throw new IOException(message);
    };
  }
}
