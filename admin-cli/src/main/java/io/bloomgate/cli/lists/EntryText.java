package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.explain.ShownKey;
import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.notation.TerminalText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Operator entries for a person. */
final class EntryText {

  private static final String HEADING = "ID|SUBJECT|FROM|SCOPE|EXPIRES|AUTHOR|REASON";
  private static final int SUBJECT = 1;
  private static final int END = 4;

  private EntryText() {}

  /**
   * Asks for entries and shows them as a table of any length; says so when there are none.
   *
   * @param ofUse shows the last use in place of the end
   */
  static int ask(Invocation in, ControlRequest request, boolean ofUse, String none)
      throws CliException {
    Instant now = in.around().clock().instant();
    return in.table(
        request,
        ofUse ? HEADING.replace("EXPIRES", "LAST USE") : HEADING,
        entry -> {
          List<String> cells = cells(entry, now);
          if (ofUse) {
            cells.set(END, Template.fill("{@used}", entry, now));
          }
          return cells;
        },
        none);
  }

  /** Shows the entries that hold for what a mail carries; exit code 1 when there is none. */
  static int askAbout(Invocation in, ListKind list, TypedSubject thing) throws CliException {
    Map<String, JsonObject> found = new LinkedHashMap<>();
    for (String text : thing.asked()) {
      int asked =
          in.collect(
              new ControlRequest.ListCheck(list, text, null),
              entry -> {
                if (EntryOptions.Carried.isAbout(thing, entry)) {
                  found.putIfAbsent(entry.text("id").orElse(""), entry);
                }
              });
      if (asked != ExitCode.OK && asked != ExitCode.NO) {
        return asked;
      }
    }
    Output out = in.output();
    TextTable table = new TextTable(HEADING);
    found.values().forEach(entry -> out.item(entry, (one, o) -> table.row(cells(one, o.now()), o)));
    if (!table.isEmpty()) {
      table.print(out);
    } else if (out.human()) {
      out.line("no entry matches it");
    }
    return found.isEmpty() ? ExitCode.NO : ExitCode.OK;
  }

  private static List<String> cells(JsonObject entry, Instant now) {
    String moves = entry.text("unused").isPresent() ? ", unused {unused}" : "";
    String end = entry.isTrue("expired") ? "expired" : "{@expires}" + moves;
    List<String> cells =
        Template.cells("{id}||{from}|{scope}|" + end + "|{author}|{reason}", entry, now);
    cells.set(SUBJECT, subject(entry));
    return cells;
  }

  /** The id names an entry whose subject is a hash of a text. */
  private static String subject(JsonObject entry) {
    List<String> scope = entry.elements("scope").stream().map(HumanText::value).toList();
    return TerminalText.safe(ShownKey.ofEntry(scope, entry.text("subject").orElse("-")));
  }

  /** Prints what a command did with an entry, with its former state where that differs. */
  static void change(JsonObject entry, Output out) {
    String line = entry.text("from").isPresent() ? " from {from}" : "";
    if (entry.text("profile").isPresent()) {
      line += ", profile {profile}";
    }
    if (!HumanText.value(entry, "scope").equals("-")) {
      line += ", scope {scope}";
    }
    if (entry.text("expires").isPresent()) {
      line += ", until {expires} ({@expires})";
    }
    if (entry.text("unused").isPresent()) {
      line += ", later with each use ({unused})";
    }
    if (entry.text("id").isPresent()) {
      line += ", id {id}";
    }
    out.line(
        Template.fill("{change}: {list} ", entry)
            + subject(entry)
            + Template.fill(line, entry, out.now()));
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
