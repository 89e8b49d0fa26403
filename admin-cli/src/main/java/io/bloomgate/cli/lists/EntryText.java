package io.bloomgate.cli.lists;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Exchange;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LongTable;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;

/** Operator entries for a person. */
final class EntryText {

  private static final List<String> HEADING =
      List.of("ID", "SUBJECT", "FROM", "SCOPE", "EXPIRES", "AUTHOR", "REASON");

  private EntryText() {}

  /** Asks for entries and shows them as a table of any length; says so when there are none. */
  static int ask(Invocation in, ControlRequest request, String none) throws CliException {
    LongTable table = new LongTable(HEADING);
    Exchange.Whole answer = in.whole(request, (entry, out) -> table.row(cells(entry, out), out));
    Output out = in.output();
    if (!table.isEmpty()) {
      table.end(out);
    } else if (out.human() && !answer.failed()) {
      out.line(none);
    }
    return answer.exitCode();
  }

  private static List<String> cells(JsonObject entry, Output out) {
    return List.of(
        HumanText.value(entry, "id"),
        HumanText.value(entry, "subject"),
        HumanText.value(entry, "from"),
        HumanText.value(entry, "scope"),
        entry.isTrue("expired") ? "expired" : HumanText.distance(entry, "expires", out.now()),
        HumanText.value(entry, "author"),
        HumanText.value(entry, "reason"));
  }

  /** What a command did with an entry, with its former state where that differs. */
  static void change(JsonObject entry, Output out) {
    StringBuilder line = new StringBuilder(HumanText.value(entry, "change"));
    line.append(": ")
        .append(HumanText.value(entry, "list"))
        .append(' ')
        .append(HumanText.value(entry, "subject"));
    entry.text("from").ifPresent(f -> line.append(" from ").append(TerminalText.safe(f)));
    entry
        .text("expires")
        .ifPresent(e ->
            line.append(", until ")
                .append(TerminalText.safe(e))
                .append(" (")
                .append(HumanText.distance(entry, "expires", out.now()))
                .append(')'));
    entry.text("id").ifPresent(id -> line.append(", id ").append(TerminalText.safe(id)));
    out.line(line.toString());
    entry.object("before").ifPresent(before -> difference(before, entry, out));
  }

  private static void difference(JsonObject before, JsonObject entry, Output out) {
    String was = before.text("expires").orElse("");
    String is = entry.text("expires").orElse("");
    if (!was.equals(is)) {
      out.line("  " + ended(before, was, out) + "; now it " + ends(entry, is, out));
    }
    String why = before.text("reason").orElse("");
    String reason = entry.text("reason").orElse("");
    if (!why.equals(reason)) {
      out.line("  its reason was " + quoted(why) + "; now it is " + quoted(reason));
    }
  }

  private static String ended(JsonObject before, String was, Output out) {
    if (was.isEmpty()) {
      return "it had no end";
    }
    String distance = HumanText.distance(before, "expires", out.now());
    return (distance.startsWith("in ") ? "it would have ended " : "it ended ")
        + distance
        + " ("
        + TerminalText.safe(was)
        + ")";
  }

  private static String ends(JsonObject entry, String is, Output out) {
    return is.isEmpty() ? "has no end" : "ends " + HumanText.distance(entry, "expires", out.now());
  }

  private static String quoted(String reason) {
    return reason.isEmpty() ? "empty" : '"' + TerminalText.safe(reason) + '"';
  }
}
