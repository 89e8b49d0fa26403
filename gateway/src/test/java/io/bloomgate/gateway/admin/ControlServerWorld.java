package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlRequest.FeedsShow;
import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** A control server in its own folder, and clients of it; for the tests of the control socket. */
abstract class ControlServerWorld {

  /** Answers with who asked, and for which feed. */
  static final RequestHandler ECHO =
      (request, caller, answer) ->
          answer.send(List.of(new Note(caller.user() + ": " + ((FeedsShow) request).name())));

  static final String ASIDE = ".control-new";

  @TempDir Path directory;
  final AtomicLong nanos = new AtomicLong();

  Path socket() {
    return directory.resolve("control.sock");
  }

  ControlServer open() throws IOException {
    return open(ECHO);
  }

  ControlServer open(RequestHandler handler) throws IOException {
    ControlServer server = open(socket(), handler);
    server.start();
    return server;
  }

  ControlServer open(Path socket, RequestHandler handler) throws IOException {
    return open(socket, handler, 0660, null);
  }

  ControlServer open(Path socket, RequestHandler handler, int mode, @Nullable String readGroup)
      throws IOException {
    AdminSettings admin =
        new AdminSettings(socket, mode, readGroup, null, null, null, null, List.of(), null);
    SocketRoles roles = new SocketRoles(admin, Thread.ofPlatform().daemon().factory(), nanos::get);
    return open(admin, roles::of, handler);
  }

  ControlServer open(
      AdminSettings admin, Function<SocketChannel, Caller> roles, RequestHandler handler)
      throws IOException {
    return ControlServer.open(
        admin,
        roles,
        directory.resolve("state"),
        handler,
        Thread.ofVirtual().factory(),
        nanos::get);
  }

  List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  SocketChannel connect() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(socket()));
  }

  static void send(SocketChannel channel, String text) throws IOException {
    ByteBuffer octets = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (octets.hasRemaining()) {
      channel.write(octets);
    }
  }

  /** Asks for these feeds. */
  static void ask(SocketChannel channel, String... names) throws IOException {
    for (String name : names) {
      send(channel, line(name));
    }
  }

  static String line(String name) {
    return ControlCodec.encode(new FeedsShow(name)) + "\n";
  }

  /** The text of the next reply; empty at the end. */
  static String reply(BufferedReader answers) throws IOException {
    String line = answers.readLine();
    if (line == null) {
      return "";
    }
    return switch (ControlCodec.decodeReply(line).toOptional().orElseThrow()) {
      case Note(String text) -> text;
      case Failed(int _, String message, String hint) -> "no: " + message + "; " + hint;
      default -> throw new AssertionError(line);
    };
  }

  static BufferedReader reader(SocketChannel channel) {
    return new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
  }
}
