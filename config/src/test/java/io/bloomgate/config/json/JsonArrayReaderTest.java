package io.bloomgate.config.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streaming of one array out of a big text. */
class JsonArrayReaderTest {

  private static List<String> read(JsonArrayReader reader) throws IOException, JsonSyntaxException {
    List<String> seen = new ArrayList<>();
    try (reader) {
      for (Optional<JsonArrayReader.Element> e = reader.next(); e.isPresent(); e = reader.next()) {
        seen.add(e.get().line() + ":" + Json.write(e.get().value()));
      }
    }
    return seen;
  }

  @Test
  void tellsTheLineOfEachElement() throws Exception {
    String text = "[\n\"a\", \"b\",\n\n  {\"c\":\n1},\r\n 5\n,\n\"d\"]\n";
    assertEquals(
        List.of("2:\"a\"", "2:\"b\"", "4:{\"c\":1}", "6:5", "8:\"d\""),
        read(JsonArrayReader.ofArray(new StringReader(text))));
  }

  @Test
  void linesAreRightWhateverTheSourceHandsOut() throws Exception {
    StringBuilder text = new StringBuilder("[");
    for (int i = 1; i <= 5000; i++) {
      text.append(i == 1 ? "" : ",")
          .append('\n')
          .append('"')
          .append("x".repeat(i % 40))
          .append('"');
    }
    text.append("]");
    Reader dripping =
        new StringReader(text.toString()) {
          @Override
          public int read(char[] target, int offset, int length) throws IOException {
            return super.read(target, offset, Math.min(length, 7));
          }
        };
    List<String> seen = read(JsonArrayReader.ofArray(dripping));
    assertEquals(5000, seen.size());
    assertEquals("2:\"x\"", seen.getFirst());
    assertEquals("5001:\"\"", seen.getLast());
  }

  @Test
  void findsTheMemberAmongOthers() throws Exception {
    String text = "{\"meta\":{\"list\":[9]},\n\"list\":[\"a\",\n\"b\"],\"more\":1}";
    assertEquals(
        List.of("2:\"a\"", "3:\"b\""),
        read(JsonArrayReader.ofMember(new StringReader(text), "list")));
  }

  private static String withMembers(int members) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 1; i < members; i++) {
      text.append("\"a").append(i).append("\":\"\",");
    }
    return text + "\"list\":[\"x\"]}";
  }

  @Test
  void theObjectAroundTheArrayIsSmall() throws Exception {
    String most = withMembers(JsonArrayReader.MAX_MEMBERS);
    assertEquals(
        List.of("1:\"x\""), read(JsonArrayReader.ofMember(new StringReader(most), "list")));
    String tooMany = withMembers(JsonArrayReader.MAX_MEMBERS + 1);
    String behind = tooMany.replace("{\"a1\"", "{\"list\":[\"x\"],\"a1\"");
    String longName = "{\"" + "n".repeat(1001) + "\":1,\"list\":[]}";
    for (String text : List.of(tooMany, behind, longName)) {
      assertThrows(
          JsonSyntaxException.class,
          () -> read(JsonArrayReader.ofMember(new StringReader(text), "list")));
    }
  }

  @Test
  void onlyShortTextsAreKept() throws Exception {
    String text = "{\"type\":\"cidr\",\"more\":\"" + "x".repeat(1001) + "\",\"list\":[]}";
    try (JsonArrayReader reader = JsonArrayReader.ofMember(new StringReader(text), "list")) {
      assertTrue(reader.next().isEmpty());
      assertEquals(Optional.of("cidr"), reader.memberText("type"));
      assertEquals(Optional.empty(), reader.memberText("more"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"a\"",
        "[\"a\"",
        "[\"a\",",
        "[\"a\",]",
        "[\"a\"] x",
        "<html>",
        "[\"a\" \"b\"]"
      })
  void cutOrForeignTextIsNeverFewerElements(String text) {
    assertThrows(
        JsonSyntaxException.class, () -> read(JsonArrayReader.ofArray(new StringReader(text))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{\"list\":{}}",
        "{\"list\":[]",
        "{\"list\":[1],\"list\":[2]}",
        "{\"a\":1,\"a\":1,\"list\":[]}"
      })
  void theMemberMustBeThereOnceAndBeAnArray(String text) {
    assertThrows(
        JsonSyntaxException.class,
        () -> read(JsonArrayReader.ofMember(new StringReader(text), "list")));
  }

  @Test
  void anElementWithoutEndIsRefusedBeforeItFillsTheMemory() {
    Reader endless =
        new Reader() {
          private boolean begun;

          @Override
          public int read(char[] target, int offset, int length) {
            target[offset] = begun ? 'x' : '[';
            if (!begun) {
              begun = true;
              target[offset + 1] = '"';
              return 2;
            }
            java.util.Arrays.fill(target, offset, offset + length, 'x');
            return length;
          }

          @Override
          public void close() {}
        };
    JsonSyntaxException e =
        assertThrows(JsonSyntaxException.class, () -> read(JsonArrayReader.ofArray(endless)));
    assertTrue(e.reason().contains("longer"), e::reason);
  }
}
