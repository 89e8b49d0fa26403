package io.bloomgate.it;

import io.bloomgate.checkout.ClassArchive;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

  /** The same with further variables of the environment. */
  static GatewayProcess start(GatewayFixture settings, Map<String, String> environment)
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
            return gateway.answers();
          });
    } catch (AssertionError e) {
      gateway.kill();
      throw e;
    }
    return gateway;
  }

  private boolean answers() {
    try {
      control(new ControlRequest.Status());
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
