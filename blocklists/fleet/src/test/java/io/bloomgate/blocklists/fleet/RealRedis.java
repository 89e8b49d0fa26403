package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real redis-server on a free port of loopback, where one is installed. One test's thread. */
final class RealRedis implements AutoCloseable {

  private static final int TRIES = 10;

  private final Process process;
  private final int port;

  private RealRedis(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Whether this machine has a server. */
  static boolean isInstalled() {
    return program().isPresent();
  }

  private static Optional<Path> program() {
    return Stream.of("/usr/bin", "/usr/local/bin", "/usr/sbin")
        .flatMap(folder -> Stream.of("redis-server", "valkey-server").map(Path.of(folder)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** On a free port: another program may take it before the server does, so it tries several. */
  static RealRedis start(Path folder) throws IOException, InterruptedException {
    IOException taken = new IOException("no port was tried");
    for (int i = 0; i < TRIES; i++) {
      int port;
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      try {
        return start(folder, port);
      } catch (IOException e) {
        taken = e;
      }
    }
    throw taken;
  }

  /** On a port on which a server was before. */
  static RealRedis start(Path folder, int port) throws IOException, InterruptedException {
    Path log = folder.resolve("redis-" + port + ".log");
    Process process =
        new ProcessBuilder(
                program().orElseThrow().toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--dir",
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    RealRedis redis = new RealRedis(process, port);
    // Its own message: another program on its port would take a connection too.
    while (!Files.readString(log).contains("eady to accept connections")) {
      if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new IOException("redis-server ended: " + Files.readString(log));
      }
    }
    return redis;
  }

  int port() {
    return port;
  }

  RedisAddress address() {
    try {
      return RedisAddress.read("redis://127.0.0.1:" + port);
    } catch (BadValueException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends it as a power failure does. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Sends it a signal, as {@code STOP} and {@code CONT}. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("/bin/kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Gives a command as its administrator. */
  void command(String words) throws IOException {
    if (reply(words).startsWith("-")) {
      throw new IOException(words + " was refused");
    }
  }

  /** The same; all that came as its reply. */
  String reply(String words) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write((words + "\r\nQUIT\r\n").getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
