package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A real redis-server on a free port of loopback, where one is installed. One test's thread. */
final class RedisProcess implements AutoCloseable {

  private final Process process;
  private final int port;

  private RedisProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static boolean isInstalled() {
    return program().isPresent();
  }

  private static Optional<Path> program() {
    return Stream.of("/usr/bin", "/usr/local/bin", "/usr/sbin")
        .flatMap(folder -> Stream.of("redis-server", "valkey-server").map(Path.of(folder)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static RedisProcess start(Path folder) throws IOException {
    int port = FreePort.next();
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
            .redirectOutput(folder.resolve("redis.log").toFile())
            .start();
    RedisProcess redis = new RedisProcess(process, port);
    Conditions.await("redis-server", redis::answers);
    return redis;
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** As {@code fleet.redis}. */
  String address() {
    return "redis://127.0.0.1:" + port;
  }

  /** Sends it a signal, as {@code STOP} and {@code CONT}. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("/bin/kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Gives a command as its administrator. */
  void command(String words) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write((words + "\r\nQUIT\r\n").getBytes(US_ASCII));
      String reply = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      if (reply.startsWith("-")) {
        throw new IOException(words + ": " + reply);
      }
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
