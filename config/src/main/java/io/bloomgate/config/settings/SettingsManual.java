package io.bloomgate.config.settings;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The sample settings as a manual: every section, every key with its notation, default and meaning.
 * The text is that of the sample, notation and default are those of the readers. Made by {@link
 * #ofSample()} for the page bloomgate.yaml(5); immutable.
 *
 * @param head what is said before the first setting
 */
public record SettingsManual(List<Part> head, List<Section> sections) {

  private static final String FILE = "/etc/bloomgate/bloomgate.yaml";

  /** The route of the sample is below this domain. */
  private static final String DOMAINS = "domains: [example.com]";

  private static final Pattern COMMENTED = Pattern.compile("(?m)^#((?:  )*[a-z_]+:)");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?m)^# (tls:|signs:|rules:|(?:  )+[.a-z_-]+:)");
  private static final Pattern SHELL = Pattern.compile("(?m)^   bloomgate .*$");

  /** Names that are free to choose, and what the manual writes for them. */
  private static final Map<Pattern, String> FREE_NAMES = freeNames();

  /** Sections whose keys are those of another section. */
  private static final Map<String, String> SAME_KEYS =
      Map.of("downstream.routes.DOMAIN", "downstream", "feeds.sources.NAME.guard", "feeds.guard");

  /** A piece of the manual. */
  public sealed interface Part {}

  /** A paragraph; each text begins on a new line. */
  public record Prose(List<String> lines) implements Part {
    public Prose {
      lines = List.copyOf(lines);
    }
  }

  /** Lines to copy. */
  public record Lines(List<String> lines) implements Part {
    public Lines {
      lines = List.copyOf(lines);
    }
  }

  /**
   * One key.
   *
   * @param path with the sections around it, joined by dots
   * @param notation how its value is written
   * @param fallback the default as YAML; empty when there is none
   * @param meaning paragraphs; may be none when the text around says it
   */
  public record Setting(String path, String notation, String fallback, List<String> meaning)
      implements Part {
    public Setting {
      meaning = List.copyOf(meaning);
    }
  }

  /** The settings below one key of the top level; {@code name} is empty for those without one. */
  public record Section(String name, List<Part> parts) {
    public Section {
      parts = List.copyOf(parts);
    }
  }

  public SettingsManual {
    head = List.copyOf(head);
    sections = List.copyOf(sections);
  }

  /** The manual of this release. */
  public static SettingsManual ofSample() {
    String sample = Catalogue.resource("bloomgate.yaml");
    return new SampleReader(keys(sample)).read(sample.lines().toList());
  }

  /** The sections that have this key; empty is the top of the file. */
  static List<String> places(String key) {
    return keys(Catalogue.resource("bloomgate.yaml")).keySet().stream()
        .map(path -> List.of(path.split("\\.")))
        .filter(path -> path.contains(key))
        .map(path -> String.join(".", path.subList(0, path.indexOf(key))))
        .distinct()
        .toList();
  }

  /** Every key of the sample and of its examples by its path in the manual, without a meaning. */
  private static Map<String, Setting> keys(String sample) {
    String active = COMMENTED.matcher(sample).replaceAll("$1");
    active = EXAMPLE.matcher(active).replaceAll("$1").replace(DOMAINS, "domains: [.example.com]");
    SettingsResult result =
        SettingsFile.parse(
            FILE, SHELL.matcher(active).replaceAll(""), Map.of(), () -> "mx.example.com");
    if (!(result instanceof SettingsResult.Loaded loaded)) {
      throw new IllegalStateException("the sample settings have mistakes: " + result);
    }
    Map<String, Setting> keys = new LinkedHashMap<>();
    Map<String, Set<String>> defaults = new HashMap<>();
    for (EffectiveValue value : loaded.values()) {
      String path = generalPath(String.join(".", value.path()));
      Optional<String> same = withSameKeys(path);
      String key = same.orElse(path);
      String notation =
          same.isPresent()
              ? "section with the keys of `" + SAME_KEYS.get(key) + "`"
              : value.notation();
      keys.putIfAbsent(key, new Setting(key, notation, "", List.of()));
      if (same.isEmpty() && !value.changed()) {
        defaults.computeIfAbsent(key, k -> new HashSet<>()).add(fallback(value, loaded.values()));
      }
    }
    // A default that is another one in another section is none that could be written down.
    defaults.values().removeIf(values -> values.size() != 1);
    keys.replaceAll((path, key) ->
        new Setting(
            path,
            key.notation(),
            defaults.getOrDefault(path, Set.of("")).iterator().next(),
            List.of()));
    return keys;
  }

  /** A default that is the name of a section is not the same everywhere. */
  private static String fallback(EffectiveValue value, List<EffectiveValue> all) {
    boolean name = all.stream().anyMatch(v -> v.path().contains(value.value()));
    return name || value.value().equals("\"\"") ? "" : value.value();
  }

  static String generalPath(String path) {
    UnaryOperator<String> general =
        text -> {
          String result = text;
          for (Map.Entry<Pattern, String> free : FREE_NAMES.entrySet()) {
            result = free.getKey().matcher(result).replaceFirst(free.getValue());
          }
          return result;
        };
    return general.apply(path);
  }

  private static Map<Pattern, String> freeNames() {
    Map<Pattern, String> names = new LinkedHashMap<>();
    names.put(Pattern.compile("^(listeners|rules)\\.[^.]+"), "$1.NAME");
    names.put(Pattern.compile("^feeds\\.sources\\.[^.]+"), "feeds.sources.NAME");
    names.put(Pattern.compile("\\.headers\\.[^.]+$"), ".headers.HEADER");
    names.put(Pattern.compile("^downstream\\.routes\\..*"), "downstream.routes.DOMAIN");
    return names;
  }

  private static Optional<String> withSameKeys(String path) {
    return SAME_KEYS.keySet().stream()
        .filter(section -> path.equals(section) || path.startsWith(section + "."))
        .findFirst();
  }

  /** Every key, in order. */
  public List<Setting> keys() {
    List<Setting> keys = new ArrayList<>();
    for (Section section : sections) {
      for (Part part : section.parts()) {
        if (part instanceof Setting key) {
          keys.add(key);
        }
      }
    }
    return keys;
  }
}
