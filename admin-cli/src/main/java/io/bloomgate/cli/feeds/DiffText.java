package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;
import java.util.Set;

/** The object of {@code feeds diff} for a person. Pure. */
final class DiffText {

  /** Good senders on the screen; JSON has more. */
  private static final int SHOWN_SENDERS = 10;

  private DiffText() {}

  static void show(JsonObject diff, Output out) {
    out.line(HumanText.value(diff, "feed") + ": " + side(diff, "from") + " -> " + side(diff, "to"));
    if (diff.isTrue("same")) {
      out.line("  no difference, {#unchanged}", diff);
      return;
    }
    TextTable table = new TextTable(List.of("", "ADDED", "REMOVED"), Set.of(1, 2));
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
    senders(diff, out);
    KnownGoodText.held(diff, out);
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
      out.line(
          mark
              + "and "
              + HumanText.grouped(Long.toString(total - shown))
              + " more; --limit "
              + Math.min(total, FeedDiff.MOST_SHOWN)
              + " shows "
              + (total > FeedDiff.MOST_SHOWN ? "as many of them" : "all"));
    }
  }

  private static void senders(JsonObject diff, Output out) {
    long count = diff.number("newly_listed_senders").orElse(0);
    String asked = "  of {known_senders} good senders seen lately ";
    if (count == 0) {
      out.line(asked + "none would newly be listed", diff);
      return;
    }
    out.line(
        asked + out.palette().bad(count + " would newly be listed") + ", action {action}", diff);
    diff.objects("newly_refused").stream()
        .limit(SHOWN_SENDERS)
        .forEach(sender ->
            out.line("    {client}  {sender}  by {entry}, line {line}, seen {@seen}", sender));
    if (count > SHOWN_SENDERS) {
      out.line("    and " + (count - SHOWN_SENDERS) + " more; -o json shows them");
    }
  }
}
