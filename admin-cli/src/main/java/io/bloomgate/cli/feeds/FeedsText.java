package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.KeyValueText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.Quantities;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Feeds for a person. Pure. */
final class FeedsText {

  private static final String HEADING =
      "FEED|HEALTH|LAST CHECK|>ENTRIES|CHANGED|SUCCESS|NEXT|>HITS 24h|ACTION";
  private static final int HEALTH = 1;
  private static final int LAST_CHECK = 2;

  /** The member with those that {@code feeds accept} would list of what is held. */
  static final String HELD_GOOD = "held_known_good";

  /** The largest number of lines or senders that are shown of a kind; JSON has more. */
  private static final int SHOWN = 10;

  private FeedsText() {}

  static void table(List<JsonObject> feeds, Output out) {
    if (feeds.isEmpty()) {
      out.line(
          "no feeds are in force; name some under feeds.sources in the settings, then `bloomgate"
              + " config reload`");
      return;
    }
    TextTable table = new TextTable(HEADING);
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
    String settings =
        feed.text("settings_action").isEmpty() ? "" : " (settings: {settings_action})";
    return Template.fill("{action}" + auto + settings, feed);
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
        .ifPresent(hits -> knownGood(hits, out));
    heldGood(feed, out);
  }

  /** Prints what a command did with a feed, on one line. */
  static void outcome(JsonObject item, Output out) {
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
    } else if (item.text("state").orElse("").equals("dns")) {
      line += "  its test passed: it lists its test entry, and nothing that must not be listed";
    }
    out.line(line, item);
    if (item.text("state").orElse("").equals("held")) {
      String feed = HumanText.value(item, "feed");
      out.command("  to see what it would change: bloomgate feeds diff " + feed + " --held");
      out.command("  to let it in: bloomgate feeds accept " + feed);
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

  /** Prints the object of {@code feeds diff}. */
  static void difference(JsonObject diff, Output out) {
    out.line(HumanText.value(diff, "feed") + ": " + side(diff, "from") + " -> " + side(diff, "to"));
    if (diff.isTrue("same")) {
      out.line("  no difference, {#unchanged}", diff);
      return;
    }
    TextTable table = new TextTable("|>ADDED|>REMOVED");
    JsonObject added = diff.object("added").orElseThrow();
    JsonObject removed = diff.object("removed").orElseThrow();
    for (String kind : added.members().keySet()) {
      if (added.number(kind).orElse(0) + removed.number(kind).orElse(0) > 0) {
        table.row(
            List.of("  " + kind, HumanText.value(added, kind), HumanText.value(removed, kind)));
      }
    }
    table.print(out);
    boolean one = diff.number("unchanged").orElse(0) == 1;
    out.line("  {#unchanged} " + (one ? "stays" : "stay"), diff);
    diff.object("samples")
        .ifPresent(samples -> {
          samples(samples, "added", "  + ", total(added), out);
          samples(samples, "removed", "  - ", total(removed), out);
        });
    newlyListed(diff, out);
    heldGood(diff, out);
    if (diff.isTrue("offline")) {
      out.line("  offline, generation {generation}", diff);
    }
  }

  private static String side(JsonObject diff, String name) {
    JsonObject side = diff.object(name).orElseThrow();
    return Template.fill(
        side.number("version").isPresent() ? "version {version} ({status})" : "{source}", side);
  }

  private static long total(JsonObject counts) {
    return counts.members().keySet().stream().mapToLong(k -> counts.number(k).orElse(0)).sum();
  }

  private static void samples(
      JsonObject samples, String name, String mark, long total, Output out) {
    List<JsonObject> entries = samples.objects(name);
    entries.forEach(sample -> out.line(mark + "{entry}  line {line}", sample));
    int shown = entries.size();
    if (shown < total) {
      String more = Quantities.grouped(total - shown);
      String all = total > FeedDiff.MOST_SHOWN ? "as many of them" : "all";
      long limit = Math.min(total, FeedDiff.MOST_SHOWN);
      out.line("%sand %s more; --limit %d shows %s".formatted(mark, more, limit, all));
    }
  }

  private static void newlyListed(JsonObject diff, Output out) {
    long count = diff.number("newly_listed_senders").orElse(0);
    String asked = "  of {known_senders} good senders seen lately ";
    if (count == 0) {
      out.line(asked + "none would newly be listed", diff);
      return;
    }
    out.line(
        asked + out.palette().bad(count + " would newly be listed") + ", action {action}", diff);
    diff.objects("newly_refused").stream()
        .limit(SHOWN)
        .forEach(sender ->
            out.line("    {client}  {sender}  by {entry}, line {line}, seen {@seen}", sender));
    if (count > SHOWN) {
      out.line("    and " + (count - SHOWN) + " more; -o json shows them");
    }
  }

  /** Prints the object of {@code feeds test}. */
  static void tested(JsonObject t, Output out) {
    String lines = t.number("lines").orElse(0) == 1 ? "line" : "lines";
    out.line("{source}: format {format}, {lines} " + lines, t);
    out.line("  entries    {entries}; exceptions {exceptions}; invalid {invalid}", t);
    t.object("urls")
        .filter(u -> u.number("hosts").orElse(0) + u.number("shared_hosts").orElse(0) > 0)
        .ifPresent(u ->
            out.line(
                "  URLs       hosts that the check url_host finds {hosts}; shared hosts, of which"
                    + " only the URLs count {shared_hosts}",
                u));
    t.object("names").ifPresent(n -> out.line("  names      " + names(n)));
    if (t.object("entries").stream().anyMatch(e -> e.number("url").orElse(0) > 0)) {
      out.line("  pages      with the check url an entry also counts for hosts below its host");
    }
    t.object("guard").ifPresent(g -> guard(g, out));
    t.object("known_good").ifPresent(g -> knownGood(g, out));
    lines(t.objects("problems"), "  line {line}: {reason}: {text}", out);
    for (JsonObject query : t.objects("queries")) {
      boolean listed = query.isTrue("listed");
      String answer = listed ? "is listed by {entry}, line {line}" : "is not listed";
      out.line("  query      {subject} " + answer, query);
    }
  }

  /** Says what the names of a list match; a list may have names of several kinds. */
  private static String names(JsonObject n) {
    long exact = n.number("exact").orElse(0);
    long suffix = n.number("suffix").orElse(0);
    long below = n.number("below").orElse(0);
    if (suffix + below == 0) {
      return "match exactly: not what is below them (`match: suffix` in the settings does)";
    }
    if (exact + below == 0) {
      return "match with all below them";
    }
    return Stream.of("exactly " + exact, "with all below " + suffix, "only what is below " + below)
        .filter(count -> !count.endsWith(" 0"))
        .collect(Collectors.joining(", "));
  }

  private static void guard(JsonObject g, Output out) {
    String verdict = HumanText.value(g, "verdict");
    String painted =
        switch (verdict) {
          case "accept" -> out.palette().good(verdict);
          case "accept-rest" -> out.palette().warn(verdict);
          default -> out.palette().bad(verdict);
        };
    out.line("  guard      " + painted + ", held back {held_entries}", g);
    for (JsonValue reason : g.elements("reasons")) {
      out.line("             " + HumanText.value(reason));
    }
    lines(g.objects("held"), "             {entry} in line {line}: {reason}", out);
  }

  private static void lines(List<JsonObject> all, String text, Output out) {
    all.stream().limit(SHOWN).forEach(one -> out.line(text, one));
    if (all.size() > SHOWN) {
      out.line("  and " + (all.size() - SHOWN) + " more; -o json shows them");
    }
  }

  /** Prints the member {@link #HELD_GOOD} of an object, if it names any. */
  private static void heldGood(JsonObject object, Output out) {
    object
        .object(HELD_GOOD)
        .filter(hits -> hits.number("subjects").orElse(0) > 0)
        .ifPresent(hits -> {
          out.line("  if what is held were accepted:");
          knownGood(hits, out);
        });
  }

  /** The member {@code known_good} of {@code feeds test} and {@code feeds show}. */
  private static void knownGood(JsonObject hits, Output out) {
    long subjects = hits.number("subjects").orElse(0);
    if (subjects == 0) {
      out.line("  known good " + out.palette().good("none of them is listed"));
      return;
    }
    out.line(
        "  known good " + out.palette().warn("{subjects} listed, by entries: {entries}"), hits);
    List<JsonObject> sample = hits.objects("sample");
    for (JsonObject hit : sample) {
      out.line("             {entry} in line {line} lists {subject} ({file})", hit);
    }
    if (hits.number("entries").orElse(0) > sample.size()) {
      out.line("             and more");
    }
    explainAllowed(sample, out);
  }

  /**
   * Senders that are listed and allowed: nothing is held back for them, so the text says that the
   * allow entries win.
   */
  private static void explainAllowed(List<JsonObject> sample, Output out) {
    sample.stream()
        .filter(hit -> hit.text("file").filter(KnownGoodHits.ALLOW_ENTRY::equals).isPresent())
        .findFirst()
        .ifPresent(hit ->
            out.line(
                "             your allow entries win; `bloomgate explain {subject}` shows how far",
                hit));
  }
}
