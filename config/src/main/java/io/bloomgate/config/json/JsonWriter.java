package io.bloomgate.config.json;

import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.util.Map;

/** Values to text on one line; called by {@link Json#write} only. Pure. */
final class JsonWriter {

  private static final String HEX = "0123456789abcdef";

  private JsonWriter() {}

  static void append(StringBuilder out, JsonValue value) {
    // Each command writes JSON, and Java makes a class at run time for a switch over patterns.
    if (value instanceof JsonObject object) {
      appendObject(out, object);
    } else if (value instanceof JsonArray array) {
      appendArray(out, array);
    } else if (value instanceof JsonString(String text)) {
      appendString(out, text);
    } else if (value instanceof JsonNumber(String literal)) {
      out.append(literal);
    } else if (value instanceof JsonBoolean(boolean flag)) {
      out.append(flag);
    } else {
      out.append("null");
    }
  }

  private static void appendObject(StringBuilder out, JsonObject object) {
    char before = '{';
    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
      out.append(before);
      appendString(out, member.getKey());
      out.append(':');
      append(out, member.getValue());
      before = ',';
    }
    out.append(object.members().isEmpty() ? "{}" : "}");
  }

  private static void appendArray(StringBuilder out, JsonArray array) {
    char before = '[';
    for (JsonValue element : array.elements()) {
      out.append(before);
      append(out, element);
      before = ',';
    }
    out.append(array.elements().isEmpty() ? "[]" : "]");
  }

  private static void appendString(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        out.append(c).append(text.charAt(++i));
      } else {
        appendChar(out, c);
      }
    }
    out.append('"');
  }

  private static void appendChar(StringBuilder out, char c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (Character.isISOControl(c)
            || c == '\u2028'
            || c == '\u2029'
            || Character.isSurrogate(c)) {
          appendEscape(out, c);
        } else {
          out.append(c);
        }
      }
    }
  }

  private static void appendEscape(StringBuilder out, char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(HEX.charAt((c >> shift) & 0xf));
    }
  }
}
