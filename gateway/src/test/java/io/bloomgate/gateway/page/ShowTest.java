package io.bloomgate.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Facts on the page are words, never JSON. */
class ShowTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "'{\"f\":[{\"id\":\"7K3Q9ZT2AB\",\"to\":\"a@b.example\",\"list\":null},{\"id\":\"X\"}]}',"
            + "'id 7K3Q9ZT2AB, to a@b.example; id X'",
        "'{\"f\":{\"has_name\":true,\"lines\":[1,2]}}','has name yes, lines 1, 2'",
        "'{\"f\":\"2026-12-01T12:00:00Z\"}','2026-12-01 13:00:00'",
        "'{\"f\":[\"a\",\"b\"]}','a, b'"
      })
  void factsAreWords(String json, String words) throws JsonSyntaxException {
    assertEquals(words, Show.fact((JsonObject) Json.parse(json), "f", ZoneId.of("Europe/Berlin")));
  }
}
