package io.bloomgate.cli.support;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The last lines of the decision log, of which only those parts are kept that say nothing of the
 * client, the sender, the recipients and what a mail server answered: no program can see which of
 * these words is the name of a person. Pure but for the reading.
 */
final class LogExcerpt {

  private static final int MOST_OCTETS = 256 << 10;
  private static final int MOST_LINES = 500;

  /** Fields that the gateway writes in its own words. */
  private static final Set<String> FIELDS =
      Set.of(
          "ts",
          "event",
          "verdict",
          "stage",
          "feed",
          "rule",
          "generation",
          "code",
          "enhanced",
          "id",
          "size",
          "ms",
          "outcome",
          "count",
          "nrcpt",
          "mode");

  /** Time, host and program; verdict; stage; codes; the rest. */
  private static final Pattern POSTFIX =
      Pattern.compile(
          "^((?:\\w{3} [ \\d]\\d [\\d:]{8} \\S+ \\S+\\[\\d+\\]: )?NOQUEUE: [a-z_-]+: [A-Z]+) from "
              + "\\S+\\[[^\\]]*\\]: (\\d{3}(?: \\d\\.\\d{1,3}\\.\\d{1,3})?)(.*)$");

  private static final Pattern LOST =
      Pattern.compile(
          "^(?:\\S+ +\\S+ \\S+ \\S+ \\S+ )?warning: \\d+ lines of this log were lost here$");
  private static final Pattern BLOCKED = Pattern.compile(" blocked using ([^ ;\\[\\]]+)");
  private static final Pattern ID = Pattern.compile(" \\[([0-9A-HJKMNP-TV-Z]{10})\\]");
  private static final Pattern FIELD =
      Pattern.compile(" (id|nrcpt|size|ms|outcome|count|feed|rule)=([A-Za-z0-9._-]+)(?= |$)");

  private LogExcerpt() {}

  /** The last lines of a file, oldest first. */
  static List<String> read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long from = Math.max(0, channel.size() - MOST_OCTETS);
      ByteBuffer octets = ByteBuffer.allocate(MOST_OCTETS);
      channel.position(from);
      while (octets.hasRemaining() && channel.read(octets) >= 0) {}
      String text = new String(octets.array(), 0, octets.position(), StandardCharsets.ISO_8859_1);
      List<String> lines = text.lines().skip(from == 0 ? 0 : 1).toList();
      return lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
    }
  }

  /** The part of a line that may be shown. */
  static String shown(String line) {
    if (line.startsWith("{")) {
      return json(line);
    }
    Matcher postfix = POSTFIX.matcher(line);
    if (postfix.matches()) {
      String rest = postfix.group(3);
      return postfix.group(1) + ": " + postfix.group(2) + parts(rest);
    }
    if (LOST.matcher(line).matches()) {
      return line;
    }
    String fields =
        List.of(line.split(" ", -1)).stream()
            .filter(field -> field.indexOf('=') > 0)
            .filter(field -> FIELDS.contains(field.substring(0, field.indexOf('='))))
            .collect(Collectors.joining(" "));
    return fields.isEmpty() ? "(a line of another form, " + line.length() + " characters)" : fields;
  }

  private static String parts(String rest) {
    StringBuilder shown = new StringBuilder();
    Matcher blocked = BLOCKED.matcher(rest);
    if (blocked.find()) {
      shown.append(" blocked using ").append(blocked.group(1));
    }
    Matcher id = ID.matcher(rest);
    if (id.find()) {
      shown.append(" [").append(id.group(1)).append(']');
    }
    Matcher field = FIELD.matcher(rest);
    while (field.find()) {
      shown.append(String.format(Locale.ROOT, " %s=%s", field.group(1), field.group(2)));
    }
    return shown.toString();
  }

  private static String json(String line) {
    try {
      if (Json.parse(line) instanceof JsonObject object) {
        ObjectBuilder shown = JsonValue.object();
        object
            .members()
            .forEach((name, value) -> {
              if (FIELDS.contains(name)) {
                shown.put(name, value);
              }
            });
        return Json.write(shown.build());
      }
    } catch (JsonSyntaxException e) {
      // It was cut, or another program wrote it.
    }
    return "(a line of another form, " + line.length() + " characters)";
  }
}
