package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.settings.yaml.YamlNode;
import io.bloomgate.config.settings.yaml.YamlNode.Entry;
import io.bloomgate.config.settings.yaml.YamlNode.Mapping;
import io.bloomgate.config.settings.yaml.YamlNode.Place;
import io.bloomgate.config.settings.yaml.YamlNode.Scalar;
import io.bloomgate.config.settings.yaml.YamlNode.Sequence;
import io.bloomgate.config.settings.yaml.YamlReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The text of a settings file with a feed more or less under {@code feeds.sources}; all other
 * lines, comments among them, stay as they are. Pure; used with {@link SettingsEdit}.
 */
public final class SourcesText {

  private static final String FEEDS = "feeds";
  private static final String SOURCES = "sources";
  private static final String ACTION = "action";
  private static final String RULES = "rules";
  private static final List<String> NAMES_OF_RULE = List.of("of", "all");
  private static final String INDENT = "  ";
  private static final String NOTHING = "\\{\\s*\\}";

  private final List<String> lines;
  private final Optional<Entry> feeds;
  private final Optional<Entry> sources;
  private final List<Entry> rules;

  private SourcesText(String text) throws BadValueException {
    this.lines = new ArrayList<>(text.lines().toList());
    try {
      YamlNode root = YamlReader.read(text).orElse(new Mapping(List.of(), Place.START));
      this.feeds = root.entry(FEEDS);
      this.sources = feeds.flatMap(entry -> entry.value().entry(SOURCES));
      this.rules = root.entry(RULES).map(entry -> entry.value().entries()).orElse(List.of());
    } catch (YamlReader.YamlException e) {
      throw new BadValueException(
          "line " + e.place().line() + ": " + e.getMessage(), "`bloomgate config validate` first");
    }
  }

  /**
   * Adds a feed behind those that are there.
   *
   * @param feed its lines, the first of them at column 0
   * @throws BadValueException it is there already, or the text is written so that lines cannot be
   *     added
   */
  public static String add(String text, String name, String feed) throws BadValueException {
    return new SourcesText(text).with(name, feed);
  }

  /**
   * Takes a feed out.
   *
   * @param comments lines directly above the feed that go with it where they are as they were
   *     written, without their indentation
   * @throws BadValueException it is not there, a rule or another list names it, or it shares a line
   *     with something else
   */
  public static String remove(String text, String name, List<String> comments)
      throws BadValueException {
    return new SourcesText(text).without(name, comments);
  }

  /**
   * Gives a feed another action.
   *
   * @throws BadValueException the feed is not there, or it is in braces or its action in quotes
   */
  public static String act(String text, String name, String action) throws BadValueException {
    return new SourcesText(text).acting(name, action);
  }

  private String acting(String name, String action) throws BadValueException {
    Entry feed = feed(name).orElseThrow(() -> noFeed(name));
    Entry old = feed.value().entry(ACTION).orElse(null);
    if (old == null) {
      below(feed, ACTION + ": " + action);
      return text();
    }
    if (!(old.value() instanceof Scalar was) || !was.plain() || was.isNull()) {
      throw new BadValueException(
          "the action of "
              + Shown.bare(name)
              + " is in quotes or empty, in line "
              + old.place().line(),
          "write action: " + action + " there by hand");
    }
    int line = was.place().line() - 1;
    int column = was.place().column() - 1;
    String before = lines.get(line);
    lines.set(
        line,
        before.substring(0, column) + action + before.substring(column + was.text().length()));
    return text();
  }

  private static BadValueException noFeed(String name) {
    return new BadValueException(
        "there is no feed " + Shown.bare(name) + " in this file", "`bloomgate feeds list`");
  }

  private Optional<Entry> feed(String name) {
    return sources.flatMap(section -> section.value().entry(name));
  }

  private String with(String name, String feed) throws BadValueException {
    Entry known = feed(name).orElse(null);
    if (known != null) {
      throw new BadValueException(
          "there is a feed " + Shown.bare(name) + " already, in line " + known.place().line(),
          "take another name, or change that one by hand");
    }
    if (sources.isPresent()) {
      below(sources.get(), feed);
    } else if (feeds.isPresent()) {
      below(feeds.get(), SOURCES + ":\n" + indented(feed, INDENT));
    } else {
      insert(
          lines.size(), FEEDS + ":\n" + indented(SOURCES + ":\n" + indented(feed, INDENT), INDENT));
    }
    return text();
  }

  /** Inserts a feed after the last child of a section, as deep as its other children. */
  private void below(Entry section, String feed) throws BadValueException {
    List<Entry> children = section.value().entries();
    openBraces(section);
    if (children.isEmpty()) {
      String indent = " ".repeat(section.place().column() - 1) + INDENT;
      insert(section.place().line(), indented(feed, indent));
    } else {
      String indent = " ".repeat(children.getFirst().place().column() - 1);
      insert(endOf(children.getLast()), indented(feed, indent));
    }
  }

  /** Removes empty braces; refuses braces that are not empty. */
  private void openBraces(Entry section) throws BadValueException {
    int line = section.value().place().line() - 1;
    boolean braces =
        section.value() instanceof Mapping
            && line < lines.size()
            && lines.get(line).startsWith("{", section.value().place().column() - 1);
    if (!braces) {
      return;
    }
    String before = lines.get(line).substring(0, section.value().place().column() - 1);
    String behind = lines.get(line).substring(before.length());
    if (!behind.matches(NOTHING + "\\s*(#.*)?")) {
      throw new BadValueException(
          section.key() + " is in braces, in line " + (line + 1),
          "write it over several lines first, a key a line");
    }
    lines.set(line, (before + behind.replaceFirst(NOTHING, "")).stripTrailing());
  }

  private String without(String name, List<String> comments) throws BadValueException {
    Entry feed = feed(name).orElseThrow(() -> noFeed(name));
    Entry section = sources.orElseThrow();
    requireUnnamed(section, name);
    openBraces(section);
    lines.subList(startOf(feed, comments), endOf(feed)).clear();
    if (section.value().entries().size() == 1) {
      int line = section.place().line() - 1;
      lines.set(line, lines.get(line).replaceFirst(":", ": {}"));
    }
    return text();
  }

  /** Rules and lists with {@code dns_of} would name what is no longer there. */
  private void requireUnnamed(Entry section, String name) throws BadValueException {
    List<String> users = new ArrayList<>();
    for (Entry rule : rules) {
      for (String key : NAMES_OF_RULE) {
        if (names(rule, key, name)) {
          String shown = Shown.bare(rule.key());
          users.add("the rule " + shown + " (rules." + shown + "." + key + ")");
        }
      }
    }
    for (Entry list : section.value().entries()) {
      if (names(list, "dns_of", name)) {
        users.add("the DNS list " + Shown.bare(list.key()) + " (its dns_of)");
      }
    }
    if (!users.isEmpty()) {
      throw BadValueException.of(
          name,
          "is still named by " + String.join(", ", users),
          "take it out of " + (users.size() == 1 ? "this" : "these") + " first, then remove it");
    }
  }

  private static boolean names(Entry entry, String key, String name) {
    return entry.value().entry(key).filter(of -> names(of.value(), name)).isPresent();
  }

  private static boolean names(YamlNode value, String name) {
    return switch (value) {
      case Scalar scalar -> scalar.text().equals(name);
      case Sequence list -> list.items().stream().anyMatch(item -> names(item, name));
      case Mapping ignored -> false;
    };
  }

  /** The number of lines before an entry and the comments directly above it that go with it. */
  private int startOf(Entry entry, List<String> comments) {
    int start = entry.place().line() - 1;
    String indent = " ".repeat(entry.place().column() - 1);
    for (String comment : comments.reversed()) {
      if (start == 0 || !lines.get(start - 1).equals(indent + comment)) {
        return start;
      }
      start--;
    }
    return start;
  }

  /** The number of lines up to the last one of an entry: what is deeper belongs to it. */
  private int endOf(Entry entry) {
    int end = entry.place().line();
    for (int line = end; line < lines.size(); line++) {
      String text = lines.get(line);
      int depth = text.length() - text.stripLeading().length();
      if (!text.isBlank() && depth < entry.place().column()) {
        return end;
      }
      if (!text.isBlank()) {
        end = line + 1;
      }
    }
    return end;
  }

  private void insert(int after, String text) {
    lines.addAll(after, text.lines().toList());
  }

  private static String indented(String text, String indent) {
    return text.indent(indent.length());
  }

  private String text() {
    return String.join("\n", lines) + "\n";
  }
}
