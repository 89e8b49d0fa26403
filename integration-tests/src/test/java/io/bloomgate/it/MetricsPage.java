package io.bloomgate.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics of a running gateway, and whether an expression in PromQL fits them. */
final class MetricsPage {

  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");
  private static final Pattern PLAIN = Pattern.compile("[a-z_|]+");

  /** What groups or joins series, with its labels. */
  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");

  /** A metric with what is compared; neither a word of the language nor a function. */
  private static final Pattern SELECTOR =
      Pattern.compile(
          "(?<![\\w:.])(?!(?:and|or|unless|bool|offset|inf|nan)\\b)([a-zA-Z_:][\\w:]*+)"
              + "(?!\\s*\\()(?:\\{([^}]*)})?");

  private static final Pattern MATCH = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"([^\"]*)\"");

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
    List<String> unknown = new ArrayList<>();
    Set<String> labels = new HashSet<>(ADDED);
    for (MatchResult selected : selected(expression)) {
      Map<String, Set<String>> known = metrics.get(selected.group(1));
      if (known == null) {
        unknown.add("metric " + selected.group(1));
        continue;
      }
      labels.addAll(known.keySet());
      MATCH
          .matcher(Objects.toString(selected.group(2), ""))
          .results()
          .forEach(
              match -> check(selected.group(1), known, match.group(1), match.group(2), unknown));
    }
    GROUPING
        .matcher(expression)
        .results()
        .flatMap(grouping -> Arrays.stream(grouping.group(1).split("[, ]+")))
        .filter(label -> !label.isEmpty() && !labels.contains(label))
        .forEach(label -> unknown.add("label " + label));
    return unknown;
  }

  /** The metrics of an expression, one for each place, with what their selectors compare. */
  private static List<MatchResult> selected(String expression) {
    String selectors = GROUPING.matcher(expression).replaceAll(" ").replaceAll("\\[[^\\]]*]", "");
    return SELECTOR.matcher(selectors).results().toList();
  }

  private void check(
      String metric,
      Map<String, Set<String>> known,
      String label,
      String value,
      List<String> unknown) {
    if (ADDED.contains(label)) {
      return;
    }
    Set<String> values = new HashSet<>(known.getOrDefault(label, Set.of()));
    if (values.isEmpty()) {
      unknown.add("label " + label + " of " + metric);
      return;
    }
    values.addAll(words.getOrDefault(label, Set.of()));
    if (PLAIN.matcher(value).matches()) {
      Arrays.stream(value.split("\\|"))
          .filter(each -> !values.contains(each))
          .forEach(each -> unknown.add("value " + each + " of label " + label));
    }
  }

  /** Labels of the metrics in an expression; none for an unknown metric. */
  Set<String> labels(String expression) {
    Set<String> labels = new HashSet<>(ADDED);
    selected(expression)
        .forEach(each -> labels.addAll(metrics.getOrDefault(each.group(1), Map.of()).keySet()));
    return labels;
  }
}
