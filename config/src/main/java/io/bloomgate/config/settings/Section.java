package io.bloomgate.config.settings;

import io.bloomgate.config.settings.EffectiveValue.Origin;
import io.bloomgate.config.settings.Problem.Severity;
import io.bloomgate.config.settings.YamlNode.Entry;
import io.bloomgate.config.settings.YamlNode.Mapping;
import io.bloomgate.config.settings.YamlNode.Place;
import io.bloomgate.config.settings.YamlNode.Scalar;
import io.bloomgate.config.settings.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over one section of the file. A binder asks for each key once, with its default in the
 * notation of the file; what is wrong goes to the {@link Report} with its place, and the default
 * stands in, so that one reading finds everything. The environment is asked before the file. One
 * thread, one reading.
 */
final class Section {

  /** A value that somebody wrote. */
  private record Found(YamlNode node, Origin origin) {}

  private static final Origin NOBODY = new Origin.Default();

  private final Report report;
  private final Environment environment;
  private final List<String> path;
  private final @Nullable Mapping node;
  private final Place place;
  private final @Nullable Section flat;
  private final Set<String> asked = new LinkedHashSet<>();
  private final Set<String> later = new LinkedHashSet<>();
  private final Set<String> failed = new LinkedHashSet<>();
  private final Map<String, Section> children = new LinkedHashMap<>();

  private Section(
      Section parent,
      List<String> path,
      @Nullable Mapping node,
      Place place,
      @Nullable Section flat) {
    this.report = parent.report;
    this.environment = parent.environment;
    this.path = path;
    this.node = node;
    this.place = place;
    this.flat = flat;
  }

  private Section(Report report, Environment environment, @Nullable Mapping node) {
    this.report = report;
    this.environment = environment;
    this.path = List.of();
    this.node = node;
    this.place = Place.START;
    this.flat = null;
  }

  /** The whole file. */
  static Section root(Report report, Environment environment, @Nullable Mapping node) {
    return new Section(report, environment, node);
  }

  /** A section below this one; an absent or empty one gives only defaults. */
  Section section(String key) {
    Section known = children.get(key);
    return known != null ? known : open(key, flat == null ? null : flat.section(key));
  }

  /** A section whose keys may also stand directly in this one. */
  Section sectionOrFlat(String key) {
    Section known = children.get(key);
    return known != null ? known : open(key, this);
  }

  private Section open(String key, @Nullable Section flatSection) {
    asked.add(key);
    Optional<Entry> entry = entry(key);
    Place at = entry.map(Entry::place).orElse(place);
    Mapping mapping = entry.flatMap(this::mapping).orElse(null);
    Section section = new Section(this, below(key), mapping, at, flatSection);
    children.put(key, section);
    return section;
  }

  private Optional<Mapping> mapping(Entry entry) {
    return switch (entry.value()) {
      case Mapping m -> Optional.of(m);
      case Scalar s when s.isNull() -> Optional.empty();
      case Scalar s -> wrongShape(entry, s.place());
      case Sequence s -> wrongShape(entry, s.place());
    };
  }

  private Optional<Mapping> wrongShape(Entry entry, Place at) {
    problemAt(
        at, "`" + dotted(entry.key()) + "` is a section", "write its keys below it, indented");
    return Optional.empty();
  }

  /** The sections below a key that have free names, in the order of the file. */
  Map<String, Section> named(String key) {
    Section holder = section(key);
    Map<String, Section> sections = new LinkedHashMap<>();
    for (Entry e : holder.node == null ? List.<Entry>of() : holder.node.entries()) {
      holder.asked.add(e.key());
      if (NameSyntax.isEntryName(e.key())) {
        sections.put(e.key(), holder.section(e.key()));
      } else {
        problemAt(
            e.place(),
            Shown.quoted(e.key()) + " is no name for an entry of `" + dotted(key) + "`",
            "use a-z 0-9 . _ - only, at most 64 of them");
      }
    }
    Set<String> known = new LinkedHashSet<>();
    sections.keySet().forEach(n -> known.add(Environment.comparable(n)));
    environment
        .namesBelow(below(key))
        .forEach((plain, name) -> {
          if (known.add(plain)) {
            sections.put(name, holder.section(name));
          }
        });
    return sections;
  }

  /** The value of a key, or its default. */
  <T> T value(String key, String fallback, ValueReader<T> reader) {
    T standard = standard(fallback, reader);
    Optional<Found> found = find(key);
    refuseTwice(key);
    Optional<String> text = found.flatMap(f -> text(key, f));
    if (found.isEmpty() || text.isEmpty()) {
      record(key, YamlText.scalar(fallback), NOBODY, false);
      return standard;
    }
    try {
      T value = reader.read(text.get());
      record(key, YamlText.scalar(text.get()), found.get().origin(), !value.equals(standard));
      return value;
    } catch (BadValueException e) {
      refuse(key, found.get(), e);
      return standard;
    }
  }

  /** The value of a key that has no default; {@code placeholder} stands in when it is missing. */
  <T> T required(String key, String example, ValueReader<T> reader, T placeholder) {
    Optional<Found> found = find(key);
    if (found.isEmpty()) {
      missing(key, example);
      return placeholder;
    }
    Optional<String> text = text(key, found.get());
    try {
      if (text.isPresent()) {
        T value = reader.read(text.get());
        record(key, YamlText.scalar(text.get()), found.get().origin(), true);
        return value;
      }
    } catch (BadValueException e) {
      refuse(key, found.get(), e);
    }
    return placeholder;
  }

  /** The elements of a list, or of its default. */
  <T> List<T> list(String key, List<String> fallback, ValueReader<T> reader) {
    List<T> standard = new ArrayList<>();
    fallback.forEach(f -> standard.add(standard(f, reader)));
    Optional<Found> found = find(key);
    Optional<List<YamlNode>> items = found.flatMap(f -> items(key, f));
    if (found.isEmpty() || items.isEmpty()) {
      record(key, YamlText.list(fallback), NOBODY, false);
      return List.copyOf(standard);
    }
    List<T> values = elements(key, found.get(), items.get(), reader);
    boolean changed = !values.equals(standard);
    List<String> texts =
        items.get().stream().map(i -> i instanceof Scalar s ? s.text() : "").toList();
    record(key, YamlText.list(texts), found.get().origin(), changed);
    return values;
  }

  /** The elements of a list that must be there and have at least one. */
  <T> List<T> requiredList(String key, String example, ValueReader<T> reader) {
    if (find(key).isEmpty()) {
      missing(key, example);
      return List.of();
    }
    List<T> values = list(key, List.of(), reader);
    if (values.isEmpty()) {
      problem(key, "`" + dotted(key) + "` is empty", "write for example `" + example + "`");
    }
    return values;
  }

  private <T> List<T> elements(
      String key, Found found, List<YamlNode> items, ValueReader<T> reader) {
    List<T> values = new ArrayList<>();
    for (YamlNode item : items) {
      try {
        Optional<String> text = text(key, new Found(item, found.origin()));
        if (text.isPresent()) {
          values.add(reader.read(text.get()));
        }
      } catch (BadValueException e) {
        refuse(key, new Found(item, found.origin()), e);
      }
    }
    return List.copyOf(values);
  }

  /** Keys that the documentation knows and this release does not. */
  void later(String... keys) {
    later.addAll(Arrays.asList(keys));
  }

  /** True when file or environment say something of this key. */
  boolean isSet(String key) {
    return find(key).isPresent();
  }

  /** True when the value of a key could not be read, so that its default stands in. */
  boolean hasFailed(String key) {
    return failed.contains(key);
  }

  /**
   * Something is wrong with the value of a key, seen from outside it. Nothing is said of a value
   * that could not be read in the first place.
   */
  void problem(String key, String message, String hint) {
    add(Severity.ERROR, key, message, hint);
  }

  /** The value of a key is allowed and loses mail or identity. */
  void warn(String key, String message, String hint) {
    add(Severity.WARNING, key, message, hint);
  }

  private void add(Severity severity, String key, String message, String hint) {
    if (failed.contains(key)) {
      return;
    }
    Optional<Found> found = find(key);
    report.add(
        severity,
        found.map(Found::origin).orElse(NOBODY),
        found.map(f -> f.node().place()).orElse(place),
        new BadValueException(message, hint));
  }

  /** Reports what nobody asked for, here and below; called once, when the binders are done. */
  void finish() {
    Map<String, Place> seen = new LinkedHashMap<>();
    for (Entry e : node == null ? List.<Entry>of() : node.entries()) {
      Place first = seen.putIfAbsent(e.key(), e.place());
      if (first != null) {
        problemAt(
            e.place(),
            Shown.quoted(e.key()) + " stands twice" + in(),
            "the first is in line " + first.line() + ", keep one");
      } else if (later.contains(e.key())) {
        problemAt(e.place(), "`" + dotted(e.key()) + "` is not in this release", "remove it");
      } else if (!asked.contains(e.key())) {
        unknown(e);
      }
    }
    children.values().forEach(Section::finish);
  }

  private void unknown(Entry e) {
    String hint =
        Suggestion.closest(e.key(), asked)
            .map(s -> "did you mean `" + s + "`?")
            .orElse("known keys: " + String.join(", ", asked));
    problemAt(e.place(), "unknown key " + Shown.quoted(e.key()) + in(), hint);
  }

  private String in() {
    return path.isEmpty() ? "" : " in " + String.join(".", path);
  }

  private void missing(String key, String example) {
    problemAt(place, "`" + dotted(key) + "` is missing", "write for example `" + example + "`");
  }

  private void problemAt(Place at, String message, String hint) {
    report.add(Severity.ERROR, NOBODY, at, new BadValueException(message, hint));
  }

  private Optional<Found> find(String key) {
    asked.add(key);
    Optional<Found> own =
        environment
            .find(below(key))
            .map(v ->
                new Found(
                    new Scalar(v.value(), false, Place.NONE), new Origin.Environment(v.name())))
            .or(() -> entry(key).map(e -> new Found(valueOf(e), fileLine(e))));
    return own.isPresent() || flat == null ? own : flat.find(key);
  }

  private void refuse(String key, Found found, BadValueException what) {
    failed.add(key);
    report.add(Severity.ERROR, found.origin(), found.node().place(), what);
  }

  private void refuseTwice(String key) {
    if (flat != null && entry(key).isPresent() && flat.entry(key).isPresent()) {
      flat.problem(key, "`" + dotted(key) + "` is said here too", "keep one of the two");
    }
  }

  /** An empty value is reported where the key stands, not at the end of the file. */
  private static YamlNode valueOf(Entry e) {
    return e.value() instanceof Scalar s && s.isNull()
        ? new Scalar("", true, e.place())
        : e.value();
  }

  private Origin fileLine(Entry e) {
    return new Origin.FileLine(report.file(), e.place().line());
  }

  private Optional<Entry> entry(String key) {
    return node == null
        ? Optional.empty()
        : node.entries().stream().filter(e -> e.key().equals(key)).findFirst();
  }

  private Optional<String> text(String key, Found found) {
    if (found.node() instanceof Scalar s && !s.isNull()) {
      return Optional.of(s.text().strip());
    }
    boolean empty = found.node() instanceof Scalar;
    refuse(
        key,
        found,
        empty
            ? new BadValueException(
                "`" + dotted(key) + "` has no value", "write one, or remove the line")
            : new BadValueException(
                "`" + dotted(key) + "` is a single value",
                "write one value, no list and no section"));
    return Optional.empty();
  }

  private Optional<List<YamlNode>> items(String key, Found found) {
    if (found.origin() instanceof Origin.Environment && found.node() instanceof Scalar s) {
      return Optional.of(ListText.items(s.text()));
    }
    if (found.node() instanceof Sequence s) {
      return Optional.of(s.items());
    }
    boolean empty = found.node() instanceof Scalar s && s.isNull();
    refuse(
        key,
        found,
        new BadValueException(
            "`" + dotted(key) + (empty ? "` has no value" : "` is a list"),
            "write [a, b], or [] for none"));
    return Optional.empty();
  }

  private void record(String key, String value, Origin origin, boolean changed) {
    report.value(new EffectiveValue(below(key), value, origin, changed));
  }

  /** Says in {@code config show} that a section of free names is empty. */
  void recordEmpty(String key) {
    record(key, "{}", NOBODY, false);
  }

  private List<String> below(String key) {
    List<String> longer = new ArrayList<>(path);
    longer.add(key);
    return List.copyOf(longer);
  }

  private String dotted(String key) {
    return String.join(".", below(Shown.bare(key)));
  }

  private static <T> T standard(String fallback, ValueReader<T> reader) {
    try {
      return reader.read(fallback);
    } catch (BadValueException e) {
      throw new IllegalStateException("a default is wrong: " + fallback, e);
    }
  }
}
