package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.json.JsonValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code config show --effective} against a control socket that answers what is in force. */
class ConfigShowTest {

  @TempDir Path folder;

  private Path settings() throws IOException {
    return Files.writeString(
        folder.resolve("bloomgate.yaml"),
        """
        mode: observe
        hostname: mx.example.com
        domains: [example.com]
        state_dir: .
        downstream: {host: 192.0.2.25}
        """);
  }

  private static ControlReply item(Path file, String value, String origin, String... path) {
    return new Item(
        JsonValue.object()
            .put("key", String.join(".", path))
            .put("path", JsonValue.ofStrings(List.of(path)))
            .put("value", value)
            .put("origin", origin)
            .put("changed", true)
            .put("file", file.toString())
            .build());
  }

  private Shell.Result show(Path gatewayFile, String... more) throws IOException {
    List<String> line =
        List.of("-c", settings().toString(), "config", "show", "--effective", "--origin");
    Files.deleteIfExists(folder.resolve("control.sock"));
    try (FakeGateway _ =
        FakeGateway.answering(
            folder.resolve("control.sock"),
            item(gatewayFile, "enforce", "bloomgate mode", "mode"),
            item(gatewayFile, "reject", gatewayFile + ":9", "feeds", "sources", "a.b", "action"),
            item(gatewayFile, "1h", "env BLOOMGATE_X", "feeds", "sources", "a.b", "every"),
            new Done(0))) {
      return Shell.run(line, more);
    }
  }

  @Test
  void whatACommandSetIsShownWithTheCommand() throws IOException {
    Path file = settings();
    assertEquals(
        new Shell.Result(
            0,
            """
            mode: enforce   # bloomgate mode
            feeds:
              sources:
                a.b:
                  action: reject   # FILE:9
                  every: 1h   # env BLOOMGATE_X
            """
                .replace("FILE", file.toString()),
            ""),
        show(file));
    assertTrue(
        show(file, "-o", "json")
            .out()
            .startsWith(
                "{\"key\":\"mode\",\"value\":\"enforce\",\"changed\":true,\"origin\":\"bloomgate"
                    + " mode\"}\n"));
  }

  /** A draft may name the state directory of the gateway that runs with another file. */
  @Test
  void theGatewayOfAnotherFileIsNotShown() throws IOException {
    Shell.Result result = show(folder.resolve("other.yaml"));
    assertTrue(result.out().startsWith("mode: observe   # " + settings() + ":1\n"), result.out());
    result.complains("no gateway runs with this file");
  }

  @Test
  void withoutAGatewayItIsTheFile() throws IOException {
    Shell.Result result =
        Shell.run("-c", settings().toString(), "config", "show", "--effective", "--origin")
            .exits(0);
    assertTrue(result.out().startsWith("mode: observe   # " + settings() + ":1\n"), result.out());
    result.complains("these are the values of " + settings());
    assertEquals(
        "",
        Shell.run("-c", settings().toString(), "config", "show", "--effective", "--offline").err());
  }
}
