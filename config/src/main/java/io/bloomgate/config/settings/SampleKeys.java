package io.bloomgate.config.settings;

import io.bloomgate.config.settings.yaml.EffectiveValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Every key of the settings, by reading the sample with all of its examples: notation and default
 * are those of the readers. For the manual page bloomgate.yaml(5), and for hints. Pure.
 */
public final class SampleKeys {

  private static final Pattern COMMENTED = Pattern.compile("(?m)^#((?:  )*[a-z_]+:)");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?m)^# (tls:|signs:|rules:|profiles:|recipients:|(?:  )+[.a-z_-]+:)");
  private static final Pattern SHELL = Pattern.compile("(?m)^   bloomgate .*$");

  /** Sections whose keys are those of another section. */
  private static final Map<String, String> SAME_KEYS =
      Map.of("downstream.routes.DOMAIN", "downstream", "feeds.sources.NAME.guard", "feeds.guard");

  private SampleKeys() {}

  /**
   * One key.
   *
   * @param notation how its value is written
   * @param defaults as YAML; more than one where it depends on the section
   */
  public record Key(String notation, Set<String> defaults) {

    private Key and(Key other) {
      Set<String> all = new TreeSet<>(defaults);
      all.addAll(other.defaults);
      return new Key(notation, all);
    }
  }

  /** The sample is read once: a file may have any number of unknown keys. */
  private static final class Known {
    private static final Map<String, Key> KEYS = Collections.unmodifiableMap(read());
  }

  /** The keys by their {@link #general} paths, in the order of the sample. */
  public static Map<String, Key> all() {
    return Known.KEYS;
  }

  private static Map<String, Key> read() {
    String active = COMMENTED.matcher(SettingsFile.sample()).replaceAll("$1");
    active = EXAMPLE.matcher(active).replaceAll("$1");
    // The route of the sample is below this domain.
    active = active.replace("domains: [example.com]", "domains: [.example.com]");
    SettingsResult result =
        SettingsFile.parse(
            "/sample", SHELL.matcher(active).replaceAll(""), Map.of(), () -> "mx.example.com");
    if (!(result instanceof SettingsResult.Loaded loaded)) {
      throw new IllegalStateException("the sample settings have mistakes: " + result);
    }
    Map<String, Key> keys = new LinkedHashMap<>();
    for (EffectiveValue value : loaded.values()) {
      String path = general(value.path());
      String same = SAME_KEYS.get(path);
      // A default that is the name of a section is not the same everywhere.
      boolean none =
          value.changed()
              || value.value().equals("\"\"")
              || loaded.values().stream().anyMatch(v -> v.path().contains(value.value()));
      Key key =
          same == null
              ? new Key(value.notation(), none ? Set.of() : Set.of(value.value()))
              : new Key("section with the keys of `" + same + "`", Set.of());
      keys.merge(path, key, Key::and);
    }
    return keys;
  }

  /** Names the sections that have the key of a path, for people; not those around it. */
  static List<String> owners(List<String> written) {
    String key = written.getLast();
    String around = general(written.subList(0, written.size() - 1)) + ".";
    return all().keySet().stream()
        .map(path -> List.of(path.split("\\.")))
        .filter(path -> path.contains(key))
        .map(path -> String.join(".", path.subList(0, path.indexOf(key))))
        .distinct()
        .filter(section -> section.isEmpty() || !around.startsWith(section + "."))
        .map(section -> section.isEmpty() ? "the top of the file" : "`" + section + "`")
        .toList();
  }

  /** The path with words for the names that are free to choose. */
  public static String general(List<String> path) {
    return String.join(".", path)
        .replaceFirst("^(listeners|rules|profiles|feeds\\.sources)\\.[^.]+", "$1.NAME")
        .replaceFirst("^(feeds\\.sources\\.NAME\\.guard)\\..*", "$1")
        .replaceFirst("^profiles\\.NAME\\.lists\\..*", "profiles.NAME.lists.NAME")
        .replaceFirst("^recipients\\..*", "recipients.RECIPIENT")
        .replaceFirst("\\.headers\\.[^.]+$", ".headers.HEADER")
        .replaceFirst("^downstream\\.routes\\..*", "downstream.routes.DOMAIN");
  }
}
