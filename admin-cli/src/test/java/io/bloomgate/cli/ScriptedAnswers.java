package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a gateway that answers with given replies, for tests of what they print. */
abstract class ScriptedAnswers {

  @TempDir Path folder;
  Path socket = Path.of("");

  @BeforeEach
  final void nameTheSocket() {
    socket = folder.resolve("s");
  }

  /** Runs a command that asks at the socket. */
  final Shell.Result run(String... args) {
    return Shell.run(List.of("--socket", socket.toString()), args);
  }

  /** What the command shows; it asks once. */
  final Shell.Result answered(ControlReply[] replies, String... args) throws IOException {
    Files.deleteIfExists(socket);
    try (FakeGateway gateway = FakeGateway.answering(socket, replies)) {
      Shell.Result result = run(args);
      assertEquals(1, gateway.asked().size());
      return result;
    }
  }

  /** What the command line shows of these items. */
  final Shell.Result shown(String line, String... items) throws IOException {
    return answered(0, line, items);
  }

  /** What it shows of items that end with exit code 1. */
  final Shell.Result refused(String line, String... items) throws IOException {
    return answered(1, line, items);
  }

  private Shell.Result answered(int exitCode, String line, String... items) throws IOException {
    Stream<ControlReply> replies = Stream.of(items).map(ScriptedAnswers::item);
    return answered(
        Stream.concat(replies, Stream.of(new Done(exitCode))).toArray(ControlReply[]::new),
        line.split(" "));
  }

  static Item item(String json) {
    try {
      return new Item((JsonObject) Json.parse(json));
    } catch (JsonSyntaxException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  static ControlReply[] replies(ControlReply... replies) {
    return replies;
  }
}
