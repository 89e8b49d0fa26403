package io.bloomgate.it;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One request to a gateway's control socket and its whole answer.
 *
 * @param items the objects of the answer, as JSON
 */
record ControlExchange(int exitCode, List<String> items) {

  static ControlExchange of(Path socket, ControlRequest request) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(
          ByteBuffer.wrap((ControlCodec.encode(request) + "\n").getBytes(StandardCharsets.UTF_8)));
      return read(new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException("control socket " + socket, e);
    }
  }

  private static ControlExchange read(BufferedReader lines) throws IOException {
    List<String> items = new ArrayList<>();
    while (true) {
      String line = lines.readLine();
      if (line == null) {
        throw new EOFException("the answer has no end: " + items);
      }
      switch (ControlCodec.decodeReply(line)) {
        case ControlCodec.DecodedReply.Malformed(String message) ->
            throw new IOException(message + ": " + line);
        case ControlCodec.DecodedReply.Reply(ControlReply reply) -> {
          switch (reply) {
            case ControlReply.Item item -> items.add(line);
            case ControlReply.Progress progress -> {}
            case ControlReply.Note note -> {}
            case ControlReply.Done done -> {
              return new ControlExchange(done.exitCode(), List.copyOf(items));
            }
            case ControlReply.Failed failed ->
                throw new IOException("exit " + failed.exitCode() + ": " + failed.message());
          }
        }
      }
    }
  }
}
