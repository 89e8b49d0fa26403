package io.bloomgate.cli;

import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.function.Consumer;

/**
 * The object of {@code init} for a person. When the settings themselves go to standard output,
 * everything beside them goes to standard error. Pure.
 */
final class InitText {

  private InitText() {}

  private static String postfix(JsonObject row) {
    String what = HumanText.value(row, "parameter") + ": " + HumanText.value(row, "value");
    String why = row.text("why").orElse("");
    String domains = HumanText.value(row, "domains");
    return (domains.equals("-") ? what + " was not taken" : what + " -> " + domains)
        + (why.isEmpty() ? "" : ": " + HumanText.value(row, "why"));
  }

  static void show(JsonObject answer, Output out) {
    String text = answer.text("text").orElse("");
    Consumer<String> beside = text.isEmpty() ? out::line : out::warn;
    if (text.isEmpty()) {
      out.line("wrote {file}, mode observe: no list refuses mail", answer);
      out.line("  mail server  {downstream}", answer);
      out.line("  domains      {domains}", answer);
      out.line("  profile      {profile}", answer);
      out.line("  feeds        {feeds}", answer);
    } else {
      // It ends in a line break, and so does what is printed.
      out.verbatim(text.stripTrailing());
    }
    answer
        .elements("postfix")
        .forEach(row -> {
          if (row instanceof JsonObject one) {
            beside.accept("  Postfix      " + postfix(one));
          }
        });
    answer.elements("warnings").forEach(w -> out.warn("warning: " + HumanText.value(w)));
    beside.accept("");
    beside.accept("Check first:");
    for (JsonValue point : answer.elements("check")) {
      if (point instanceof JsonObject p) {
        beside.accept(
            "  - " + HumanText.value(p, "topic") + ": " + HumanText.value(p, "what") + ".");
      }
    }
    beside.accept("Then:");
    answer.elements("next").forEach(n -> beside.accept("  " + HumanText.value(n)));
  }
}
