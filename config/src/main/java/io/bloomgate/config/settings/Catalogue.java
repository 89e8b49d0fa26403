package io.bloomgate.config.settings;

import io.bloomgate.config.settings.YamlNode.Mapping;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The well-known feeds, ready to enable, and how often their publishers may be asked: {@code
 * config/feeds.yaml}, which is a part of the program. Read by the command line for {@code init} and
 * {@code feeds catalogue}, and where schedules are checked or kept. Immutable; any thread.
 */
public final class Catalogue {

  /** The name of the file, in the sources and beside this class. */
  public static final String FILE = "feeds.yaml";

  private final Publishers publishers;
  private final Map<String, CatalogueEntry> entries;

  Catalogue(Publishers publishers, Map<String, CatalogueEntry> entries) {
    this.publishers = publishers;
    this.entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
  }

  /** The catalogue of this program, read at the first use. */
  private static final class BuiltIn {
    private static final Catalogue CATALOGUE = parse(FILE, resource(FILE));
  }

  /** The catalogue that is a part of this program. */
  public static Catalogue builtIn() {
    return BuiltIn.CATALOGUE;
  }

  /** A text that is a part of the program. */
  static String resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(Catalogue.class.getResourceAsStream(name), "resource " + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a catalogue; pure.
   *
   * @param name of the file, for messages
   * @throws IllegalStateException when it has mistakes, or what a settings file is warned of
   */
  static Catalogue parse(String name, String text) {
    Report report = new Report(name);
    try {
      Mapping root = YamlReader.read(text).orElse(null) instanceof Mapping mapping ? mapping : null;
      Catalogue catalogue =
          new CatalogueBinder(report).bind(Section.root(report, new Environment(Map.of()), root));
      if (report.problems().isEmpty()) {
        return catalogue;
      }
      throw new IllegalStateException("the catalogue of feeds is damaged: " + report.problems());
    } catch (YamlReader.YamlException e) {
      throw new IllegalStateException("the catalogue of feeds is damaged", e);
    }
  }

  /** The publishers, with the least time between two downloads from each. */
  public Publishers publishers() {
    return publishers;
  }

  /** Every feed that is downloaded, in the order of the file: those to begin with come first. */
  public List<CatalogueEntry> feeds() {
    return entries.values().stream().filter(entry -> entry.source().isPresent()).toList();
  }

  /** Every feed, and behind them every list that is asked by DNS, in the order of the file. */
  public List<CatalogueEntry> entries() {
    return List.copyOf(entries.values());
  }

  /** A feed or a DNS list by its name. */
  public Optional<CatalogueEntry> entry(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /** The name nearest to a misspelt one. */
  public Optional<String> suggestion(String name) {
    return Suggestion.closest(name, entries.keySet());
  }
}
