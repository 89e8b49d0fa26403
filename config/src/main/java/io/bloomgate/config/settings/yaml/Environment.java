package io.bloomgate.config.settings.yaml;

import io.bloomgate.config.notation.Suggestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The environment variables that override settings: {@code BLOOMGATE_DOWNSTREAM__HOST} is {@code
 * downstream.host}. Case and the difference of {@code -}, {@code .} and {@code _} do not count.
 * Remembers which were asked for, so that the rest can be reported. One thread, one reading.
 */
public final class Environment {

  static final String PREFIX = "BLOOMGATE_";

  /**
   * The variables that are no settings: read by the launcher and by the installation of a package.
   */
  private static final Set<String> OTHERS =
      Set.of("BLOOMGATE_JAVA_OPTS", "BLOOMGATE_CLI_JAVA_OPTS", "BLOOMGATE_TRAIN");

  /** A variable as it is spelt, with its value. */
  public record Variable(String name, String value) {}

  private final Map<String, Variable> variables = new TreeMap<>();
  private final Set<String> unasked = new TreeSet<>();
  private final Set<String> asked = new TreeSet<>();

  public Environment(Map<String, String> environment) {
    environment.forEach((name, value) -> {
      String plain = plain(name);
      if (plain.startsWith(PREFIX) && !OTHERS.contains(plain)) {
        variables.put(plain, new Variable(name, value));
        unasked.add(plain);
      }
    });
  }

  private static String plain(String name) {
    char[] plain = new char[name.length()];
    for (int i = 0; i < plain.length; i++) {
      char c = name.charAt(i);
      boolean small = c >= 'a' && c <= 'z';
      boolean kept = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      plain[i] = small ? (char) (c - ('a' - 'A')) : kept ? c : '_';
    }
    return String.valueOf(plain);
  }

  private static String variableName(List<String> path) {
    return PREFIX + path.stream().map(Environment::plain).collect(Collectors.joining("__"));
  }

  /** The variable for a key, if it is set. */
  Optional<Variable> find(List<String> path) {
    String name = variableName(path);
    asked.add(name);
    unasked.remove(name);
    return Optional.ofNullable(variables.get(name));
  }

  /** Names one level below a section that variables name, in lower case, by plain form. */
  Map<String, String> namesBelow(List<String> path) {
    String prefix = variableName(path) + "__";
    Map<String, String> names = new LinkedHashMap<>();
    for (String variable : variables.keySet()) {
      int end = variable.indexOf("__", prefix.length());
      if (variable.startsWith(prefix) && end > 0) {
        String name = variable.substring(prefix.length(), end);
        names.put(name, name.toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  /** The form in which a name of the file and a name of a variable are the same. */
  static String comparable(String name) {
    return plain(name);
  }

  /** Variables that no setting has. */
  public List<Variable> unknown() {
    return unasked.stream().map(variables::get).filter(v -> v != null).toList();
  }

  /** The variable that was probably meant. */
  public Optional<String> suggestion(Variable unknown) {
    String typed = plain(unknown.name()).substring(PREFIX.length());
    return Suggestion.closest(
            typed, asked.stream().map(name -> name.substring(PREFIX.length())).toList())
        .map(PREFIX::concat);
  }
}
