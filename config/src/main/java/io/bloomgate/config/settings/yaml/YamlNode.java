package io.bloomgate.config.settings.yaml;

import java.util.List;
import java.util.Optional;

/** The tree of a YAML text with the place of every node, free of the library. Immutable. */
public sealed interface YamlNode {

  /** The place where the node begins. */
  Place place();

  /** The entries of a section; none for what is no section. */
  default List<Entry> entries() {
    return List.of();
  }

  /** The first entry of a key. */
  default Optional<Entry> entry(String key) {
    return entries().stream().filter(e -> e.key().equals(key)).findFirst();
  }

  /** Line and column, both counted from 1; zeros for a text without lines. */
  record Place(int line, int column) {
    /** A place without lines: an environment variable. */
    public static final Place NONE = new Place(0, 0);

    /** The beginning of a file. */
    public static final Place START = new Place(1, 1);

    /** The place behind the beginning of a text. */
    public static Place behind(String text) {
      int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
      return new Place(line, text.length() - text.lastIndexOf('\n'));
    }
  }

  /**
   * A single value.
   *
   * @param plain false when it was in quotes
   */
  record Scalar(String text, boolean plain, Place place) implements YamlNode {
    /** True for nothing, {@code ~} and {@code null} (YAML 1.2, section 10.3.2). */
    public boolean isNull() {
      return plain && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
    }
  }

  /** A list. */
  record Sequence(List<YamlNode> items, Place place) implements YamlNode {}

  /** A section: its entries in order, repeated keys included. */
  record Mapping(List<Entry> entries, Place place) implements YamlNode {}

  /** One key with its value. */
  record Entry(String key, Place place, YamlNode value) {}
}
