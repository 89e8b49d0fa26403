package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What was measured, one line "name value" a figure in the file that property {@code bench.figures}
 * names. Each run appends; a name that comes several times stands for the median of its values.
 *
 * @param values by name, in order of their coming
 */
record Figures(Map<String, List<Double>> values) {

  /** Appends a figure and shows it. */
  static void add(String name, double value) throws IOException {
    String line = String.format(Locale.ROOT, "%s %.6g%n", name, value);
    System.out.print(line);
    Files.writeString(file(), line, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Everything that the runs so far appended. */
  static Figures read() throws IOException {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file(), UTF_8)) {
      int space = line.lastIndexOf(' ');
      values
          .computeIfAbsent(line.substring(0, space), name -> new ArrayList<>())
          .add(Double.valueOf(line.substring(space + 1)));
    }
    return new Figures(values);
  }

  private static Path file() {
    return Path.of(System.getProperty("bench.figures", "figures"));
  }

  /** The median of a figure, if it was measured. */
  OptionalDouble median(String name) {
    double[] sorted =
        values.getOrDefault(name, List.of()).stream().mapToDouble(d -> d).sorted().toArray();
    return sorted.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of((sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2);
  }

  /** The lowest value of a figure, which neighbours on the machine disturbed least. */
  OptionalDouble least(String name) {
    return values.getOrDefault(name, List.of()).stream().mapToDouble(d -> d).min();
  }

  /** A number of entries as names of figures spell it: 1M, 500k. */
  static String size(long entries) {
    if (entries % 1_000_000 == 0) {
      return entries / 1_000_000 + "M";
    }
    return entries % 1000 == 0 ? entries / 1000 + "k" : Long.toString(entries);
  }
}
