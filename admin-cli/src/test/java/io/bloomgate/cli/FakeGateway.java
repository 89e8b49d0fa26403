package io.bloomgate.cli;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Parsed;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A control socket that answers from a script and remembers what it was asked. */
public final class FakeGateway implements AutoCloseable {

  private final ServerSocketChannel server;
  private final Function<ControlRequest, List<String>> script;
  private final List<ControlRequest> asked = new CopyOnWriteArrayList<>();
  private final boolean hangUp;

  private FakeGateway(Path socket, Function<ControlRequest, List<String>> script, boolean hangUp)
      throws IOException {
    this.script = script;
    this.hangUp = hangUp;
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofVirtual().start(this::acceptAll);
  }

  /** Answers every request with these replies. */
  public static FakeGateway answering(Path socket, ControlReply... replies) throws IOException {
    List<String> lines = List.of(replies).stream().map(ControlCodec::encode).toList();
    return new FakeGateway(socket, request -> lines, false);
  }

  /** Answers with raw lines and then closes the connection. */
  static FakeGateway raw(Path socket, String... lines) throws IOException {
    return new FakeGateway(socket, request -> List.of(lines), true);
  }

  /** Answers as the function says. */
  static FakeGateway scripted(Path socket, Function<ControlRequest, List<ControlReply>> script)
      throws IOException {
    return new FakeGateway(
        socket,
        request -> script.apply(request).stream().map(ControlCodec::encode).toList(),
        false);
  }

  /** What it was asked, in order. */
  public List<ControlRequest> asked() {
    return asked;
  }

  private void acceptAll() {
    while (server.isOpen()) {
      try {
        SocketChannel client = server.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(SocketChannel client) {
    try (client;
        BufferedReader lines =
            new BufferedReader(Channels.newReader(client, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!(ControlCodec.decodeRequest(line)
            instanceof Parsed.Ok<ControlRequest>(var request, var _))) {
          throw new IOException("the command line sent what is not a request: " + line);
        }
        asked.add(request);
        for (String reply : script.apply(request)) {
          ByteBuffer octets = ByteBuffer.wrap((reply + "\n").getBytes(StandardCharsets.UTF_8));
          while (octets.hasRemaining()) {
            client.write(octets);
          }
        }
        if (hangUp) {
          return;
        }
      }
    } catch (IOException e) {
      // The client has gone, or the test has ended; what was asked is remembered.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
