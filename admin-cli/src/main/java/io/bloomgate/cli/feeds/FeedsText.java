package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.KeyValueText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Feeds for a person. Pure. */
final class FeedsText {

  private static final String HEADING =
      "FEED|HEALTH|LAST CHECK|ENTRIES|CHANGED|SUCCESS|NEXT|HITS 24h|ACTION";
  private static final Set<Integer> NUMBERS = Set.of(3, 7);
  private static final int HEALTH = 1;
  private static final int LAST_CHECK = 2;

  private FeedsText() {}

  static void table(List<JsonObject> feeds, Output out) {
    if (feeds.isEmpty()) {
      out.line(
          "no feeds are in force; name some under feeds.sources in the settings, then `bloomgate"
              + " config reload`");
      return;
    }
    TextTable table = new TextTable(Template.columns(HEADING), NUMBERS);
    for (JsonObject feed : feeds) {
      String row = "{feed}|||{entries}|{@changed}|{@success}|{@next}|{hits_24h}";
      List<String> cells = Template.cells(row, feed, out.now());
      cells.set(HEALTH, isDisabled(feed) ? "disabled" : HumanText.value(feed, "health"));
      cells.set(LAST_CHECK, lastCheck(feed));
      cells.add(action(feed));
      table.row(cells, HEALTH, paint(feed, out));
    }
    table.print(out);
    for (JsonObject feed : feeds) {
      if (!feed.text("problem").orElse("").isEmpty()) {
        boolean isAlarm = feed.text("health").orElse("").equals("alarm");
        out.line((isAlarm ? "! " : "") + "{feed}: {problem}", feed);
      }
    }
  }

  /** The outcome of the last check; a list that is asked by DNS works, or is off until it does. */
  private static String lastCheck(JsonObject feed) {
    return switch (feed.text("last_check").orElse("")) {
      case "" -> HumanText.value(feed, "state");
      case "untried" -> "not yet";
      default -> HumanText.value(feed, "last_check");
    };
  }

  private static boolean isDisabled(JsonObject feed) {
    return feed.text("state").orElse("").equals("disabled");
  }

  /** The action in force, and what the settings say where evidence moved it. */
  static String action(JsonObject feed) {
    String auto = feed.isTrue("auto") ? " auto" : "";
    return HumanText.value(feed, "action")
        + auto
        + feed.text("settings_action")
            .map(word -> " (settings: " + TerminalText.safe(word) + ")")
            .orElse("");
  }

  /** The colour for the health of the feed, as the gateway reports it. */
  private static UnaryOperator<String> paint(JsonObject feed, Output out) {
    return switch (isDisabled(feed) ? "" : feed.text("health").orElse("")) {
      case "good" -> out.palette()::good;
      case "note" -> out.palette()::warn;
      case "alarm" -> out.palette()::bad;
      default -> UnaryOperator.identity();
    };
  }

  static void details(JsonObject feed, Output out) {
    Map<String, JsonValue> plain = new LinkedHashMap<>(feed.members());
    plain.remove("known_good");
    plain.remove("held_known_good");
    KeyValueText.show(new JsonObject(plain), out);
    feed.object("known_good")
        .filter(hits -> hits.number("subjects").orElse(0) > 0)
        .ifPresent(hits -> KnownGoodText.show(hits, out));
    KnownGoodText.held(feed, out);
  }

  /** Prints what a command did with a feed, on one line. */
  static void outcome(JsonObject item, Output out) {
    if (item.text("feed").isEmpty()) {
      KeyValueText.show(item, out);
      return;
    }
    String line = "{feed}  " + paint(item, out).apply("{state}");
    if (item.get("entries").isPresent()) {
      line += "  {#entries}";
    }
    if (item.number("invalid").orElse(0) > 0) {
      line += ", {invalid} invalid";
    }
    if (item.text("disabled_until").isPresent()) {
      line += "  until {disabled_until} ({@disabled_until})";
    }
    if (!item.text("problem").orElse("").isEmpty()) {
      line += "  ! {problem}";
    }
    out.line(line, item);
    if (item.text("state").orElse("").equals("held")) {
      out.line("  to see what it would change: bloomgate feeds diff {feed} --held", item);
      out.line("  to let it in: bloomgate feeds accept {feed}", item);
    }
  }

  /** Prints the version that {@code feeds accept} let through. */
  static void accepted(JsonObject item, Output out) {
    out.line("{feed}  " + out.palette().good("version {accepted} is live") + "  {#entries}", item);
    for (JsonValue reason : item.elements("reasons")) {
      out.line("  let through: " + HumanText.value(reason));
    }
  }

  /** Prints the version to which {@code feeds rollback} went. */
  static void rolledBack(JsonObject item, Output out) {
    out.line(
        "{feed}  "
            + out.palette().good("version {version} is live")
            + ", fetched {@fetched}  {#entries}; version {rolled_back_from} is set aside; it will"
            + " not come back by itself",
        item);
  }
}
