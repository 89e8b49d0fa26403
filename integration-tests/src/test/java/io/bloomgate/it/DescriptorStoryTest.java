package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that has no file descriptor left, in a separate process. */
@EnabledOnOs(OS.LINUX)
class DescriptorStoryTest {

  /** Descriptors that are free when the clients come. */
  private static final int FREE = 20;

  @TempDir Path folder;
  private final int port = FreePort.next();

  @Test
  void theControlSocketAnswersWithoutADescriptor() throws Exception {
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      GatewayFixture settings =
          GatewayFixture.in(folder, upstream.port())
              .with(
                  "listeners",
                  "{plain: {address: \"127.0.0.1:" + port + "\", max_sessions_per_ip: 1000}}")
              .prepare();
      List<Socket> clients = new ArrayList<>();
      try (GatewayProcess gateway = GatewayProcess.start(settings)) {
        gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, false));
        allow(gateway, highest(gateway) + 1 + FREE);
        for (int i = 0; i < 3 * FREE; i++) {
          clients.add(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        Conditions.await(
            "no descriptor is left",
            () -> Files.readString(gateway.output()).contains("Too many open files"));
        for (int i = 0; i < 10; i++) {
          assertEquals(0, gateway.control(new ControlRequest.Status()).exitCode());
        }
      } finally {
        for (Socket client : clients) {
          client.close();
        }
      }
    }
  }

  private static int highest(GatewayProcess gateway) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/" + gateway.pid() + "/fd"))) {
      return open.mapToInt(path -> Integer.parseInt(path.getFileName().toString()))
          .max()
          .orElseThrow();
    }
  }

  /** As `ulimit -n` would have at the start. */
  private static void allow(GatewayProcess gateway, int descriptors) throws Exception {
    Process prlimit =
        new ProcessBuilder(
                "prlimit", "--pid", String.valueOf(gateway.pid()), "--nofile=" + descriptors)
            .redirectErrorStream(true)
            .start();
    assertEquals(
        0,
        prlimit.waitFor(),
        new String(prlimit.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
  }
}
