package io.bloomgate.blocklists.replay;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNull;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The line of a mail server inside a JSON object: of the journal, of docker, of a syslog server. It
 * becomes the line that syslog would have written, {@code TIME HOST PROGRAM[PID]: TEXT}. Read by
 * what the members are, as every program names them in its own way. Made by {@link #unwrap} for one
 * object.
 */
final class JsonLine {

  /** Objects inside one another: a journal in the log of a container. */
  private static final int MAX_WRAPS = 3;

  /** Names of the member with the text, in lower case without underscores. */
  private static final Set<String> TEXTS =
      Set.of(
          "message", "msg", "log", "line", "content", "shortmessage", "fullmessage", "body", "raw");

  /** The name of a program, which may name its process too. */
  private static final Pattern PROGRAM =
      Pattern.compile("postfix[^\\s/]*/\\S+|(?:exim|haraka)[^\\s/]*", Pattern.CASE_INSENSITIVE);

  private @Nullable String time;
  private @Nullable String host;
  private @Nullable String program;
  private @Nullable String process;
  private @Nullable String text;

  private JsonLine() {}

  /**
   * The line without JSON around it. An object without a text comes without what is before it; all
   * other lines as they are.
   */
  static String unwrap(String line) {
    String own = line;
    for (int i = 0; i < MAX_WRAPS; i++) {
      int open = own.indexOf('{');
      String whole = own.stripTrailing();
      if (open < 0 || open > LogText.MAX_BEFORE || !whole.endsWith("}")) {
        return own;
      }
      try {
        if (!(Json.parse(whole.substring(open)) instanceof JsonObject object)) {
          return own;
        }
        JsonLine parts = new JsonLine();
        parts.addAll(object);
        if (parts.text == null) {
          return whole.substring(open);
        }
        own = own.substring(0, open) + parts.joined(parts.text);
      } catch (JsonSyntaxException e) {
        return own;
      }
    }
    return own;
  }

  private void addAll(JsonObject object) {
    object.members().forEach(this::add);
  }

  private void add(String name, JsonValue value) {
    switch (value) {
      case JsonObject inner -> {
        // {"host":{"name":"mx"},"process":{"name":"postfix/smtpd","pid":101}}
        inner.members().forEach((key, leaf) -> add(key.equals("name") ? name : key, leaf));
      }
      case JsonString(String leaf) -> addLeaf(name, leaf);
      case JsonNumber(String leaf) -> addLeaf(name, leaf);
      case JsonArray _, JsonBoolean _, JsonNull _ -> {}
    }
  }

  private void addLeaf(String given, String value) {
    String name = given.toLowerCase(Locale.ROOT).replace("_", "");
    if (TEXTS.contains(name)) {
      text = text == null ? value : text;
    } else if (PROGRAM.matcher(value).matches()) {
      program = program == null ? value : program;
    } else if (name.endsWith("pid") || name.equals("procid")) {
      process = process == null ? value : process;
    } else if (name.contains("host")) {
      host = host == null ? value : host;
    } else if (isTime(name)) {
      time = time == null ? value.strip() : time;
    }
  }

  /** The journal counts from the start of the machine too. */
  private static boolean isTime(String name) {
    boolean sinceStart = name.contains("monotonic") || name.contains("boot");
    return !sinceStart && (name.contains("time") || name.equals("date") || name.equals("ts"));
  }

  private String joined(String own) {
    StringBuilder line = new StringBuilder(own.length() + 100);
    if (time != null) {
      line.append(time).append(' ');
    }
    if (program != null) {
      line.append(host == null ? "-" : host).append(' ').append(program);
      boolean named = program.indexOf('[') >= 0;
      line.append(named ? "" : "[" + (process == null ? "0" : process) + "]: ");
      line.append(named ? " " : "");
    }
    return line.append(own.stripTrailing()).toString();
  }
}
