package io.bloomgate.config.settings;

import io.bloomgate.config.settings.EffectiveValue.Origin;
import io.bloomgate.config.settings.Problem.Severity;
import io.bloomgate.config.settings.YamlNode.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one reading of the settings found: problems and effective values. Filled by {@link Section}
 * and the binders; one thread, one reading.
 */
final class Report {

  private final String file;
  private final List<Problem> problems = new ArrayList<>();
  private final List<EffectiveValue> values = new ArrayList<>();

  Report(String file) {
    this.file = file;
  }

  String file() {
    return file;
  }

  void add(Severity severity, Origin origin, Place place, BadValueException what) {
    String where = origin instanceof Origin.Environment(String name) ? name : file;
    problems.add(
        new Problem(severity, where, place.line(), place.column(), what.problem(), what.hint()));
  }

  void value(EffectiveValue value) {
    values.add(value);
  }

  /** In the order of the file, the environment last. */
  List<Problem> problems() {
    return problems.stream()
        .sorted(
            Comparator.comparing((Problem p) -> p.line() == 0)
                .thenComparingInt(Problem::line)
                .thenComparingInt(Problem::column))
        .toList();
  }

  boolean hasErrors() {
    return problems.stream().anyMatch(p -> p.severity() == Severity.ERROR);
  }

  List<EffectiveValue> values() {
    return List.copyOf(values);
  }
}
