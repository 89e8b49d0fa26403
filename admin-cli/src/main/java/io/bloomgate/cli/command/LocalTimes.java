package io.bloomgate.cli.command;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Answers with their times in another zone than UTC, for people. Pure. */
final class LocalTimes {

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z");

  private LocalTimes() {}

  static JsonObject in(ZoneId zone, JsonObject answer) {
    Map<String, JsonValue> members = new LinkedHashMap<>(answer.members());
    members.replaceAll((_, value) -> in(zone, value));
    return new JsonObject(members);
  }

  private static JsonValue in(ZoneId zone, JsonValue value) {
    return switch (value) {
      case JsonString(String text) -> JsonValue.of(in(zone, text));
      case JsonArray array ->
          new JsonArray(array.elements().stream().map(each -> in(zone, each)).toList());
      case JsonObject object -> in(zone, object);
      default -> value;
    };
  }

  /** A sentence with its times in that zone. */
  static String in(ZoneId zone, String text) {
    return TIME.matcher(text).replaceAll(found -> in(zone, found));
  }

  /** Senders write such texts too, also of a month or an hour that there is not. */
  private static String in(ZoneId zone, MatchResult found) {
    try {
      return Instant.parse(found.group())
          .truncatedTo(ChronoUnit.SECONDS)
          .atZone(zone)
          .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
    } catch (DateTimeException e) {
      return found.group();
    }
  }
}
