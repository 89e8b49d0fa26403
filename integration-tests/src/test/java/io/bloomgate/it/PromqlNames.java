package io.bloomgate.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics and labels that an expression in PromQL names. It reads as much of the language as
 * the dashboard and the alerts use: selectors, functions, aggregations, matching with {@code on}.
 */
final class PromqlNames {

  private static final Set<String> WORDS =
      Set.of("and", "or", "unless", "bool", "offset", "inf", "nan");
  private static final Set<String> GROUPINGS =
      Set.of("by", "without", "on", "ignoring", "group_left", "group_right");

  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*\"|\\[[^\\]]*]|[0-9][0-9a-z.]*|[a-zA-Z_:][a-zA-Z0-9_:]*|\\S");

  /**
   * A label that a selector compares.
   *
   * @param value without quotes
   */
  record LabelMatch(String label, String operator, String value) {}

  /** One metric with what its selector compares. */
  record Selected(String metric, List<LabelMatch> matches) {}

  private final List<Selected> selected = new ArrayList<>();
  private final List<String> grouped = new ArrayList<>();
  private final List<String> tokens = new ArrayList<>();
  private int next;

  private PromqlNames() {}

  /** Reads an expression. */
  static PromqlNames of(String expression) {
    PromqlNames names = new PromqlNames();
    Matcher token = TOKEN.matcher(expression);
    while (token.find()) {
      names.tokens.add(token.group());
    }
    names.read();
    return names;
  }

  /** The metrics, one for each place. */
  List<Selected> selected() {
    return selected;
  }

  /** Labels by which series are grouped or joined. */
  List<String> grouped() {
    return grouped;
  }

  private String peek() {
    return next < tokens.size() ? tokens.get(next) : "";
  }

  private void read() {
    while (next < tokens.size()) {
      String token = tokens.get(next++);
      if (GROUPINGS.contains(token)) {
        readGrouping();
      } else if (isName(token) && !WORDS.contains(token) && !isOperation()) {
        readSelector(token);
      }
    }
  }

  /** A function, or an aggregation whose labels come before its argument. */
  private boolean isOperation() {
    return peek().equals("(") || peek().equals("by") || peek().equals("without");
  }

  private static boolean isName(String token) {
    return Character.isLetter(token.charAt(0)) || token.charAt(0) == '_';
  }

  private void readGrouping() {
    next++;
    while (!peek().equals(")")) {
      if (!peek().equals(",")) {
        grouped.add(peek());
      }
      next++;
    }
    next++;
  }

  private void readSelector(String metric) {
    List<LabelMatch> matches = new ArrayList<>();
    if (peek().equals("{")) {
      next++;
      while (!peek().equals("}")) {
        if (peek().equals(",")) {
          next++;
        } else {
          matches.add(readMatch());
        }
      }
      next++;
    }
    selected.add(new Selected(metric, matches));
  }

  private LabelMatch readMatch() {
    String label = tokens.get(next++);
    StringBuilder operator = new StringBuilder();
    while (!peek().startsWith("\"")) {
      operator.append(tokens.get(next++));
    }
    String quoted = tokens.get(next++);
    return new LabelMatch(label, operator.toString(), quoted.substring(1, quoted.length() - 1));
  }
}
