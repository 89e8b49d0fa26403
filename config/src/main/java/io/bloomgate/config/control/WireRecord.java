package io.bloomgate.config.control;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.Quantities;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Binds a record of the protocol to JSON objects: each component is a member, named by {@link
 * WireNames}. Called by {@link ControlCodec} only; immutable, any thread.
 *
 * <p>The JSON library can bind records too. It is not used for that because it reads a number where
 * a text belongs, ignores unknown members, leaves {@code null} where a required member is missing,
 * and reports errors in words for programmers.
 */
final class WireRecord<R> {

  /** A text that may be absent, which means empty. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.RECORD_COMPONENT)
  @interface OrEmpty {}

  /** A line is not of this protocol; stays inside the package. */
  static final class MalformedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String reason;

    MalformedException(String reason) {
      super(reason);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  /** One component. */
  private record Member(String name, Class<?> type, RecordComponent component) {

    static Member of(RecordComponent component) {
      return new Member(WireNames.member(component), component.getType(), component);
    }

    JsonValue write(Object record) throws ReflectiveOperationException {
      // Each command does this, and Java makes a class at run time for a switch over patterns.
      Object value = component.getAccessor().invoke(record);
      if (value instanceof String text) {
        return JsonValue.of(text);
      }
      if (value instanceof Boolean flag) {
        return JsonValue.of((boolean) flag);
      }
      if (value instanceof Integer number) {
        return JsonValue.of((long) number);
      }
      // Numbers of 64 bits go as text: readers of JSON may round them.
      if (value instanceof Long number) {
        return type == long.class && number == Long.MAX_VALUE
            ? JsonValue.NULL
            : JsonValue.of(Long.toString(number));
      }
      return value == null ? JsonValue.NULL : rarer(value);
    }

    private static JsonValue rarer(Object value) {
      return switch (value) {
        case List<?> texts -> JsonValue.ofStrings(texts.stream().map(String.class::cast).toList());
        case Duration duration -> JsonValue.of(Quantities.text(duration));
        case Instant time -> JsonValue.of(time.toString());
        case Enum<?> word -> JsonValue.of(word(word));
        case JsonObject object -> object;
        default -> throw new IllegalStateException("no form for " + value.getClass());
      };
    }

    @Nullable Object read(JsonObject object) throws MalformedException {
      Optional<JsonValue> value = object.get(name);
      return value.isPresent() ? present(value.get()) : absent();
    }

    /** Looks at annotations, which only the gateway does: replies have all their members. */
    private @Nullable Object absent() throws MalformedException {
      if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        return null;
      }
      if (component.isAnnotationPresent(OrEmpty.class)) {
        return "";
      }
      if (type == boolean.class) {
        return false;
      }
      if (type == long.class) {
        return Long.MAX_VALUE;
      }
      if (type == List.class) {
        return List.of();
      }
      if (type.isEnum()) {
        List<String> words = words();
        throw wrong(
            String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast());
      }
      throw wrong(
          type == int.class
              ? "a whole number"
              : type == JsonObject.class ? "an object" : "a string");
    }

    private Object present(JsonValue value) throws MalformedException {
      if (type == boolean.class) {
        return value instanceof JsonBoolean(boolean flag) ? flag : refuse("true or false");
      }
      if (type == int.class) {
        return value instanceof JsonNumber(String literal)
            ? integer(literal)
            : refuse("a whole number");
      }
      if (type == JsonObject.class) {
        return value instanceof JsonObject object ? object : refuse("an object");
      }
      if (type == List.class) {
        return value instanceof JsonArray(List<JsonValue> elements)
            ? texts(elements)
            : refuse("a list of strings");
      }
      return value instanceof JsonString(String text) ? parsed(text) : refuse("a string");
    }

    private Object integer(String literal) throws MalformedException {
      try {
        return Integer.valueOf(literal);
      } catch (NumberFormatException e) {
        return refuse("a whole number of 32 bits");
      }
    }

    private List<String> texts(List<JsonValue> elements) throws MalformedException {
      List<String> texts = new ArrayList<>();
      for (JsonValue element : elements) {
        if (!(element instanceof JsonString(String text))) {
          throw wrong("a list of strings");
        }
        texts.add(text);
      }
      return texts;
    }

    private Object parsed(String text) throws MalformedException {
      if (type == long.class) {
        return text.matches("[0-9]{1,18}") ? Long.valueOf(text) : refuse("a number of entries");
      }
      if (type == Long.class) {
        return text.matches("[1-9][0-9]{0,17}")
            ? Long.valueOf(text)
            : refuse("the number of a version");
      }
      if (type == Duration.class) {
        try {
          return Quantities.span(text);
        } catch (BadValueException e) {
          return refuse("a duration such as 12h");
        }
      }
      if (type == Instant.class) {
        try {
          return Instant.parse(text);
        } catch (DateTimeParseException e) {
          return refuse("a time such as 2026-12-01T00:00:00Z");
        }
      }
      if (type.isEnum()) {
        int index = words().indexOf(text);
        return index >= 0
            ? type.getEnumConstants()[index]
            : refuse("one of " + String.join(", ", words()));
      }
      return text;
    }

    private List<String> words() {
      return Arrays.stream(type.getEnumConstants()).map(e -> word((Enum<?>) e)).toList();
    }

    private Object refuse(String wanted) throws MalformedException {
      throw wrong(wanted);
    }

    private MalformedException wrong(String wanted) {
      return new MalformedException("`" + name + "` must be " + wanted);
    }
  }

  private final Constructor<? extends R> constructor;
  private final boolean ofList;
  private final List<Member> members;

  private WireRecord(Constructor<? extends R> constructor, boolean ofList, List<Member> members) {
    this.constructor = constructor;
    this.ofList = ofList;
    this.members = members;
  }

  /** The binding of a type; a first component that is a name of a list is no member. */
  static <R> WireRecord<R> of(Class<? extends R> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    boolean ofList = types.length > 0 && types[0] == ControlRequest.ListName.class;
    List<Member> members = Arrays.stream(components).skip(ofList ? 1 : 0).map(Member::of).toList();
    try {
      return new WireRecord<>(type.getDeclaredConstructor(types), ofList, members);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(type + " has no canonical constructor", e);
    }
  }

  /** True for a command that is given for one of the operator's lists. */
  boolean isOfList() {
    return ofList;
  }

  /** The name of the first member. */
  String firstName() {
    return members.getFirst().name();
  }

  /** Adds the members of a record. */
  JsonObject write(R record, ObjectBuilder into) {
    try {
      for (Member member : members) {
        into.put(member.name(), member.write(record));
      }
      return into.build();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("writing " + record.getClass(), e);
    }
  }

  /**
   * Makes a record of an object. A member that no component has is refused, so that a misspelt one
   * is never ignored; one that is {@code null} does no harm.
   *
   * @param list for a command of a list
   * @param known members that are not of the record
   */
  R read(JsonObject object, ControlRequest.@Nullable ListName list, Set<String> known)
      throws MalformedException {
    List<@Nullable Object> values = new ArrayList<>();
    if (ofList) {
      values.add(list);
    }
    for (Member member : members) {
      values.add(member.read(object));
    }
    Set<String> names = members.stream().map(Member::name).collect(Collectors.toSet());
    if (object.members().keySet().stream()
        .anyMatch(name ->
            !names.contains(name) && !known.contains(name) && object.get(name).isPresent())) {
      throw new MalformedException(
          "a field of the request is unknown here; are command line and gateway of one version?");
    }
    try {
      return constructor.newInstance(values.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("reading " + constructor, e);
    }
  }

  /** A constant as it is written: its name in lower case. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
