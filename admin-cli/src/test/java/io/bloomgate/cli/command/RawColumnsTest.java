package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What scripts split at tabs. */
class RawColumnsTest {

  @Test
  void aColumnIsEmptyWhereTheAnswerHasNoSuchMember() throws JsonSyntaxException {
    JsonObject answer =
        (JsonObject)
            Json.parse(
                """
                {"a":"x\\ty","b":[1,"z"],"c":null,"d":{"e":7,"f.g":8},"h":[],"i":[{"j":1}]}\
                """);
    assertEquals(
        "x\\u0009y\t1,z\t\t7\t8\t\t\t[{\"j\":1}]",
        RawColumns.line(List.of("a", "b", "c", "d.e", "d.f.g", "d.x", "h", "i"), answer));
    assertTrue(RawColumns.line(List.of(), answer).startsWith("x\\u0009y\t1,z\t\t{"));
  }

  @Test
  void aColumnThatTheFirstAnswerLacksIsNamed() throws JsonSyntaxException {
    JsonObject answer = (JsonObject) Json.parse("{\"client_ip\":\"192.0.2.1\",\"id\":\"x\"}");
    assertEquals(Optional.empty(), RawColumns.unknown(List.of("id", "client_ip"), answer));
    assertEquals(
        Optional.of("warning: the first answer has no client; its members are client_ip, id"),
        RawColumns.unknown(List.of("id", "client"), answer));
  }

  /** Scripts count them: a new column comes last, and no column goes. */
  @Test
  void theHandbookHasTheColumnsOfEachCommand() throws IOException {
    String handbook =
        Files.readString(Path.of("../config/handbook/reference.md")).replaceAll("\\s+", " ");
    for (String line : RawColumns.all().toList()) {
      assertTrue(handbook.contains(line), line);
    }
    assertEquals(
        "feed state entries invalid changed success attempt next hits_24h action problem age health"
            + " disabled_until last_check",
        String.join(" ", RawColumns.of("feeds list")));
  }
}
