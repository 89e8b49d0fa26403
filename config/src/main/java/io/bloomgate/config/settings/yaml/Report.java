package io.bloomgate.config.settings.yaml;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.yaml.EffectiveValue.Origin;
import io.bloomgate.config.settings.yaml.Problem.Severity;
import io.bloomgate.config.settings.yaml.YamlNode.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The findings of one reading of the settings: problems and effective values. Filled by {@link
 * Section} and the binders; one thread, one reading.
 */
public final class Report {

  private final String file;
  private final Surroundings around;
  private final List<Found> found = new ArrayList<>();

  /** Keys that are written wrong in another way: that they are missing is no second mistake. */
  private final List<List<String>> mistaken = new ArrayList<>();

  private final List<EffectiveValue> values = new ArrayList<>();

  /**
   * A problem.
   *
   * @param missing the key that is not there; empty for problems of another kind
   */
  private record Found(Problem problem, List<String> missing) {}

  public Report(String file, Surroundings around) {
    this.file = file;
    this.around = around;
  }

  public Surroundings around() {
    return around;
  }

  String file() {
    return file;
  }

  /** Adds a problem; one of a variable has no place. */
  public void add(Severity severity, Origin origin, Place place, BadValueException what) {
    found.add(
        new Found(
            origin instanceof Origin.Environment(String name)
                ? problem(severity, name, Place.NONE, what)
                : problem(severity, file, place, what),
            List.of()));
  }

  /** An error because a key is not there. */
  void missing(List<String> key, Place place, BadValueException what) {
    found.add(new Found(problem(Severity.ERROR, file, place, what), key));
  }

  static Problem problem(Severity severity, String file, Place at, BadValueException what) {
    return new Problem(severity, file, at.line(), at.column(), what.problem(), what.hint());
  }

  /** The key or section is there and written wrong, which is a separate problem. */
  void mistaken(List<String> key) {
    mistaken.add(key);
  }

  void value(EffectiveValue value) {
    values.add(value);
  }

  /** The problems in the order of the file, the environment last. */
  public List<Problem> problems() {
    return found.stream()
        .filter(one -> !isMistaken(one.missing))
        .map(Found::problem)
        .sorted(
            Comparator.comparing((Problem p) -> p.line() == 0)
                .thenComparingInt(Problem::line)
                .thenComparingInt(Problem::column))
        .toList();
  }

  private boolean isMistaken(List<String> missing) {
    return mistaken.stream()
        .anyMatch(
            key -> key.size() <= missing.size() && missing.subList(0, key.size()).equals(key));
  }

  public boolean hasErrors() {
    return problems().stream().anyMatch(p -> p.severity() == Severity.ERROR);
  }

  public List<EffectiveValue> values() {
    return List.copyOf(values);
  }
}
