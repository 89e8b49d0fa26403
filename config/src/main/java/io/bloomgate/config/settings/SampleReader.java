package io.bloomgate.config.settings;

import io.bloomgate.config.settings.SettingsManual.Lines;
import io.bloomgate.config.settings.SettingsManual.Part;
import io.bloomgate.config.settings.SettingsManual.Prose;
import io.bloomgate.config.settings.SettingsManual.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the layout of the sample settings, which its first lines explain: a setting begins right
 * after its comment sign or whole steps of two blanks further right; examples and prose are one
 * blank further right. Prose above a key, and the comment behind it, say what it means. Used once
 * by {@link SettingsManual#ofSample()}; not thread-safe.
 */
final class SampleReader {

  private static final Pattern SETTING =
      Pattern.compile("#?((?:  )*)([a-z_]+):(?: +(?!#)(.*?))?(?: +# (.*))?");
  private static final Pattern EXAMPLE =
      Pattern.compile("# ((?:  )*)([.A-Za-z0-9_-]+):(?: +(?!#)(.*?))?(?: +# (.*))?");
  private static final Pattern MORE = Pattern.compile("#? {8,}# (.*)");
  private static final Pattern INDENTED = Pattern.compile("#   +.*");
  private static final Pattern WORD_FIRST = Pattern.compile("[a-z0-9_-]+: +\\S.*");
  private static final String EXAMPLE_FOLLOWS = "Example:";

  private final Map<String, Setting> keys;
  private final List<SettingsManual.Section> sections = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private final List<String> prose = new ArrayList<>();
  private final List<String> example = new ArrayList<>();
  private final List<String> path = new ArrayList<>();

  /** Comments of examples by the path of the key, until the section is done. */
  private final Map<String, List<String>> comments = new LinkedHashMap<>();

  private String name = "";
  private String lastExample = "";
  private boolean exampleSeen;

  SampleReader(Map<String, Setting> keys) {
    this.keys = new LinkedHashMap<>(keys);
  }

  SettingsManual read(List<String> lines) {
    int settings = headLines(lines);
    List<Part> head = head(lines.subList(0, settings));
    for (String line : lines.subList(settings, lines.size())) {
      line(line);
    }
    endSection();
    return new SettingsManual(head, sections);
  }

  /** The head is everything before the prose of the first setting, which follows a blank line. */
  private static int headLines(List<String> lines) {
    int end = lines.indexOf("");
    return end < 0 ? 0 : end + 1;
  }

  private List<Part> head(List<String> lines) {
    List<Part> head = new ArrayList<>();
    List<String> literal = new ArrayList<>();
    for (String line : lines) {
      if (INDENTED.matcher(line).matches()) {
        flushProse(head);
        literal.add(line.substring(1).strip());
      } else {
        flush(head, literal);
        prose(line, head);
      }
    }
    flushProse(head);
    return head;
  }

  private void line(String line) {
    Matcher setting = SETTING.matcher(line);
    Matcher example = EXAMPLE.matcher(line);
    Matcher more = MORE.matcher(line);
    if (more.matches()) {
      more(more.group(1));
    } else if (setting.matches()) {
      setting(setting);
    } else if (example.matches() && isExample(example)) {
      example(line, example);
    } else {
      flush(parts, this.example);
      prose(line, parts);
      if (line.isEmpty()) {
        exampleSeen = false;
      }
    }
  }

  /** Prose may look like an example; one is announced, and goes on with deeper lines. */
  private boolean isExample(Matcher line) {
    boolean deep = !line.group(1).isEmpty();
    boolean announced = !prose.isEmpty() && prose.getLast().endsWith(EXAMPLE_FOLLOWS);
    return announced || (deep && (exampleSeen || !example.isEmpty()));
  }

  private void setting(Matcher line) {
    flush(parts, example);
    int depth = line.group(1).length() / 2;
    boolean leaf = line.group(3) != null;
    if (depth == 0 && (!leaf || !name.isEmpty())) {
      beginSection(leaf ? "" : line.group(2));
    }
    enter(depth, line.group(2));
    String here = SettingsManual.generalPath(String.join(".", path));
    List<String> meaning = new ArrayList<>();
    if (exampleSeen || (!leaf && depth == 0)) {
      flushProse(parts);
    } else {
      meaning.addAll(sentences());
    }
    exampleSeen = false;
    if (line.group(4) != null) {
      meaning.add(line.group(4));
    }
    if (keys.containsKey(here) || (depth > 0 && !meaning.isEmpty())) {
      key(here, meaning);
    }
    if (leaf) {
      keysBelow(here);
    }
  }

  private void example(String line, Matcher key) {
    int depth = key.group(1).length() / 2;
    if (depth == 0) {
      beginSection(key.group(2));
    }
    flushProse(parts);
    exampleSeen = true;
    enter(depth, key.group(2));
    lastExample = SettingsManual.generalPath(String.join(".", path));
    String comment = key.group(4);
    example.add(comment == null ? line.substring(2) : withoutComment(line.substring(2), comment));
    if (comment != null) {
      comments.computeIfAbsent(lastExample, p -> new ArrayList<>()).add(comment);
    }
  }

  private static String withoutComment(String line, String comment) {
    return line.substring(0, line.length() - comment.length() - "# ".length()).stripTrailing();
  }

  /** The comment behind a key goes on in the next line. */
  private void more(String text) {
    if (!example.isEmpty()) {
      comments.merge(lastExample, List.of(text), SampleReader::joined);
    } else if (!parts.isEmpty() && parts.getLast() instanceof Setting last) {
      parts.set(
          parts.size() - 1,
          new Setting(
              last.path(),
              last.notation(),
              last.fallback(),
              joined(last.meaning(), List.of(text))));
    }
  }

  private static List<String> joined(List<String> said, List<String> more) {
    List<String> all = new ArrayList<>(said);
    String last = all.isEmpty() ? "" : all.removeLast() + " ";
    all.add(last + more.getFirst());
    return all;
  }

  private void enter(int depth, String key) {
    while (path.size() > depth) {
      path.removeLast();
    }
    path.add(key);
  }

  private void key(String here, List<String> meaning) {
    Setting known = keys.remove(here);
    parts.add(
        known == null
            ? new Setting(here, "section", "", meaning)
            : new Setting(here, known.notation(), known.fallback(), meaning));
  }

  /** Keys that the sample writes on the line of the key around them, or only in examples. */
  private void keysBelow(String here) {
    for (String below : List.copyOf(keys.keySet())) {
      if (below.startsWith(here + ".")) {
        key(below, meaning(below));
      }
    }
  }

  /**
   * The comment of the example about a key; for the only key of a section it is after the section.
   */
  private List<String> meaning(String key) {
    String around = key.substring(0, Math.max(0, key.lastIndexOf('.')));
    boolean only = key.endsWith(".action") && around.startsWith("signs.");
    return comments.getOrDefault(key, only ? comments.getOrDefault(around, List.of()) : List.of());
  }

  private void beginSection(String next) {
    List<String> saved = List.copyOf(prose);
    prose.clear();
    endSection();
    prose.addAll(saved);
    name = next;
  }

  private void endSection() {
    flush(parts, example);
    flushProse(parts);
    if (!name.isEmpty()) {
      keysBelow(name);
    }
    if (!parts.isEmpty()) {
      sections.add(new SettingsManual.Section(name, parts));
    }
    parts.clear();
    comments.clear();
    exampleSeen = false;
  }

  private void prose(String line, List<Part> to) {
    if (line.isEmpty() || line.equals("#")) {
      flushProse(to);
      return;
    }
    String text = line.strip().substring(1).strip();
    boolean list = WORD_FIRST.matcher(text).matches();
    boolean starts = prose.isEmpty() || (list && prose.getLast().endsWith("."));
    if (starts) {
      prose.add(text);
    } else {
      prose.set(prose.size() - 1, prose.getLast() + " " + text);
    }
  }

  /** The prose so far, without the announcement of an example. */
  private List<String> sentences() {
    List<String> said = prose.stream().map(s -> s.replaceAll(" +", " ")).toList();
    prose.clear();
    return said;
  }

  private void flushProse(List<Part> to) {
    if (!prose.isEmpty()) {
      to.add(new Prose(sentences()));
    }
  }

  private static void flush(List<Part> to, List<String> literal) {
    if (!literal.isEmpty()) {
      to.add(new Lines(literal));
      literal.clear();
    }
  }
}
