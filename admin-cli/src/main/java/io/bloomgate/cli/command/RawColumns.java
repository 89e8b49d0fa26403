package io.bloomgate.cli.command;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNull;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The columns of {@code -o raw}: members of JSON, those inside an object behind a dot. They are
 * documented in the handbook, and their order never changes; new ones come last. Pure.
 */
public final class RawColumns {

  private static final String OF_ENTRY =
      "id list subject kind from scope reason author created expires text expired";

  private static final String OF_CHANGE =
      "change id list subject from scope reason author created expires";

  private static final String OF_FEED =
      "feed state entries invalid changed success attempt next hits_24h action problem age health";

  /** A line for each command, or for commands with the same columns. */
  static final String ALL =
      """
      status: mode mode_configured mode_until generation ready reason draining sessions \
      entries.total verdicts_1h.accept verdicts_1h.reject verdicts_1h.tempfail feeds_bad \
      downstream identity uptime_s alarms version feeds_disabled
      health: ready reason downstream feeds_bad late fleet
      mode: mode configured until
      drain, resume: draining sessions
      version: version java
      doctor: state check where what mend
      explain: subject kind verdict stage mode generation offline listings bloom allow undo \
      undo_wider incident notes now_verdict happened
      feeds list, feeds refresh, feeds enable, feeds disable: FEED disabled_until
      feeds show: FEED source served_by held_entries reasons
      feeds accept: feed accepted entries held_entries generation
      feeds rollback: feed version rolled_back_from entries fetched generation
      feeds score, feeds promote: feed action since sessions hits only_here accepted_hits \
      known_hits accepted_senders later_allowed days_stale entries fetched_octets memory_octets \
      next ready advice
      feeds test: source format lines entries.ipv4 entries.ipv6 entries.domain entries.address \
      entries.url entries.fingerprint exceptions invalid guard.verdict guard.held_entries
      feeds diff: feed from.version to.version unchanged added removed
      feeds formats: format match description
      feeds catalogue: feed title purpose url dns format every action risk licence
      feeds add, feeds remove: feed file done
      allow list, allow check, block list, block check: ENTRY
      allow export, block export: text
      allow add, allow edit, allow remove, block add, block edit, block remove: CHANGE
      allow import, block import, import: file added changed unchanged skipped
      audit: time author command subject
      tail: ts event verdict stage client_ip helo from to feed entry generation code enhanced id \
      size ms outcome mode proto
      sessions list, sessions show: id time stage verdict mode outcome client_ip helo from to \
      recipients reply generation count listing.feed listing.entry code to_domains protocol front \
      size ms message_id
      top: sessions what
      stats: begins sessions accepted tagged would_tag would_refuse refused put_off other \
      refused_too
      fleet status: node self connected leader generation mode place lag_ms waiting version problem
      config validate: severity file line column message hint
      config show: key value origin changed
      config diff: key file file_origin effect effect_origin
      config reload: reloaded mode
      backup: file octets members generation sessions
      support dump: file octets files gateway
      filter inspect: kind version entries capacity bits bits_per_entry hashes asked_fpp \
      expected_fpp fill checksum file octets
      filter query: key maybe problem
      filter verify: file checksum reason
      dedup: line
      """
          .replace("FEED", OF_FEED)
          .replace("ENTRY", OF_ENTRY)
          .replace("CHANGE", OF_CHANGE);

  private RawColumns() {}

  /** The columns of a command; empty for one without, whose members are named by the caller. */
  public static List<String> of(String command) {
    return ALL.lines()
        .map(line -> line.split(": ", 2))
        .filter(line -> List.of(line[0].split(", ")).contains(command))
        .findFirst()
        .map(line -> List.of(line[1].split(" ")))
        .orElse(List.of());
  }

  /** The values of an answer between tabs; empty where it has no such member. */
  static String line(List<String> columns, JsonObject item) {
    return columns.stream()
        .map(column -> text(member(item, column)))
        .collect(Collectors.joining("\t"));
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
      case JsonValue other -> TerminalText.safeJson(Json.write(other));
    };
  }

  private static boolean nests(JsonValue value) {
    return value instanceof JsonObject || value instanceof JsonArray;
  }
}
