package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One command against a gateway that answers with given replies, for tests of what it prints. */
final class ScriptedAnswers {

  private ScriptedAnswers() {}

  /** What the command shows; it asks once. */
  static Shell.Result answered(Path socket, ControlReply[] replies, String... args)
      throws IOException {
    Files.deleteIfExists(socket);
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--socket");
    all.add(socket.toString());
    try (FakeGateway gateway = FakeGateway.answering(socket, replies)) {
      Shell.Result result = Shell.run(all.toArray(String[]::new));
      assertEquals(1, gateway.asked().size());
      return result;
    }
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
