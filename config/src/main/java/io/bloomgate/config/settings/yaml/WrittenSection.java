package io.bloomgate.config.settings.yaml;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Suggestion;
import io.bloomgate.config.settings.yaml.EffectiveValue.Origin;
import io.bloomgate.config.settings.yaml.Problem.Severity;
import io.bloomgate.config.settings.yaml.YamlNode.Entry;
import io.bloomgate.config.settings.yaml.YamlNode.Mapping;
import io.bloomgate.config.settings.yaml.YamlNode.Place;
import io.bloomgate.config.settings.yaml.YamlNode.Scalar;
import io.bloomgate.config.settings.yaml.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The text of file and environment below one path, as it was written; the environment is asked
 * first. Used by {@link Section}, which knows what the keys mean. One thread, one reading.
 *
 * @param node {@code null} when the section is not in the file
 * @param place where the section begins, or where it is missed
 * @param variable the variable that the text comes from; {@code null} for the file
 */
record WrittenSection(
    Report report,
    Environment environment,
    List<String> path,
    @Nullable Mapping node,
    Place place,
    Origin.@Nullable Environment variable) {

  static final Origin DEFAULT = new Origin.Default();

  /** No element of a list has variables: a variable has the whole list. */
  private static final Environment NO_VARIABLES = new Environment(Map.of());

  /** All that the file says. */
  static WrittenSection root(Report report, Environment environment, @Nullable Mapping node) {
    return new WrittenSection(report, environment, List.of(), node, Place.START, null);
  }

  /** A section that is an element of a list. */
  WrittenSection element(String name, Mapping element, Origin origin) {
    return new WrittenSection(
        report,
        NO_VARIABLES,
        pathOf(name),
        element,
        element.place(),
        origin instanceof Origin.Environment from ? from : null);
  }

  /** A key of more sections belongs to none of them. */
  private static final int MAX_PLACES = 3;

  /** The words that other programs use for keys; by letters alone they are far away. */
  private static final Map<String, List<String>> OTHER_WORDS =
      Map.of(
          "file", List.of("path", "filename"),
          "url", List.of("uri", "link", "source"),
          "every", List.of("interval", "refresh", "schedule"),
          "format", List.of("type"),
          "address", List.of("listen", "bind"),
          "host", List.of("server", "address"),
          "certificate", List.of("cert"),
          "key", List.of("private_key"));

  private static final Pattern KEY_WITHOUT_BLANK = Pattern.compile("[a-z_]+:(?=\\S)");

  private static final String RULE = "{any: 2, of: [FEED, FEED, FEED], action: reject}";

  /** A value of the file or the environment. */
  record Found(YamlNode node, Origin origin) {}

  /** The section below a key; empty when the file has no section there. */
  WrittenSection below(String key) {
    Optional<Entry> entry = entry(key);
    return new WrittenSection(
        report,
        environment,
        pathOf(key),
        entry.flatMap(this::mapping).orElse(null),
        entry.map(Entry::place).orElse(place),
        variable);
  }

  private Optional<Mapping> mapping(Entry entry) {
    if (entry.value() instanceof Mapping m) {
      return Optional.of(m);
    }
    if (!(entry.value() instanceof Scalar s && s.isNull())) {
      report.mistaken(pathOf(entry.key()));
      problem(entry.value().place(), "`" + dotted(entry.key()) + "` is a section", howTo(entry));
    }
    return Optional.empty();
  }

  private String howTo(Entry entry) {
    if (entry.value() instanceof Sequence) {
      return "it is no list: write its keys below it, indented, without `- ` and without [ ]";
    }
    if (entry.value() instanceof Scalar(String text, boolean _, Place _)) {
      Matcher key = KEY_WITHOUT_BLANK.matcher(text);
      if (key.lookingAt()) {
        return "write a blank after `" + key.group() + "`";
      }
    }
    return "write its keys below it, indented"
        + example(pathOf(entry.key())).map(e -> ", for example `" + e + "`").orElse("");
  }

  /** A section in short, where a single word is often written in its place. */
  private static Optional<String> example(List<String> path) {
    String name = Shown.bare(path.getLast());
    return switch (path.size() > 1 ? path.getFirst() + ".*" : name) {
      case "greylist" -> Optional.of("greylist: {delay: 5m}");
      case "content" -> Optional.of("content: {bulk: {networks: 20}}");
      case "dns" -> Optional.of("dns: {servers: [127.0.0.1]}");
      case "rates" -> Optional.of("rates: {client: 60/m burst 100}");
      case "signs" -> Optional.of("signs: {no_reverse_name: {action: observe}}");
      case "signs.*" -> Optional.of(name + ": {action: observe}");
      case "rules" -> Optional.of("rules: {weak: " + RULE + "}");
      case "rules.*" -> Optional.of(name + ": " + RULE);
      case "profiles" -> Optional.of("profiles: {tag-only: {most: tag}}");
      case "profiles.*" -> Optional.of(name + ": {most: tag}");
      case "recipients" -> Optional.of("recipients: {sales@example.com: tag-only}");
      default -> Optional.empty();
    };
  }

  List<Entry> entries() {
    return node == null ? List.of() : node.entries();
  }

  Optional<Entry> entry(String key) {
    return node == null ? Optional.empty() : node.entry(key);
  }

  /** The value of a key in file or environment. */
  Optional<Found> find(String key) {
    return environment
        .find(pathOf(key))
        .map(v ->
            new Found(new Scalar(v.value(), false, Place.NONE), new Origin.Environment(v.name())))
        .or(() -> entry(key).map(e -> new Found(valueOf(e), originOf(e))));
  }

  /** An empty value is reported at the place of its key, not at the end of the file. */
  private static YamlNode valueOf(Entry e) {
    return e.value() instanceof Scalar s && s.isNull()
        ? new Scalar("", true, e.place())
        : e.value();
  }

  Origin originOf(Entry e) {
    return variable == null ? new Origin.FileLine(report.file(), e.place().line()) : variable;
  }

  /** The text of a single value. */
  String text(String key, Found found) throws BadValueException {
    if (!(found.node() instanceof Scalar s)) {
      throw new BadValueException(
          "`" + dotted(key) + "` is a single value", "write one value, no list and no section");
    }
    if (s.isNull()) {
      throw new BadValueException(
          "`" + dotted(key) + "` has no value", "write one, or remove the line");
    }
    return s.text().strip();
  }

  /** The elements of a list. */
  List<YamlNode> items(String key, Found found) throws BadValueException {
    if (found.origin() instanceof Origin.Environment && found.node() instanceof Scalar s) {
      return elements(s.text());
    }
    if (found.node() instanceof Sequence s) {
      return s.items();
    }
    boolean empty = found.node() instanceof Scalar s && s.isNull();
    throw new BadValueException(
        "`" + dotted(key) + (empty ? "` has no value" : "` is a list"),
        "write [a, b], or [] for none");
  }

  /** Lists in environment variables: {@code a,b} or YAML's {@code [a, b]}. */
  private static List<YamlNode> elements(String text) {
    if (text.strip().startsWith("[")) {
      try {
        if (YamlReader.read(text).orElse(null) instanceof Sequence list) {
          return list.items();
        }
      } catch (YamlReader.YamlException e) {
        return List.of(new Scalar(text, false, Place.NONE));
      }
    }
    return Stream.of(text.split(","))
        .filter(item -> !item.isBlank())
        .<YamlNode>map(item -> new Scalar(item.strip(), false, Place.NONE))
        .toList();
  }

  /** Names below a key that only variables have, by the form in which names are compared. */
  Map<String, String> namesInEnvironment(String key) {
    return environment.namesBelow(pathOf(key));
  }

  /** Reports keys that are repeated or unknown. */
  void reportUnknownKeys(Set<String> known) {
    Map<String, Place> seen = new LinkedHashMap<>();
    for (Entry e : entries()) {
      Place first = seen.putIfAbsent(e.key(), e.place());
      if (first != null) {
        problem(
            e.place(),
            Shown.quoted(e.key()) + " is there twice" + in(),
            "the first is in line " + first.line() + ", keep one");
      } else if (!known.contains(e.key())) {
        Optional<String> meant =
            known.stream()
                .filter(key -> OTHER_WORDS.getOrDefault(key, List.of()).contains(e.key()))
                .findFirst()
                .or(() -> Suggestion.closest(e.key(), known));
        // Of a feed that has neither url nor file, url is reported.
        meant.ifPresent(s -> report.mistaken(pathOf(s.equals("file") ? "url" : s)));
        String hint =
            meant
                .map(s -> "did you mean `" + s + "`?")
                .or(() -> belongs(e.key()))
                .orElse("known keys: " + String.join(", ", known));
        problem(e.place(), "unknown key " + Shown.quoted(e.key()) + in(), hint);
      }
    }
  }

  /** Says where a key belongs that other sections have, if they are few. */
  private Optional<String> belongs(String key) {
    List<String> owners = report.around().owners().apply(pathOf(key));
    return owners.isEmpty() || owners.size() > MAX_PLACES
        ? Optional.empty()
        : Optional.of("it belongs to " + String.join(" or ", owners));
  }

  private String in() {
    return path.isEmpty() ? "" : " in " + String.join(".", path);
  }

  void missing(String key, String example) {
    missing(
        key,
        new BadValueException(
            "`" + dotted(key) + "` is missing", "write for example `" + example + "`"));
  }

  void missing(String key, BadValueException what) {
    report.missing(pathOf(key), variable == null ? place : Place.NONE, what);
  }

  void problem(Place at, String message, String hint) {
    report.add(
        Severity.ERROR,
        variable == null ? DEFAULT : variable,
        at,
        new BadValueException(message, hint));
  }

  /** Says in {@code config show} that a section of free names is empty. */
  void recordEmpty(String key) {
    record(key, "{}", DEFAULT, false, "section");
  }

  void record(String key, String value, Origin origin, boolean changed, String notation) {
    report.value(new EffectiveValue(pathOf(key), value, origin, changed, notation));
  }

  private List<String> pathOf(String key) {
    List<String> longer = new ArrayList<>(path);
    longer.add(key);
    return List.copyOf(longer);
  }

  /** The key with the sections around it, for messages. */
  String dotted(String key) {
    return String.join(".", pathOf(Shown.bare(key)));
  }
}
