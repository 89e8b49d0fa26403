package io.bloomgate.it;

import io.bloomgate.checkout.ClassArchive;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A gateway in a separate process, so that it can be killed. */
final class GatewayProcess implements AutoCloseable {

  private final Process process;
  private final GatewayFixture settings;

  private GatewayProcess(Process process, GatewayFixture settings) {
    this.process = process;
    this.settings = settings;
  }

  /** Starts {@code bloomgate run} on prepared settings and waits until it answers commands. */
  static GatewayProcess start(GatewayFixture settings) throws IOException {
    return start(settings, Map.of());
  }

  /** The same, and waits until it greets clients: its control socket may not be there. */
  static GatewayProcess startAt(GatewayFixture settings, int port) throws IOException {
    return start(settings, Map.of(), _ -> greets(port));
  }

  private static boolean greets(int port) {
    try (SmtpClient client = new SmtpClient(port)) {
      return client.reply().startsWith("220 ");
    } catch (IOException e) {
      return false;
    }
  }

  /** The same with further variables of the environment. */
  static GatewayProcess start(GatewayFixture settings, Map<String, String> environment)
      throws IOException {
    return start(settings, environment, GatewayProcess::answers);
  }

  private static GatewayProcess start(
      GatewayFixture settings, Map<String, String> environment, Predicate<GatewayProcess> ready)
      throws IOException {
    Path output = settings.settingsFile().resolveSibling("gateway.out");
    Files.deleteIfExists(output);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(ClassArchive.GATEWAY.classPath());
    command.addAll(
        List.of("io.bloomgate.gateway.Main", "run", "-c", settings.settingsFile().toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    GatewayProcess gateway = new GatewayProcess(process, settings);
    try {
      Conditions.await(
          "the gateway answers",
          () -> {
            if (!process.isAlive()) {
              throw new AssertionError("the gateway ended: " + Files.readString(output));
            }
            return ready.test(gateway);
          });
    } catch (AssertionError e) {
      gateway.kill();
      throw e;
    }
    return gateway;
  }

  /** True when it answers commands. */
  boolean answers() {
    return tries(new ControlRequest.Status());
  }

  /** True when it carries the command out. */
  boolean tries(ControlRequest request) {
    try {
      control(request);
      return true;
    } catch (java.io.UncheckedIOException e) {
      return false;
    }
  }

  Answer control(ControlRequest request) {
    return settings.control(request);
  }

  long pid() {
    return process.pid();
  }

  /** What it prints, standard output and error. */
  Path output() {
    return settings.settingsFile().resolveSibling("gateway.out");
  }

  /** SIGTERM, and waits until it is gone. */
  void stop() {
    process.destroy();
    process.onExit().join();
  }

  /** SIGKILL, and waits until it is gone. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
