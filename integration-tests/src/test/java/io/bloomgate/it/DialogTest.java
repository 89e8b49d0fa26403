package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plays every file of src/test/dialogs, or with {@code -Ddialog=NAME} the one of that name; files
 * with the same settings share a gateway.
 */
class DialogTest {

  private static final Path DIALOGS = Path.of("src/test/dialogs");

  /** How the names of the files that are played end. */
  private static final String ENDING =
      Optional.ofNullable(System.getProperty("dialog")).map("/"::concat).orElse("") + ".dialog";

  @TempDir static Path folder;

  private static final Map<List<String>, Stage> STAGES = new HashMap<>();

  /** A gateway, the upstreams behind it, and a name server that it asks where it says so. */
  private record Stage(
      GatewayFixture gateway, ScriptedUpstream upstream, ScriptedUpstream other, LoopbackDns dns) {}

  @TestFactory
  Stream<DynamicTest> dialogs() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(DIALOGS)) {
      files = all.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    }
    assertFalse(files.isEmpty(), () -> DIALOGS + " has no " + ENDING);
    return files.stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> play(file)));
  }

  private static void play(Path file) throws IOException {
    Stage stage = STAGES.computeIfAbsent(DialogRunner.header(file), DialogTest::build);
    try (DialogRunner runner =
        new DialogRunner(stage.gateway(), stage.upstream(), stage.other(), stage.dns())) {
      runner.play(file);
    }
  }

  private static Stage build(List<String> settings) {
    try {
      ScriptedUpstream upstream = ScriptedUpstream.start();
      ScriptedUpstream other = ScriptedUpstream.start();
      LoopbackDns dns = LoopbackDns.start();
      GatewayFixture gateway =
          GatewayFixture.in(Files.createTempDirectory(folder, "g"), upstream.port());
      // Dialogs share a gateway, and none may find a connection that another one left.
      gateway.with(
          "downstream",
          "{host: 127.0.0.1, port: "
              + upstream.port()
              + ", client_address: none, pool: {max_idle: 0}}");
      for (String line : settings) {
        String[] parts = line.split(": ", 2);
        if (parts[0].equals("upstream-offers")) {
          upstream.offering(parts[1].split(", ", -1));
        } else if (parts[0].equals("names")) {
          gateway.with("dns", "{servers: [\"127.0.0.1:" + dns.address().getPort() + "\"]}");
          for (String record : parts[1].split(", ", -1)) {
            dns.forward(record.split(" ", 2)[0], record.split(" ", 2)[1]);
          }
        } else if (parts[0].endsWith(".txt")) {
          gateway.write(parts[0], parts[1].split("; "));
        } else {
          gateway.with(
              parts[0],
              parts[1]
                  .replace("UPSTREAM_PORT", String.valueOf(upstream.port()))
                  .replace("OTHER_PORT", String.valueOf(other.port())));
        }
      }
      gateway.start();
      // The probe at the start.
      if (!settings.toString().contains("port: 1,")) {
        upstream.nextConnection().awaitEnd();
      }
      if (settings.toString().contains("OTHER_PORT")) {
        other.nextConnection().awaitEnd();
      }
      return new Stage(gateway, upstream, other, dns);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterAll
  static void closeAll() {
    for (Stage stage : STAGES.values()) {
      stage.gateway().close();
      stage.upstream().close();
      stage.other().close();
      stage.dns().close();
    }
  }
}
