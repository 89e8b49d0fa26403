package io.bloomgate.it;

import io.bloomgate.it.PromqlNames.LabelMatch;
import io.bloomgate.it.PromqlNames.Selected;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of a running gateway, and whether an expression in PromQL fits them. */
final class MetricsPage {

  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");
  private static final Pattern PLAIN = Pattern.compile("[a-z_|]+");

  /** What Prometheus adds by itself. */
  private static final Set<String> ADDED = Set.of("instance", "job");

  /** By metric: its labels with the values that occur. */
  private final Map<String, Map<String, Set<String>>> metrics = new HashMap<>();

  private final Map<String, Set<String>> words;

  /**
   * Reads a page.
   *
   * @param words values that labels may have, too: not all states of a gateway occur in one test
   */
  MetricsPage(String page, Map<String, Set<String>> words) {
    this.words = words;
    metrics.put("up", new HashMap<>());
    page.lines().filter(line -> !line.startsWith("#")).forEach(this::read);
  }

  private void read(String line) {
    Map<String, Set<String>> labels =
        metrics.computeIfAbsent(line.split("[{ ]", 2)[0], name -> new HashMap<>());
    Matcher label = LABEL.matcher(line);
    while (label.find()) {
      labels.computeIfAbsent(label.group(1), name -> new HashSet<>()).add(label.group(2));
    }
  }

  /** What an expression names and the page does not have. */
  List<String> unknown(String expression) {
    PromqlNames names = PromqlNames.of(expression);
    List<String> unknown = new ArrayList<>();
    Set<String> labels = new HashSet<>(ADDED);
    for (Selected selected : names.selected()) {
      Map<String, Set<String>> known = metrics.get(selected.metric());
      if (known == null) {
        unknown.add("metric " + selected.metric());
      } else {
        labels.addAll(known.keySet());
        selected.matches().forEach(match -> check(selected.metric(), known, match, unknown));
      }
    }
    names.grouped().stream()
        .filter(label -> !labels.contains(label))
        .forEach(label -> unknown.add("label " + label));
    return unknown;
  }

  private void check(
      String metric, Map<String, Set<String>> known, LabelMatch match, List<String> unknown) {
    if (ADDED.contains(match.label())) {
      return;
    }
    Set<String> values = new HashSet<>(known.getOrDefault(match.label(), Set.of()));
    if (values.isEmpty()) {
      unknown.add("label " + match.label() + " of " + metric);
      return;
    }
    values.addAll(words.getOrDefault(match.label(), Set.of()));
    if (PLAIN.matcher(match.value()).matches()) {
      Arrays.stream(match.value().split("\\|"))
          .filter(value -> !values.contains(value))
          .forEach(value -> unknown.add("value " + value + " of label " + match.label()));
    }
  }

  /** Labels of the metrics in an expression; none for an unknown metric. */
  Set<String> labels(String expression) {
    Set<String> labels = new HashSet<>(ADDED);
    for (Selected selected : PromqlNames.of(expression).selected()) {
      labels.addAll(metrics.getOrDefault(selected.metric(), Map.of()).keySet());
    }
    return labels;
  }
}
