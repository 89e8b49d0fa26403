package io.bloomgate.cli.command;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import java.util.List;
import java.util.Map;

/** An object as lines {@code name value}; lists of objects as indented lines below. Pure. */
public final class KeyValueText {

  private KeyValueText() {}

  public static void show(JsonObject item, Output out) {
    int width = item.members().keySet().stream().mapToInt(String::length).max().orElse(0);
    for (Map.Entry<String, JsonValue> member : item.members().entrySet()) {
      String name = TerminalText.safe(member.getKey());
      String pad = " ".repeat(Math.max(0, width - member.getKey().length()) + 2);
      if (member.getValue() instanceof JsonArray(List<JsonValue> elements)
          && elements.stream().anyMatch(JsonObject.class::isInstance)) {
        out.line(name + ":");
        elements.forEach(e -> out.line("  " + HumanText.value(e)));
      } else {
        out.line(name + pad + HumanText.value(member.getValue()));
      }
    }
  }
}
