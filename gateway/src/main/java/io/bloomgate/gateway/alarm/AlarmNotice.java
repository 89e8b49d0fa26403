package io.bloomgate.gateway.alarm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.alarm.AlarmMemory.OpenAlarm;
import io.bloomgate.gateway.html.Inert;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * One message about alarms: those that began, those that ended, and those that are still open. Its
 * forms are the text of a mail and the JSON of a POST. Pure.
 *
 * @param test true for one that was asked for, about no alarm
 */
record AlarmNotice(
    Instant at, boolean test, List<OpenAlarm> begun, List<OpenAlarm> ended, List<OpenAlarm> open) {

  /** The form of the JSON; names are only added to it. */
  private static final int FORM = 1;

  /** A test, which says so. */
  static AlarmNotice test(Instant at) {
    return new AlarmNotice(at, true, List.of(), List.of(), List.of());
  }

  /** One line: the first alarm, and how many others there are. */
  String headline() {
    if (test) {
      return "test: alarms arrive here";
    }
    List<OpenAlarm> first = begun.isEmpty() ? ended : begun;
    int more = begun.size() + ended.size() - 1;
    return (begun.isEmpty() ? "ended: " : "ALARM: ")
        + Inert.text(first.getFirst().sentence())
        + (more > 0 ? " (and " + more + " more)" : "");
  }

  /** The lines for a person. */
  String text(String host) {
    StringBuilder text = new StringBuilder();
    if (test) {
      text.append("This is a test that `bloomgate alarms test` sent. Nothing is wrong.\n");
    }
    section(text, "Begun:", begun, false);
    section(text, "Ended:", ended, true);
    section(text, "Still open:", open, false);
    return text.append("\n`bloomgate status` on ")
        .append(host)
        .append(" shows what is open now; `bloomgate doctor` says what to do.\n")
        .toString();
  }

  private static void section(
      StringBuilder text, String head, List<OpenAlarm> alarms, boolean over) {
    if (alarms.isEmpty()) {
      return;
    }
    text.append(text.isEmpty() ? "" : "\n").append(head).append('\n');
    for (OpenAlarm alarm : alarms) {
      text.append("- since ")
          .append(second(alarm.since()))
          .append(over ? " until " + second(alarm.seen()) : "")
          .append(": ")
          .append(shown(alarm))
          .append('\n');
    }
  }

  /** The octets of the POST. */
  byte[] json(String host) {
    JsonObject object =
        JsonValue.object()
            .put("form", FORM)
            .put("event", test ? "test" : "alarms")
            .put("gateway", host)
            .put("at", second(at))
            .put("text", "Bloomgate " + host + ": " + headline())
            .put("begun", array(begun, false))
            .put("ended", array(ended, true))
            .put("open", array(open, false))
            .build();
    return Json.write(object).getBytes(UTF_8);
  }

  private static JsonArray array(List<OpenAlarm> alarms, boolean over) {
    return new JsonArray(
        alarms.stream()
            .<JsonValue>map(alarm -> {
              JsonValue.ObjectBuilder object =
                  JsonValue.object().put("alarm", shown(alarm)).put("since", second(alarm.since()));
              return (over ? object.put("until", second(alarm.seen())) : object).build();
            })
            .toList());
  }

  private static String shown(OpenAlarm alarm) {
    return Inert.whole(alarm.sentence());
  }

  private static String second(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
