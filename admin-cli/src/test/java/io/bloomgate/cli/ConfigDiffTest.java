package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.EffectiveValue.InForce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
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
    return diff(AFTER, value -> value.origin().toString(), options);
  }

  /** What runs is {@link #BEFORE}, with these origins. */
  private Shell.Result diff(
      String inFile, Function<EffectiveValue, String> origin, String... options)
      throws IOException {
    Path before = Files.writeString(folder.resolve("before.yaml"), BEFORE);
    Path after = Files.writeString(folder.resolve("after.yaml"), inFile);
    Path socket = folder.resolve("s");
    Files.deleteIfExists(socket);
    List<ControlReply> answer = new ArrayList<>();
    if (SettingsFile.load(before, Map.of()) instanceof SettingsResult.Loaded loaded) {
      for (EffectiveValue value : loaded.values()) {
        InForce sent = InForce.of(value);
        answer.add(
            new Item(
                JsonRecords.of(
                    new InForce(
                        sent.key(),
                        sent.path(),
                        sent.value(),
                        origin.apply(value),
                        sent.changed(),
                        sent.file()))));
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
    Shell.Result result = diff().exits(1);
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
        result.out().substring(0, result.out().indexOf("  `bloomgate config reload")));
  }

  private String remedies(String inFile, Function<EffectiveValue, String> origin)
      throws IOException {
    return diff(inFile, origin)
        .out()
        .lines()
        .filter(line -> line.startsWith("  ") && !line.matches("  (file|effect)  .*"))
        .map(line -> line.strip().replace(" -c " + folder + "/after.yaml", " -c F"))
        .map(line -> line.replace(" --socket " + folder + "/s", ""))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void theRemedyIsThatOfTheDifference() throws IOException {
    Function<EffectiveValue, String> read = value -> value.origin().toString();
    String reload = "`bloomgate config reload -c F` puts the file into force";
    String restart = "only a restart of the gateway changes: ";
    assertEquals(reload, remedies(BEFORE.replace("observe}", "reject}"), read));
    assertEquals(
        restart + "listeners.mx.address", remedies(BEFORE.replace("[::]:25", "[::]:26"), read));
    assertEquals(
        restart + "state_dir, listener late, admin.socket",
        remedies(AFTER.replace("/lib/", "/lib2/").replaceAll("(?s)feeds:.*", feeds(BEFORE)), read));
    assertEquals(
        reload.replace("the file", "the rest of the file") + "\n" + restart + "listener late",
        remedies(AFTER, read));
    assertEquals(
        "a command set the mode: `bloomgate mode soft -c F` takes it back",
        remedies(
            BEFORE + "mode: soft\n",
            value -> value.path().equals(List.of("mode")) ? "bloomgate mode" : "default"));
    assertEquals(
        "evidence moved an action: `bloomgate feeds promote both --no-auto -c F` takes it back",
        remedies(
            BEFORE.replace("observe}", "reject}"),
            value -> value.path().contains("both") ? "bloomgate feeds promote --auto" : "default"));
  }

  private static String feeds(String settings) {
    return settings.substring(settings.indexOf("feeds:"));
  }

  /** That the file has no feeds is what the lines of the feeds say. */
  @Test
  void anEmptySectionIsNotShownBesideItsEntries() throws IOException {
    String none = BEFORE.substring(0, BEFORE.indexOf("feeds:"));
    String out = diff(none, value -> value.origin().toString()).out();
    assertTrue(out.startsWith("feed both: only in effect\nfeed gone: only in effect\n"), out);
    Shell.assertLacks(out, "feeds.sources\n");
    String json = diff(none, value -> value.origin().toString(), "-o", "json").out();
    Shell.assertHas(json, "{\"key\":\"feeds.sources\",\"file\":\"{}\"");
  }

  @Test
  void jsonHasEveryKey() throws IOException {
    String json = diff("-o", "json").out();
    assertTrue(json.lines().count() > 40, json);
    Shell.assertHas(json, "{\"key\":\"feeds.sources.gone.action\",\"file\":null,");
    assertTrue(json.lines().allMatch(line -> line.startsWith("{\"key\":")), json);
  }
}
