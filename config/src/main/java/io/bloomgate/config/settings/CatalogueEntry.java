package io.bloomgate.config.settings;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.CatalogueFeed.Kind;
import io.bloomgate.config.settings.CatalogueFeed.Risk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One list of the {@link Catalogue}, downloaded or asked by DNS, with what an operator wants to
 * know before using it. Read by the command line. Immutable.
 */
public sealed interface CatalogueEntry permits CatalogueFeed, CatalogueDnsList {

  /** The indentation of the lines of {@link #yaml}: below {@code feeds.sources}. */
  String INDENT = "    ";

  /** Name of the list in catalogue and settings. */
  String name();

  /** The publisher's name for the list. */
  String title();

  /** The purpose of the list, in words. */
  String purpose();

  /** The kinds of its entries. */
  Set<Kind> lists();

  /** The publisher's terms. */
  String licence();

  /** The risk that it refuses good mail. */
  Risk risk();

  /** The reason for the risk. */
  String because();

  /** False for lists that are made for browsers. */
  boolean mail();

  /** The key that it needs and where that goes; empty when it needs none. */
  String key();

  /** The action that its listing asks for. */
  Action action();

  /** The parts of a transaction that are looked up in it. */
  Set<Check> checks();

  /** The settings that the entry writes down, below the name of the list. */
  List<EffectiveValue> written();

  /** The comments that {@link #yaml} writes above the list, without indentation. */
  default List<String> comments() {
    List<String> comments = new ArrayList<>();
    comments.add("# " + title() + ": " + purpose() + ".");
    comments.add("# Terms: " + licence() + ".");
    if (!key().isEmpty()) {
      comments.add("# It needs " + key() + ".");
    }
    if (!mail()) {
      comments.add("# Not for mail: " + because() + ".");
    }
    return comments;
  }

  /** The lines for {@code feeds.sources} of the settings, with their indentation. */
  default String yaml() {
    return yaml(Map.of());
  }

  /**
   * The same with other values for some of the keys that are written.
   *
   * @param instead by key, as YAML on one line
   */
  default String yaml(Map<String, String> instead) {
    List<EffectiveValue> values =
        written().stream()
            .map(v ->
                new EffectiveValue(
                    v.path(),
                    instead.getOrDefault(v.path().getLast(), v.value()),
                    v.origin(),
                    v.changed(),
                    v.notation()))
            .toList();
    return (String.join("\n", comments()) + "\n" + SettingsText.render(values, false))
        .lines()
        .map(line -> INDENT + line + "\n")
        .collect(Collectors.joining());
  }
}
