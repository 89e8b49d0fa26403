package io.bloomgate.config.settings.yaml;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Effective values as a YAML file, for {@code config show}, and single values as YAML on one line,
 * safe for YAML 1.1 readers too. Pure.
 */
public final class SettingsText {

  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9/._][A-Za-z0-9/._%@+-]*(?::[A-Za-z0-9/._%@+-]+)*");
  private static final Pattern OCTAL = Pattern.compile("0[0-9]+");

  /** Words that some YAML reader takes for something else than text. */
  private static final Set<String> SPECIAL =
      Set.of("null", "Null", "NULL", "yes", "no", "on", "off", "y", "n", ".nan", ".inf");

  private static final String INDENT = "  ";

  /** A section that is an element of a list, as a part of a path. */
  private static final Pattern ELEMENT = Pattern.compile("([a-z_]+)\\[(\\d+)]");

  private SettingsText() {}

  /** The values in their order under their sections; with {@code origin} a comment on each line. */
  public static String render(List<EffectiveValue> values, boolean origin) {
    StringBuilder out = new StringBuilder();
    List<String> open = List.of();
    for (EffectiveValue value : values) {
      List<String> sections = value.path().subList(0, value.path().size() - 1);
      int common = common(open, sections);
      for (int depth = common; depth < sections.size(); depth++) {
        section(out, depth, sections.get(depth));
      }
      key(out, sections.size(), value.path().getLast()).append(' ').append(value.value());
      if (origin) {
        out.append("   # ").append(value.origin());
      }
      out.append('\n');
      open = sections;
    }
    return out.toString();
  }

  /** The key of a section, or the beginning of an element {@code key[0]} of a list. */
  private static void section(StringBuilder out, int depth, String name) {
    Matcher element = ELEMENT.matcher(name);
    if (!element.matches()) {
      key(out, depth, name).append('\n');
      return;
    }
    if (element.group(2).equals("0")) {
      key(out, depth, element.group(1)).append('\n');
    }
    out.append(INDENT.repeat(depth)).append("-\n");
  }

  private static int common(List<String> a, List<String> b) {
    int depth = 0;
    while (depth < Math.min(a.size(), b.size()) && a.get(depth).equals(b.get(depth))) {
      depth++;
    }
    return depth;
  }

  private static StringBuilder key(StringBuilder out, int depth, String key) {
    return out.append(INDENT.repeat(depth)).append(SettingsText.scalar(key)).append(':');
  }

  /** One value, quoted where it must be. */
  public static String scalar(String text) {
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
  public static String list(List<String> items) {
    return items.stream().map(SettingsText::scalar).collect(Collectors.joining(", ", "[", "]"));
  }
}
