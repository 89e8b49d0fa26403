package io.bloomgate.gateway.page;

import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNull;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.gateway.html.Inert;
import io.bloomgate.gateway.report.ReportChart;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Members of answers as templates write them; the template escapes them for HTML. Pure. */
final class Show {

  /** Characters in a cell of a long table, so that hostile names make no page long. */
  private static final int MAX_CELL = 44;

  private static final String OBSERVE = "observe";

  /** The beginning of a verdict that mode observe did not carry out, as on the command line. */
  private static final String WOULD = "would_";

  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private Show() {}

  /** A member as text, whatever it is; empty when it is missing. */
  static String text(JsonObject object, String name) {
    return Inert.text(raw(object, name));
  }

  /** The same, as long as people have to read it. */
  static String whole(JsonObject object, String name) {
    return Inert.whole(raw(object, name));
  }

  /** The same, cut for a long table. */
  static String cell(JsonObject object, String name) {
    String text = text(object, name);
    return text.length() <= MAX_CELL ? text : text.substring(0, MAX_CELL - 1) + "\u2026";
  }

  /** The member as it is, for a form or an address of ours. */
  static String raw(JsonObject object, String name) {
    return plain(object.get(name).orElse(JsonValue.NULL));
  }

  /** An element of an array as text, as long as people have to read it. */
  static String whole(JsonValue value) {
    return Inert.whole(plain(value));
  }

  /** An element of an array as it is, for a form. */
  static String raw(JsonValue value) {
    return plain(value);
  }

  /** The user who has seen this alarm of the status; an empty object when nobody has. */
  static JsonObject seen(JsonObject status, JsonValue alarm) {
    return status.objects("alarms_seen").stream()
        .filter(seen -> seen.get("alarm").filter(alarm::equals).isPresent())
        .findFirst()
        .orElseGet(() -> JsonValue.object().build());
  }

  private static String plain(JsonValue value) {
    return switch (value) {
      case JsonNull ignored -> "";
      case JsonString(String text) -> text;
      case JsonNumber(String literal) -> literal;
      case JsonBoolean(boolean truth) -> truth ? "yes" : "no";
      case JsonArray(List<JsonValue> elements) ->
          elements.stream()
              .map(Show::plain)
              .collect(
                  Collectors.joining(
                      elements.stream().anyMatch(JsonObject.class::isInstance) ? "; " : ", "));
      case JsonObject(var members) ->
          members.entrySet().stream()
              .map(member -> Map.entry(member.getKey(), plain(member.getValue())))
              .filter(member -> !member.getValue().isEmpty())
              .map(member -> member.getKey().replace('_', ' ') + " " + member.getValue())
              .collect(Collectors.joining(", "));
    };
  }

  /** A number with commas; a dash when there is none. */
  static String number(JsonObject object, String name) {
    return object.number(name).isEmpty()
        ? "\u2013"
        : Quantities.grouped(object.number(name).getAsLong());
  }

  /** A moment in the time zone of the gateway; a dash when there is none. */
  static String time(JsonObject object, String name, ZoneId zone) {
    return moment(object.text(name)).map(at -> SECOND.format(at.atZone(zone))).orElse("\u2013");
  }

  static String time(Instant at, ZoneId zone) {
    return SECOND.format(at.atZone(zone));
  }

  /** A member of any kind for a list of facts: moments as times, objects as words. */
  static String fact(JsonObject object, String name, ZoneId zone) {
    boolean isMoment = moment(object.text(name)).isPresent();
    return isMoment ? time(object, name, zone) : whole(object, name);
  }

  /** The distance to now, back or ahead, in one unit; a dash when there is no moment. */
  static String ago(JsonObject object, String name, Instant now) {
    return moment(object.text(name)).map(at -> Quantities.distance(at, now)).orElse("\u2013");
  }

  private static Optional<Instant> moment(Optional<String> text) {
    try {
      return text.map(Instant::parse);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The text for a query of an address of ours. */
  static String query(@Nullable String text) {
    return URLEncoder.encode(text == null ? "" : text, StandardCharsets.UTF_8);
  }

  /** The elements of an array as texts. */
  static List<String> texts(JsonObject object, String name) {
    return object.elements(name).stream().map(Show::plain).map(Inert::whole).toList();
  }

  /** An object member; an empty object when there is none. */
  static JsonObject part(JsonObject object, String name) {
    return object.object(name).orElseGet(() -> JsonValue.object().build());
  }

  /** The class of a badge: how bad a word is. */
  static String tone(String word) {
    return switch (word) {
      case "accept", "fresh", "unchanged", "up", "dns", "delivered", "good" -> "good";
      case "reject", "failed", "stale", "down", "refused", "off", "alarm" -> "bad";
      case "tempfail", "greylist", "held", "cached", "tag", "upstream_failed", "note" -> "warn";
      default -> word.startsWith(WOULD) ? "warn" : "";
    };
  }

  /** The verdict of a session; of one that mode observe let pass, what it would have been. */
  static String verdict(JsonObject session) {
    String verdict = raw(session, "verdict");
    boolean isSpared = raw(session, "mode").equals(OBSERVE);
    return isSpared && !verdict.isEmpty() && !verdict.equals("accept") ? WOULD + verdict : verdict;
  }

  /** True when a list refused this session, so that an allow entry can let the next one pass. */
  static boolean isRefused(JsonObject session) {
    return !raw(session, "id").isEmpty() && Verdict.refuses(raw(session, "verdict"));
  }

  /**
   * A profile, from the settings in force as {@code bloomgate config diff} asks for them, and its
   * recipients, as {@code bloomgate recipient list} names them. Immutable; pure.
   *
   * @param differences what the profile says, a setting each
   * @param recipients that have it, those of the settings too
   */
  record ProfileRow(String name, List<String> differences, List<String> recipients) {

    /** Recipients of one profile that are shown. */
    private static final int MAX_RECIPIENTS = 20;

    private static final Map<String, String> BUILT_IN =
        Map.of(
            "default", "nothing: what the settings say",
            "off", "nothing is refused or tagged",
            "exempt", "lists refuse nothing, content may tag, your block of the client refuses");

    /** All profiles: those that are built in, then those of the settings in their order. */
    static List<ProfileRow> of(List<JsonObject> values, List<JsonObject> recipients) {
      Map<String, List<String>> differences = new LinkedHashMap<>();
      Map<String, List<String>> named = new HashMap<>();
      for (String name : List.of("default", "off", "exempt")) {
        add(differences, name, BUILT_IN.getOrDefault(name, ""));
      }
      for (JsonObject value : values) {
        List<String> path = Show.texts(value, "path");
        String text = Show.raw(value, "value");
        if (path.equals(List.of("policy", "exempt_recipients"))) {
          add(named, "exempt", text);
        } else if (path.size() > 2
            && path.getFirst().equals("profiles")
            && value.isTrue("changed")) {
          add(
              differences,
              path.get(1),
              String.join(".", path.subList(2, path.size())) + ": " + text);
        }
      }
      for (JsonObject recipient : recipients) {
        if (!recipient.isTrue("expired")) {
          String profile = Show.raw(recipient, "profile");
          differences.putIfAbsent(profile, List.of());
          add(named, profile, Show.raw(recipient, "subject"));
        }
      }
      return differences.entrySet().stream()
          .map(row ->
              new ProfileRow(
                  row.getKey(), row.getValue(), named.getOrDefault(row.getKey(), List.of())))
          .toList();
    }

    private static void add(Map<String, List<String>> texts, String profile, String text) {
      texts.computeIfAbsent(profile, _ -> new ArrayList<>()).add(text);
    }

    String difference() {
      return Inert.whole(String.join(", ", differences));
    }

    /** The recipients, as many as a page may show. */
    String shown() {
      String text = String.join(", ", recipients.stream().limit(MAX_RECIPIENTS).toList());
      int more = recipients.size() - MAX_RECIPIENTS;
      return Inert.whole(text) + (more > 0 ? " and " + more + " more" : "");
    }
  }

  /**
   * The things that occur most often, as {@code bloomgate top} counts them, for a table of the
   * first page. Immutable.
   *
   * @param title of what is counted
   * @param link address of ours that says more, up to the thing itself
   */
  record TopRows(String title, String link, List<JsonObject> rows) {

    /** The address that says more of a row: your own block entries are no feed. */
    String address(JsonObject row) {
      String what = Show.raw(row, "what");
      return link.startsWith("/feed") && what.equals("operator")
          ? "/block"
          : link + Show.query(what);
    }
  }

  /** Sessions by hour and end, from the rows of {@code stats}, as SVG of ours. Pure. */
  static final class VerdictChart {

    /** One end of sessions. */
    private record Kind(String words, ToLongFunction<JsonObject> count) {}

    /**
     * The parts of a bar from its bottom to its top; those that were or would be tagged are among
     * the accepted.
     */
    private static final List<Kind> KINDS =
        List.of(
            new Kind(
                "accepted",
                row ->
                    at(row, "accepted")
                        - at(row, "tagged")
                        - at(row, "would_tag")
                        - at(row, "would_refuse")),
            new Kind("tagged", row -> at(row, "tagged")),
            new Kind("would be tagged", row -> at(row, "would_tag")),
            new Kind("would be refused", row -> at(row, "would_refuse")),
            new Kind("put off", row -> at(row, "put_off")),
            new Kind("ended otherwise", row -> at(row, "other")),
            new Kind("refused", row -> at(row, "refused")));

    /** Words and sum of one colour, for the legend; {@code colour} is its number. */
    record Legend(int colour, String words, long sessions) {}

    private VerdictChart() {}

    static List<Legend> legend(List<JsonObject> rows) {
      List<Legend> legend = new ArrayList<>();
      for (Kind kind : KINDS) {
        legend.add(
            new Legend(legend.size(), kind.words(), rows.stream().mapToLong(kind.count()).sum()));
      }
      return legend;
    }

    /** The chart; empty when there was no session. */
    static String svg(List<JsonObject> rows, Instant since, Instant until, ZoneId zone) {
      return ReportChart.svg(
          since,
          until,
          zone,
          "sessions",
          "Sessions by hour and end; the legend has sums",
          KINDS.stream().map(kind -> counts(kind, rows)).toList());
    }

    private static Map<Instant, Long> counts(Kind kind, List<JsonObject> rows) {
      return rows.stream()
          .collect(
              Collectors.toMap(
                  row -> Instant.parse(row.text("begins").orElse("")),
                  row -> kind.count().applyAsLong(row)));
    }

    private static long at(JsonObject row, String member) {
      return row.number(member).orElse(0);
    }
  }
}
