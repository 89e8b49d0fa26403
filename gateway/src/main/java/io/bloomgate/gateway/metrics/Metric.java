package io.bloomgate.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.Keyed;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A metric of the gateway, a line of metrics.txt. No other is registered but those of the Java
 * runtime, which are micrometer's; config/handbook/reference.md has a table made from it.
 * Immutable.
 *
 * @param name words with dots between
 * @param unit of a value; empty when the labels carry all
 * @param labels names of the labels that each series has
 * @param meaning one sentence for operators
 */
record Metric(String name, Kind kind, String unit, List<String> labels, String meaning) {
  private static final String FILE = "metrics.txt";
  private static final Pattern END = Pattern.compile("\\s*\\|\\s*");
  private static final Map<String, Metric> ALL = read();

  /** The type in the Prometheus text format, and what that format adds to the name. */
  enum Kind {
    COUNTER("counter", "_total"),
    GAUGE("gauge", ""),

    /** A histogram of octets; a gauge of the same name and {@code _max} is beside it. */
    SIZES("histogram", "_bytes"),

    /** The same of durations. */
    TIMES("histogram", "_seconds");

    private final String word;
    private final String suffix;

    Kind(String word, String suffix) {
      this.word = word;
      this.suffix = suffix;
    }
  }

  private static Map<String, Metric> read() {
    try (InputStream in = Metric.class.getResourceAsStream(FILE)) {
      Map<String, Metric> all = new LinkedHashMap<>();
      new String(Objects.requireNonNull(in, FILE).readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> END.split(line, -1))
          .forEach(row ->
              all.put(
                  row[0],
                  new Metric(
                      row[0],
                      Kind.valueOf(row[1].toUpperCase(Locale.ROOT)),
                      row[2],
                      row[3].isEmpty() ? List.of() : List.of(row[3].split(" ", -1)),
                      row[4])));
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The metric of this name, which has to be in the file. */
  static Metric of(String name) {
    return Objects.requireNonNull(ALL.get(name), name);
  }

  static List<Metric> all() {
    return List.copyOf(ALL.values());
  }

  /** The name for micrometer, words with dots between. */
  String meter() {
    return "bloomgate." + name;
  }

  /** The name on the metrics page. */
  String exposed() {
    return meter().toLowerCase(Locale.ROOT).replace('.', '_') + kind.suffix;
  }

  /** The type on the metrics page. */
  String type() {
    return kind.word;
  }

  /** The labels with {@code values} in their order, as micrometer takes them: name, value, ... */
  String[] tags(Object... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(name + " has the labels " + labels);
    }
    List<String> tags = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      tags.add(labels.get(i));
      tags.add(values[i] instanceof Keyed constant ? constant.key() : values[i].toString());
    }
    return tags.toArray(String[]::new);
  }
}
