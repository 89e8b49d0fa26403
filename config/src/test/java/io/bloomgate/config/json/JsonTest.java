package io.bloomgate.config.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strict reading and safe writing of JSON. */
class JsonTest {

  @Test
  void keepsMembersInOrderAndNumbersAsWritten() throws JsonSyntaxException {
    JsonObject object =
        (JsonObject) Json.parse("\uFEFF{\"b\":1.50,\"a\":[true,null,\"x\\u0041\"],\"c\":-0}");
    assertEquals(List.of("b", "a", "c"), List.copyOf(object.members().keySet()));
    assertEquals("{\"b\":1.50,\"a\":[true,null,\"xA\"],\"c\":-0}", Json.write(object));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":1,"a":2} | twice
          [1,]          | JSON
          [1] x         | follows
          {"a" 1}       | colon
          'a'           | JSON
          [01]          | JSON
          [NaN]         | JSON
          ["a           | string
          ["a\\x"]      | escape
          [1            | early
          {"a":1        | early
          /**/ 1        | JSON
          """)
  void refuses(String text, String reason) {
    JsonSyntaxException e = assertThrows(JsonSyntaxException.class, () -> Json.parse(text));
    assertTrue(e.reason().contains(reason), () -> text + " gave " + e.getMessage());
    assertFalse(e.toString().contains("http"));
  }

  @Test
  void refusesNothingControlsAndDepth() {
    assertThrows(JsonSyntaxException.class, () -> Json.parse(""));
    assertThrows(JsonSyntaxException.class, () -> Json.parse("[\"a\tb\"]"));
    String deep = "[".repeat(Json.MAX_DEPTH + 1) + "]".repeat(Json.MAX_DEPTH + 1);
    JsonSyntaxException e = assertThrows(JsonSyntaxException.class, () -> Json.parse(deep));
    assertTrue(e.reason().contains("" + Json.MAX_DEPTH), e::reason);
  }

  @Test
  void namesThePlaceOfTheFault() {
    JsonSyntaxException e =
        assertThrows(JsonSyntaxException.class, () -> Json.parse("{\n \"a\": 1,\n \"a\": 2}"));
    assertEquals(3, e.line());
    assertTrue(e.column() > 1);
  }

  @Test
  void escapesWhatCouldBreakALineOrATerminal() {
    String nasty = "\u0000\u001b[31m\u007f\u0085\u2028\u2029\ud800\"\\\n";
    String text = Json.write(new JsonString(nasty));
    assertTrue(text.chars().allMatch(c -> c >= 0x20 && c < 0x7f), text);
    assertEquals("\"\ud83d\ude00\"", Json.write(new JsonString("\ud83d\ude00")));
  }

  @Test
  void aNumberLiteralMustBeANumber() {
    assertThrows(IllegalArgumentException.class, () -> new JsonNumber("1,\"x\":2"));
    assertEquals("1.0E-4", Json.write(JsonValue.of(0.0001)));
    assertEquals("null", Json.write(JsonValue.of(Double.NaN)));
  }

  @Test
  void whatIsWrittenReadsBackEqual() throws JsonSyntaxException {
    for (long seed = 0; seed < 500; seed++) {
      JsonValue value = RandomJson.value(new Random(seed), 4);
      assertEquals(value, Json.parse(Json.write(value)), "seed " + seed);
    }
  }

  @Test
  void garbageIsAnErrorWithItsPlaceOrAValueThatCanBeWritten() {
    for (long seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder(Json.write(RandomJson.value(random, 3)));
      for (int cut = 0; cut < 3; cut++) {
        int at = random.nextInt(text.length());
        text.setCharAt(at, (char) random.nextInt(0x100));
      }
      try {
        JsonValue value = Json.parse(text.toString());
        assertEquals(value, Json.parse(Json.write(value)), "seed " + seed);
      } catch (JsonSyntaxException e) {
        assertTrue(e.line() >= 1 && e.column() >= 0, "seed " + seed);
      }
    }
  }
}
