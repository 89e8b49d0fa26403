package io.bloomgate.config.settings;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Values as YAML on one line, safe for YAML 1.1 readers too. Pure. */
final class YamlText {

  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9/._][A-Za-z0-9/._%@+-]*(?::[A-Za-z0-9/._%@+-]+)*");
  private static final Pattern OCTAL = Pattern.compile("0[0-9]+");

  /** Words that some YAML reader takes for something else than text. */
  private static final Set<String> SPECIAL =
      Set.of("null", "Null", "NULL", "yes", "no", "on", "off", "y", "n", ".nan", ".inf");

  private YamlText() {}

  /** One value, quoted where it must be. */
  static String scalar(String text) {
    if (PLAIN.matcher(text).matches()
        && !OCTAL.matcher(text).matches()
        && !SPECIAL.contains(text)) {
      return text;
    }
    StringBuilder out = new StringBuilder("\"");
    text.codePoints()
        .forEach(c -> {
          if (c == '"' || c == '\\') {
            out.append('\\').appendCodePoint(c);
          } else if (c >= 0x20 && c < 0x7f) {
            out.appendCodePoint(c);
          } else {
            out.append(String.format("\\U%08x", c));
          }
        });
    return out.append('"').toString();
  }

  /** A list in flow style. */
  static String list(List<String> items) {
    return items.stream().map(YamlText::scalar).collect(Collectors.joining(", ", "[", "]"));
  }
}
