package io.bloomgate.gateway;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Gives commands to a gateway under test, one connection each. */
final class ControlClient {

  private final Path socket;

  ControlClient(Path socket) {
    this.socket = socket;
  }

  /** All that came back; {@code exitCode} is that of the last line. */
  record Answer(List<JsonObject> items, List<String> notes, int exitCode, String failure) {
    JsonObject only() {
      if (items.size() != 1) {
        throw new AssertionError("one item was expected: " + this);
      }
      return items.getFirst();
    }

    boolean says(String text) {
      return notes.stream().anyMatch(note -> note.contains(text)) || failure.contains(text);
    }
  }

  Answer ask(ControlRequest request) throws IOException {
    return askRaw(ControlCodec.encode(request));
  }

  Answer askRaw(String request) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer octets = ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8));
      while (octets.hasRemaining()) {
        channel.write(octets);
      }
      return read(new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)));
    }
  }

  private static Answer read(BufferedReader in) throws IOException {
    List<JsonObject> items = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    while (true) {
      String line = String.valueOf(in.readLine());
      if (!(ControlCodec.decodeReply(line)
          instanceof ControlCodec.DecodedReply.Reply(ControlReply reply))) {
        throw new AssertionError("no reply: " + line);
      }
      switch (reply) {
        case ControlReply.Item(JsonObject value) -> items.add(value);
        case ControlReply.Note(String text) -> notes.add(text);
        case ControlReply.Progress ignored -> {}
        case ControlReply.Done(int exitCode) -> {
          return new Answer(items, notes, exitCode, "");
        }
        case ControlReply.Failed(int exitCode, String message, String hint) -> {
          return new Answer(items, notes, exitCode, message + "; " + hint);
        }
      }
    }
  }
}
