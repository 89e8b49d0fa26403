package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.checkout.Checkout;
import io.bloomgate.gateway.testkit.TestCertificate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real redis-server with TLS and the user of the handbook, and a port without TLS for the test's
 * own commands. Used by one test's thread.
 */
final class FleetRedis implements AutoCloseable {

  private static final String USER_LINE = "redis-cli ACL SETUSER ";

  private final Path folder;
  private final int plain = FreePort.next();
  private final int tls = FreePort.next();
  private final Path certificate;
  private Process process;

  /**
   * Starts one.
   *
   * @param folder an empty one
   */
  FleetRedis(Path folder, TestCertificate shown) throws IOException, InterruptedException {
    this.folder = Files.createDirectories(folder);
    this.certificate = folder.resolve("redis.pem");
    shown.writePem(certificate, folder.resolve("redis.key"));
    this.process = start();
  }

  /** The server of this machine; empty when there is none. */
  static Optional<Path> program() {
    return Stream.of("/usr/bin", "/usr/local/bin", "/usr/sbin")
        .flatMap(bin -> Stream.of("redis-server", "valkey-server").map(Path.of(bin)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private Process start() throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(
            List.of(
                program().orElseThrow().toString(),
                "--bind 127.0.0.1",
                "--port " + plain,
                "--tls-port " + tls,
                "--tls-cert-file " + certificate,
                "--tls-key-file " + folder.resolve("redis.key"),
                "--tls-ca-cert-file " + certificate,
                "--tls-auth-clients no",
                "--save ''",
                "--dir " + folder));
    Path settings = Files.write(folder.resolve("redis.conf"), lines(words));
    Path log = folder.resolve("redis.log");
    Process started =
        new ProcessBuilder(words.getFirst(), settings.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    while (!answers()) {
      if (started.waitFor(20, TimeUnit.MILLISECONDS)) {
        throw new IOException("redis-server ended: " + Files.readString(log));
      }
    }
    return started;
  }

  /** The options, and the user as the handbook has it. */
  private static List<String> lines(List<String> words) throws IOException {
    List<String> lines = new ArrayList<>();
    words.stream().skip(1).forEach(word -> lines.add(word.substring(2)));
    String handbook = Files.readString(Checkout.root().resolve("config/handbook/fleet.md"));
    int from = handbook.indexOf(USER_LINE) + USER_LINE.length();
    lines.add("user " + handbook.substring(from, handbook.indexOf('\n', from)).replace("'", ""));
    return lines;
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), plain)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** The value of {@code fleet.redis} without TLS and without a user. */
  String address() {
    return "redis://127.0.0.1:" + plain;
  }

  /** The port with TLS. */
  int port() {
    return tls;
  }

  Path certificate() {
    return certificate;
  }

  /** Gives a command as its administrator; the first line of the reply. */
  String admin(String command) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), plain);
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1))) {
      socket.getOutputStream().write((command + "\r\n").getBytes(ISO_8859_1));
      String reply = String.valueOf(in.readLine());
      if (reply.startsWith("-")) {
        throw new IOException(command + ": " + reply);
      }
      return reply;
    }
  }

  /** Ends it as a power failure does. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Starts it again, on the same ports and without its data. */
  void startAgain() throws IOException, InterruptedException {
    process = start();
  }

  /** Sends it a signal, as {@code STOP} and {@code CONT}. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("/bin/kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() {
    kill();
  }
}
