package io.bloomgate.config.settings;

import java.util.List;

/** Effective values as a YAML file, for {@code config show}. Pure. */
public final class SettingsText {

  private static final String INDENT = "  ";

  private SettingsText() {}

  /** The values in their order under their sections; with {@code origin} a comment on each line. */
  public static String render(List<EffectiveValue> values, boolean origin) {
    StringBuilder out = new StringBuilder();
    List<String> open = List.of();
    for (EffectiveValue value : values) {
      List<String> sections = value.path().subList(0, value.path().size() - 1);
      int common = common(open, sections);
      for (int depth = common; depth < sections.size(); depth++) {
        key(out, depth, sections.get(depth)).append('\n');
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

  private static int common(List<String> a, List<String> b) {
    int depth = 0;
    while (depth < Math.min(a.size(), b.size()) && a.get(depth).equals(b.get(depth))) {
      depth++;
    }
    return depth;
  }

  private static StringBuilder key(StringBuilder out, int depth, String key) {
    return out.append(INDENT.repeat(depth)).append(YamlText.scalar(key)).append(':');
  }
}
