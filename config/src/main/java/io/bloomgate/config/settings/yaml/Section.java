package io.bloomgate.config.settings.yaml;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.yaml.EffectiveValue.Origin;
import io.bloomgate.config.settings.yaml.Problem.Severity;
import io.bloomgate.config.settings.yaml.WrittenSection.Found;
import io.bloomgate.config.settings.yaml.YamlNode.Entry;
import io.bloomgate.config.settings.yaml.YamlNode.Mapping;
import io.bloomgate.config.settings.yaml.YamlNode.Place;
import io.bloomgate.config.settings.yaml.YamlNode.Scalar;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over one section of the settings. A binder asks for each key once, with its default in
 * the notation of the file; what is wrong goes to the {@link Report} with its place, and the
 * default is used instead, so that one reading finds everything. One thread, one reading.
 */
public final class Section {

  private final WrittenSection written;
  private final @Nullable Section flat;
  private final Set<String> asked = new LinkedHashSet<>();
  private final Set<String> failed = new LinkedHashSet<>();
  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, Section> children = new LinkedHashMap<>();

  /** A cursor; {@code flat} is the section around, when keys of this one may also be there. */
  private Section(WrittenSection written, @Nullable Section flat) {
    this.written = written;
    this.flat = flat;
  }

  /** The whole file. */
  public static Section root(Report report, Environment environment, @Nullable Mapping node) {
    return new Section(WrittenSection.root(report, environment, node), null);
  }

  /** The facts that the reading may ask besides the text. */
  public Surroundings around() {
    return written.report().around();
  }

  /** The values that were read, in the order of reading. */
  public List<EffectiveValue> read() {
    return written.report().values();
  }

  /** Reads a path; a relative one counts from the folder of the settings file. */
  public Values.Reader<Path> path() {
    return Values.path(around().base());
  }

  /** Reads a path whose last part may be a pattern. */
  public Values.Reader<Path> files() {
    return Values.files(path());
  }

  /** A section below this one; an absent or empty one gives only defaults. */
  public Section section(String key) {
    return open(key, flat == null ? null : flat.section(key));
  }

  /** A section whose keys may also be directly in this one. */
  public Section sectionOrFlat(String key) {
    return open(key, this);
  }

  private Section open(String key, @Nullable Section around) {
    asked.add(key);
    return children.computeIfAbsent(key, _ -> new Section(written.below(key), around));
  }

  /** The sections below a key that have free names, in the order of the file. */
  public Map<String, Section> named(String key) {
    Map<String, Section> sections = below(key);
    if (sections.isEmpty()) {
      written.recordEmpty(key);
    }
    return sections;
  }

  /** The same where one section of a usual name is meant when there is none. */
  public Map<String, Section> named(String key, String usual) {
    Map<String, Section> sections = below(key);
    return sections.isEmpty() ? Map.of(usual, section(key).section(usual)) : sections;
  }

  private Map<String, Section> below(String key) {
    Section holder = section(key);
    Map<String, Section> sections = new LinkedHashMap<>();
    int unnamed = 0;
    for (Entry e : holder.written.entries()) {
      holder.asked.add(e.key());
      if (Names.isEntryName(e.key())) {
        sections.put(e.key(), holder.section(e.key()));
      } else {
        written.problem(
            e.place(),
            Shown.quoted(e.key()) + " is not a name for an entry of `" + written.dotted(key) + "`",
            "use a-z 0-9 . _ - only, at most 64 of them");
        // It is still read, so that its other mistakes are reported in this run too.
        sections.put(UNNAMED + ++unnamed, holder.section(e.key()));
      }
    }
    Set<String> known = new LinkedHashSet<>();
    sections.keySet().forEach(n -> known.add(Environment.comparable(n)));
    written
        .namesInEnvironment(key)
        .forEach((plain, name) -> {
          if (known.add(plain)) {
            sections.put(name, holder.section(name));
          }
        });
    return sections;
  }

  /** Replaces, with a number, a wrong name; the file is not valid, so nobody gets to see it. */
  public static final String UNNAMED = "unnamed.";

  /**
   * Names that are free to choose, with a value each, in file order; {@code names} checks a name,
   * and may write it in another way. Two that differ in case only are one.
   */
  public <T> Map<String, T> pairs(
      String key, Values.Reader<String> names, Values.Reader<T> reader) {
    Section holder = section(key);
    Map<String, T> pairs = new LinkedHashMap<>();
    Set<String> seen = new LinkedHashSet<>();
    Set<String> spelled = new LinkedHashSet<>();
    for (Entry e : holder.written.entries()) {
      holder.asked.add(e.key());
      Found found = new Found(e.value(), written.originOf(e));
      Place place = e.place();
      try {
        String name = names.read(e.key());
        boolean again = !seen.add(name.toLowerCase(Locale.ROOT));
        if (spelled.add(e.key()) && again) {
          throw new BadValueException("`" + name + "` is there twice", "keep one of them");
        }
        place = e.value().place();
        String text = holder.written.text(name, found);
        pairs.put(name, reader.read(text));
        holder.written.record(
            name, SettingsText.scalar(reader.shown(text)), found.origin(), true, reader.notation());
      } catch (BadValueException wrong) {
        written.report().add(Severity.ERROR, found.origin(), place, wrong);
      }
    }
    if (pairs.isEmpty()) {
      written.recordEmpty(key);
    }
    return Collections.unmodifiableMap(pairs);
  }

  /** The value of a key, or its default. */
  public <T> T value(String key, String fallback, Values.Reader<T> reader) {
    T standard = Values.standard(fallback, reader);
    if (flat != null && written.entry(key).isPresent() && flat.written.entry(key).isPresent()) {
      flat.problem(key, "`" + written.dotted(key) + "` is here too", "keep one of the two");
    }
    texts.put(key, fallback);
    T value = written(key, reader, standard);
    if (value == null) {
      written.record(
          key, SettingsText.scalar(fallback), WrittenSection.DEFAULT, false, reader.notation());
    }
    return value == null ? standard : value;
  }

  /** The value of a key; {@code null} where it is empty, as it is by default. */
  public <T> @Nullable T orNull(String key, Values.Reader<T> reader) {
    return value(key, "", Values.optional(reader)).orElse(null);
  }

  /** The value of a key; {@code null} where it is {@code none}. */
  public <T> @Nullable T orNone(String key, String fallback, Values.Reader<T> reader) {
    return value(key, fallback, Values.orNone(reader)).orElse(null);
  }

  /** The text that a key was given or else its default; the key was asked before. */
  public String text(String key) {
    return Objects.requireNonNull(texts.get(key), key);
  }

  /** The value in file or environment; {@code null} when there is none, or a wrong one. */
  private <T> @Nullable T written(String key, Values.Reader<T> reader, @Nullable T standard) {
    Found found = find(key).orElse(null);
    if (found == null) {
      return null;
    }
    try {
      String text = written.text(key, found);
      T value = reader.read(text);
      texts.put(key, text);
      written.record(
          key,
          SettingsText.scalar(reader.shown(text)),
          found.origin(),
          !value.equals(standard),
          reader.notation());
      return value;
    } catch (BadValueException e) {
      refuse(key, found, e);
      return null;
    }
  }

  /** The value of a key that has no default; {@code placeholder} is used when it is missing. */
  public <T> T required(String key, String example, Values.Reader<T> reader, T placeholder) {
    if (find(key).isEmpty()) {
      written.missing(key, example);
      return placeholder;
    }
    T value = written(key, reader, null);
    return value == null ? placeholder : value;
  }

  /** The elements of a list, or of its default. */
  public <T> List<T> list(String key, List<String> fallback, Values.Reader<T> reader) {
    List<T> standard = new ArrayList<>();
    fallback.forEach(f -> standard.add(Values.standard(f, reader)));
    String notation = "list: " + reader.notation();
    Found list = find(key).orElse(null);
    List<YamlNode> items = list == null ? null : items(key, list).orElse(null);
    if (list == null || items == null) {
      written.record(key, SettingsText.list(fallback), WrittenSection.DEFAULT, false, notation);
      return List.copyOf(standard);
    }
    List<T> values = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (YamlNode item : items) {
      Found found = new Found(item, list.origin());
      texts.add(item instanceof Scalar s ? reader.shown(s.text()) : "");
      try {
        values.add(reader.read(written.text(key, found)));
      } catch (BadValueException e) {
        refuse(key, found, e);
      }
    }
    boolean changed = !values.equals(standard);
    written.record(key, SettingsText.list(texts), list.origin(), changed, notation);
    return List.copyOf(values);
  }

  /**
   * The elements of a list, each of which is a section; none when the key is not there.
   *
   * @param example of one element
   */
  public List<Section> sections(String key, String example) {
    Found list = find(key).orElse(null);
    Origin origin = list == null ? WrittenSection.DEFAULT : list.origin();
    List<Section> sections = new ArrayList<>();
    for (YamlNode item : list == null ? List.<YamlNode>of() : items(key, list).orElse(List.of())) {
      if (item instanceof Mapping node) {
        String name = key + "[" + sections.size() + "]";
        Section section = new Section(written.element(name, node, origin), null);
        children.put(name, section);
        sections.add(section);
      } else {
        BadValueException what =
            new BadValueException(
                "an element of `" + written.dotted(key) + "` is a section",
                "write `- " + example + "`");
        refuse(key, new Found(item, origin), what);
      }
    }
    if (sections.isEmpty()) {
      written.record(key, SettingsText.list(List.of()), origin, false, "list: section " + example);
    }
    return sections;
  }

  /** The elements of a list; empty for what is none, which is reported. */
  private Optional<List<YamlNode>> items(String key, Found list) {
    try {
      return Optional.of(written.items(key, list));
    } catch (BadValueException e) {
      refuse(key, list, e);
      return Optional.empty();
    }
  }

  /** The elements of a list that must be there and have at least one. */
  public <T> List<T> requiredList(String key, String example, Values.Reader<T> reader) {
    if (find(key).isEmpty()) {
      written.missing(key, example);
      return List.of();
    }
    List<T> values = list(key, List.of(), reader);
    if (values.isEmpty()) {
      problem(key, "`" + written.dotted(key) + "` is empty", "write for example `" + example + "`");
    }
    return values;
  }

  /** True when file or environment say something of this key. */
  public boolean isSet(String key) {
    return find(key).isPresent();
  }

  /** True when file or environment say something of this key, and not nothing or an empty list. */
  public boolean says(String key) {
    return find(key)
        .filter(found ->
            switch (found.node()) {
              case Scalar value -> !value.text().isEmpty();
              case YamlNode.Sequence list -> !list.items().isEmpty();
              case Mapping section -> !section.entries().isEmpty();
            })
        .isPresent();
  }

  /** True when the value of a key could not be read, so that its default is used. */
  public boolean hasFailed(String key) {
    return failed.contains(key);
  }

  /**
   * The value of a key is wrong in relation to others. A value that could not be read is not
   * reported again.
   */
  public void problem(String key, String message, String hint) {
    add(Severity.ERROR, key, message, hint);
  }

  /** Reports a {@link #problem} where this holds. */
  public void problemIf(boolean isWrong, String key, String message, String hint) {
    if (isWrong) {
      problem(key, message, hint);
    }
  }

  /** Does {@link #warn} where this holds. */
  public void warnIf(boolean isDoubtful, String key, String message, String hint) {
    if (isDoubtful) {
      warn(key, message, hint);
    }
  }

  /** The value of a key is allowed and loses mail or identity. */
  public void warn(String key, String message, String hint) {
    add(Severity.WARNING, key, message, hint);
  }

  private void add(Severity severity, String key, String message, String hint) {
    if (failed.contains(key)) {
      return;
    }
    BadValueException what = new BadValueException(message, hint);
    Optional<Found> found = find(key);
    if (found.isPresent()) {
      written.report().add(severity, found.get().origin(), found.get().node().place(), what);
    } else if (severity == Severity.ERROR) {
      written.missing(key, what);
    } else {
      written.report().add(severity, WrittenSection.DEFAULT, written.place(), what);
    }
  }

  /** A key that belongs to sections of another kind: more is known than that it is unknown here. */
  public void refuseForeign(String key, String message, String hint) {
    if (written.find(key).isPresent()) {
      problem(key, message, hint);
    }
  }

  /** Reports unknown keys, here and below; called once, when the binders are done. */
  public void finish() {
    written.reportUnknownKeys(asked);
    children.values().forEach(Section::finish);
  }

  private Optional<Found> find(String key) {
    asked.add(key);
    Optional<Found> own = written.find(key);
    return own.isPresent() || flat == null ? own : flat.find(key);
  }

  private void refuse(String key, Found found, BadValueException what) {
    failed.add(key);
    written.report().add(Severity.ERROR, found.origin(), found.node().place(), what);
  }
}
