package io.bloomgate.config.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records as JSON objects and back. */
final class JsonRecordsTest {

  private record Inner(String word, @Rare int number) {}

  private record Outer(
      @Named("kind") Check check,
      @Nullable String firstName,
      @Nullable Instant since,
      long count,
      boolean truth,
      List<Inner> all,
      @Rare boolean seldom,
      @Rare String text,
      @Rare List<Inner> more,
      @Rare Set<Check> checks,
      @Rare Map<String, String> words,
      @Rare Check first,
      @Rare @Nullable Inner one) {}

  private static final Outer BARE =
      new Outer(
          Check.SENDER_DOMAIN,
          null,
          null,
          3,
          false,
          List.of(),
          false,
          "",
          List.of(),
          Set.of(),
          Map.of(),
          Check.CLIENT_IP,
          null);

  private static final Outer FULL =
      new Outer(
          Check.URL,
          "a\u0085\"",
          Instant.parse("2026-11-29T10:00:00Z"),
          Long.MAX_VALUE,
          true,
          List.of(new Inner("x", 0), new Inner("", -7)),
          true,
          "t",
          List.of(new Inner("m", 1)),
          Set.of(Check.HELO),
          Map.of("a", "b"),
          Check.FROM,
          new Inner("one", 2));

  @Test
  void whatSaysNothingIsLeftOutWhereItIsRare() throws JsonSyntaxException {
    String text = Json.write(JsonRecords.of(BARE));
    assertEquals(
        "{\"kind\":\"sender_domain\",\"first_name\":null,\"since\":null,\"count\":3,"
            + "\"truth\":false,\"all\":[]}",
        text);
    assertEquals(BARE, JsonRecords.read(Outer.class, text));
  }

  @Test
  void allIsReadAsItWasWritten() throws JsonSyntaxException {
    String text = Json.write(JsonRecords.of(FULL));
    assertEquals(FULL, JsonRecords.read(Outer.class, text));
    assertEquals(
        FULL, JsonRecords.read(Outer.class, text.replace("{\"kind\"", "{\"new\":[1],\"kind\"")));
  }

  private record Names(DomainName domain) {}

  @Test
  void namesAreTexts() {
    DomainName name = DomainName.parse("A.Example").toOptional().orElseThrow();
    assertEquals("{\"domain\":\"a.example\"}", Json.write(JsonRecords.of(new Names(name))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"kind\":\"no_such\"}",
        "{\"since\":\"yesterday\"}",
        "{\"truth\":\"x\"}",
        "{\"kind\":\"url\"",
        "{\"one\":[]}"
      })
  void whatTheRecordCannotHaveWrittenIsRefused(String text) {
    assertThrows(JsonSyntaxException.class, () -> JsonRecords.read(Outer.class, text));
  }
}
