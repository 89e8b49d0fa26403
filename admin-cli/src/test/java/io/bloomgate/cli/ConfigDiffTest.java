package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.settings.EffectiveValue;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code config diff} against a control socket that answers with the values of another file. */
class ConfigDiffTest {

  private static final String BEFORE =
      """
      hostname: mx.example.com
      domains: [example.com]
      state_dir: /var/lib/bloomgate
      downstream: {host: 192.0.2.25}
      listeners: {mx: {address: "[::]:25"}}
      feeds:
        sources:
          both: {file: both.txt, action: observe}
          gone: {file: gone.txt}
          gone.not: {file: stays.txt}
      """;

  private static final String AFTER =
      BEFORE
          .replace("observe}", "reject}")
          .replace("gone: {file: gone.txt}", "both.2: {dns: fresh.example}")
          .replace("\"[::]:25\"}", "\"[::]:25\"}, late: {address: \"[::]:26\"}");

  @TempDir Path folder;

  private Shell.Result diff(String... options) throws IOException {
    Path before = Files.writeString(folder.resolve("before.yaml"), BEFORE);
    Path after = Files.writeString(folder.resolve("after.yaml"), AFTER);
    Path socket = folder.resolve("s");
    Files.deleteIfExists(socket);
    List<ControlReply> answer = new ArrayList<>();
    if (SettingsFile.load(before, Map.of()) instanceof SettingsResult.Loaded loaded) {
      for (EffectiveValue value : loaded.values()) {
        answer.add(
            new Item(
                JsonValue.object()
                    .put("key", String.join(".", value.path()))
                    .put("value", value.value())
                    .put("origin", value.origin().toString())
                    .build()));
      }
    }
    answer.add(new Done(0));
    List<String> line =
        new ArrayList<>(
            List.of("-c", after.toString(), "--socket", socket.toString(), "config", "diff"));
    line.addAll(List.of(options));
    try (FakeGateway _ = FakeGateway.scripted(socket, request -> answer)) {
      return Shell.run(line.toArray(String[]::new));
    }
  }

  @Test
  void whatIsOnOneSideOnlyIsOneLine() throws IOException {
    Shell.Result result = diff();
    assertEquals(1, result.exitCode(), result.err());
    assertEquals(
        """
        listener late: only in the file
        feeds.sources.both.action
          file    reject   # FOLDER/after.yaml:8
          effect  observe   # FOLDER/before.yaml:8
        feed both.2: only in the file
        feed gone: only in effect
        """
            .replace("FOLDER", folder.toString()),
        result.out().substring(0, result.out().indexOf("  `bloomgate config reload`")));
  }

  @Test
  void jsonHasEveryKey() throws IOException {
    String json = diff("-o", "json").out();
    assertTrue(json.lines().count() > 40, json);
    assertTrue(json.contains("{\"key\":\"feeds.sources.gone.action\",\"file\":null,"), json);
    assertTrue(json.lines().allMatch(line -> line.startsWith("{\"key\":")), json);
  }
}
