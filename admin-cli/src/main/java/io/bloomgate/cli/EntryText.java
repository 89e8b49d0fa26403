package io.bloomgate.cli;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;
import java.util.Set;

/** Operator entries for a person. */
final class EntryText {

  private static final List<String> HEADING =
      List.of("ID", "SUBJECT", "FROM", "SCOPE", "EXPIRES", "AUTHOR", "REASON");

  private EntryText() {}

  /** Asks for entries and shows them as a table; says so when there are none. */
  static int ask(Invocation in, ControlRequest request, String none) throws CliException {
    Exchange.Whole answer = in.gather(request);
    Output out = in.output();
    if (out.human() && !answer.failed()) {
      if (answer.items().isEmpty()) {
        out.line(none);
      } else {
        table(answer.items(), out).print(out);
      }
    }
    return answer.exitCode();
  }

  private static TextTable table(List<JsonObject> entries, Output out) {
    TextTable table = new TextTable(HEADING, Set.of());
    for (JsonObject entry : entries) {
      table.row(
          List.of(
              HumanText.value(entry, "id"),
              HumanText.value(entry, "subject"),
              HumanText.value(entry, "from"),
              HumanText.value(entry, "scope"),
              entry.isTrue("expired") ? "expired" : HumanText.distance(entry, "expires", out.now()),
              HumanText.value(entry, "author"),
              HumanText.value(entry, "reason")));
    }
    return table;
  }

  /** What a command did with an entry, on one line. */
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
  }
}
