package io.bloomgate.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNull;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.notation.TerminalText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns of {@code -o raw}: members of JSON, those inside an object behind a dot. They are
 * documented in the handbook, and their order never changes; new ones come last. Pure.
 */
public final class RawColumns {

  private static final String FILE = "raw-columns.txt";

  private RawColumns() {}

  /** The columns of a command; empty for one without, which shows all members of its answers. */
  public static List<String> of(String command) {
    return all()
        .map(line -> line.split(": ", 2))
        .filter(line -> List.of(line[0].split(", ")).contains(command))
        .findFirst()
        .map(line -> List.of(line[1].split(" ")))
        .orElse(List.of());
  }

  /** A line for each command, or for commands with the same columns. */
  static Stream<String> all() {
    try (InputStream file = RawColumns.class.getResourceAsStream(FILE)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8).lines();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A warning when the first answer lacks one of these members: it may be a typing error. */
  static Optional<String> unknown(List<String> columns, JsonObject first) {
    List<String> lacking =
        columns.stream().filter(column -> member(first, column).equals(JsonValue.NULL)).toList();
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "warning: the first answer has no "
                + String.join(", ", lacking)
                + "; its members are "
                + String.join(", ", first.members().keySet()));
  }

  /** The values of an answer between tabs; empty where it has no such member. */
  static String line(List<String> columns, JsonObject item) {
    return (columns.isEmpty() ? item.members().keySet() : columns)
        .stream().map(column -> text(member(item, column))).collect(Collectors.joining("\t"));
  }

  /** A member may have dots in its name, as a setting has. */
  private static JsonValue member(JsonObject item, String path) {
    int dot = path.indexOf('.');
    return item.get(path)
        .or(() ->
            dot < 0
                ? Optional.empty()
                : item.object(path.substring(0, dot))
                    .map(inner -> member(inner, path.substring(dot + 1))))
        .orElse(JsonValue.NULL);
  }

  /** Elements are between commas; objects stay JSON. */
  private static String text(JsonValue value) {
    return switch (value) {
      case JsonString(String text) -> TerminalText.safe(text);
      case JsonNull() -> "";
      case JsonArray(List<JsonValue> elements)
          when elements.stream().noneMatch(RawColumns::nests) ->
          elements.stream().map(RawColumns::text).collect(Collectors.joining(","));
      case JsonValue other -> TerminalText.safe(Json.write(other));
    };
  }

  private static boolean nests(JsonValue value) {
    return value instanceof JsonObject || value instanceof JsonArray;
  }
}
