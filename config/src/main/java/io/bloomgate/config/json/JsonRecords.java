package io.bloomgate.config.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.internal.LazilyParsedNumber;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.Quantities;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Binds records to JSON objects, both ways, with the JSON library: a component is a member, named
 * in snake case. Constants of enums are their words, moments and names of {@code config.name} are
 * texts. A value of another kind is refused with a sentence, never converted. Pure; any thread.
 */
public final class JsonRecords {

  /**
   * Marks a member that is left out where it says nothing: null, or where it is never null false,
   * 0, empty, or the first constant of an enum; a missing member is read as that. Without this mark
   * texts, moments and constants must be there; numbers, lists and records may be missing too.
   */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Rare {}

  /** Names a member that is not named as its component is. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Named {
    String value();
  }

  /** Marks a record whose members are members of the object around it. */
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Inline {}

  /** The values of collections that are missing. */
  private static final Map<Class<?>, Object> EMPTY =
      Map.of(List.class, List.of(), Set.class, Set.of(), Map.class, Map.of());

  private static final Gson GSON =
      new GsonBuilder()
          .serializeNulls()
          .enableComplexMapKeySerialization() // keys are written as values are
          .disableHtmlEscaping()
          .setStrictness(Strictness.STRICT)
          .registerTypeAdapterFactory(JsonRecords::adapter)
          .create();

  private JsonRecords() {}

  /** The object of a record. */
  public static JsonValue.JsonObject of(Record record) {
    return (JsonValue.JsonObject) value(GSON.toJsonTree(record));
  }

  /** The object of a record as a text, for a file of ours: no terminal is spared anything. */
  public static String text(Record record) {
    StringBuilder text = new StringBuilder(); // the library's own writer would lock each piece
    GSON.toJson(record, record.getClass(), text);
    return text.toString();
  }

  /** The objects of records. */
  public static JsonValue.JsonArray ofAll(Collection<? extends Record> records) {
    return new JsonValue.JsonArray(records.stream().<JsonValue>map(JsonRecords::of).toList());
  }

  /**
   * The record of a text.
   *
   * @throws JsonSyntaxException when it is no object that the record could have written
   */
  public static <R extends Record> R read(Class<R> type, String text) throws JsonSyntaxException {
    try {
      return Objects.requireNonNull(GSON.fromJson(text, type), "null is no record");
    } catch (JsonParseException | IllegalArgumentException | NullPointerException e) {
      throw new JsonSyntaxException(1, 1, "this is no " + type.getSimpleName());
    }
  }

  /**
   * The record of an object.
   *
   * @throws JsonSyntaxException when it is none that the record could have written; the reason
   *     names the member
   */
  public static <R extends Record> R read(Class<R> type, JsonValue.JsonObject object)
      throws JsonSyntaxException {
    try {
      return GSON.fromJson(element(object), type);
    } catch (JsonParseException e) {
      throw new JsonSyntaxException(1, 1, String.valueOf(e.getMessage()));
    }
  }

  /** The record of an object; empty when the object is none that the record could have written. */
  public static <R extends Record> Optional<R> tryRead(Class<R> type, JsonValue.JsonObject object) {
    try {
      return Optional.of(read(type, object));
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }

  /** The names of all members that a record may have. */
  public static Set<String> names(Class<? extends Record> type) {
    return ((Bound<?>) GSON.getAdapter(type)).places.keySet();
  }

  private static JsonElement element(JsonValue value) {
    return switch (value) {
      case JsonValue.JsonObject(Map<String, JsonValue> members) -> {
        JsonObject object = new JsonObject();
        members.forEach((name, member) -> object.add(name, element(member)));
        yield object;
      }
      case JsonValue.JsonArray(List<JsonValue> elements) -> {
        JsonArray array = new JsonArray(elements.size());
        elements.forEach(each -> array.add(element(each)));
        yield array;
      }
      case JsonValue.JsonString(String text) -> new JsonPrimitive(text);
      case JsonValue.JsonNumber(String literal) ->
          new JsonPrimitive(new LazilyParsedNumber(literal));
      case JsonValue.JsonBoolean(boolean flag) -> new JsonPrimitive(flag);
      case JsonValue.JsonNull() -> JsonNull.INSTANCE;
    };
  }

  private static JsonValue value(JsonElement element) {
    if (element instanceof JsonObject object) {
      Map<String, JsonValue> members = LinkedHashMap.newLinkedHashMap(object.size());
      object.entrySet().forEach(member -> members.put(member.getKey(), value(member.getValue())));
      return new JsonValue.JsonObject(members);
    }
    if (element instanceof JsonArray array) {
      return new JsonValue.JsonArray(array.asList().stream().map(JsonRecords::value).toList());
    }
    if (!(element instanceof JsonPrimitive primitive)) {
      return JsonValue.NULL;
    }
    if (primitive.isBoolean()) {
      return JsonValue.of(primitive.getAsBoolean());
    }
    return primitive.isNumber()
        ? new JsonValue.JsonNumber(primitive.getAsString())
        : JsonValue.of(primitive.getAsString());
  }

  /** The form of a type; {@code null} for one that the library knows. */
  private static <T> @Nullable TypeAdapter<T> adapter(Gson gson, TypeToken<T> type) {
    Class<? super T> raw = type.getRawType();
    if (raw.isEnum()) {
      Map<String, Object> words = new LinkedHashMap<>();
      Arrays.stream(raw.getEnumConstants()).forEach(each -> words.put(word(each), each));
      return text(
          "one of " + String.join(", ", words.keySet()),
          JsonRecords::word,
          text -> words.get(text.toLowerCase(Locale.ROOT)));
    }
    if (raw == String.class) {
      return text("a string", Object::toString, text -> text);
    }
    if (raw == Instant.class) {
      return text("a time such as 2026-12-01T00:00:00Z", Object::toString, Instant::parse);
    }
    if (raw == Duration.class) {
      return text(
          "a duration such as 12h", span -> Quantities.text((Duration) span), JsonRecords::span);
    }
    if (raw.getPackage() == Keyed.class.getPackage()) {
      return text("a name", Object::toString, text -> parsed(raw, text));
    }
    if (raw == int.class) {
      return new Scalar<>("a whole number of 32 bits", JsonToken.NUMBER, null, Integer::valueOf);
    }
    if (raw == long.class || raw == Long.class) {
      return new Scalar<>("a whole number", JsonToken.NUMBER, null, Long::valueOf);
    }
    if (raw == boolean.class) {
      return new Scalar<>("true or false", JsonToken.BOOLEAN, null, Boolean::valueOf);
    }
    return raw.isRecord() ? new Bound<>(gson, raw) : null;
  }

  private static <T> TypeAdapter<T> text(
      String wanted, Function<Object, String> written, Function<String, @Nullable Object> parsed) {
    return new Scalar<>(wanted, JsonToken.STRING, written, parsed);
  }

  private static @Nullable Object span(String text) {
    try {
      return Quantities.span(text);
    } catch (BadValueException e) {
      return null;
    }
  }

  /**
   * Reads a text with the parser of a type of {@code config.name}; {@code null} when it takes none.
   */
  private static @Nullable Object parsed(Class<?> type, String text) {
    try {
      return type.getMethod("parse", String.class).invoke(null, text) instanceof Parsed<?> parsed
          ? parsed.toOptional().orElse(null)
          : null;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("reading " + type, e);
    }
  }

  private static String word(Object constant) {
    return constant instanceof Keyed keyed
        ? keyed.key()
        : ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
  }

  /** A value that is a text, a whole number or a truth value, and nothing else. */
  private static final class Scalar<T> extends TypeAdapter<T> {

    private final String wanted;
    private final JsonToken token;
    private final @Nullable Function<Object, String> written;
    private final Function<String, @Nullable Object> parsed;

    /**
     * A form.
     *
     * @param wanted the kind of value, for people
     * @param written makes a text of it; {@code null} for what is none
     * @param parsed gives {@code null} for a text that is no such value
     */
    Scalar(
        String wanted,
        JsonToken token,
        @Nullable Function<Object, String> written,
        Function<String, @Nullable Object> parsed) {
      this.wanted = wanted;
      this.token = token;
      this.written = written;
      this.parsed = parsed;
    }

    @Override
    public void write(JsonWriter out, @Nullable T value) throws IOException {
      if (value == null || written != null) {
        out.value(value == null ? null : written.apply(value));
      } else if (value instanceof Boolean flag) {
        out.value(flag);
      } else {
        out.value((Number) value);
      }
    }

    @Override
    @SuppressWarnings("unchecked") // the form was made for this type
    public @Nullable T read(JsonReader in) throws IOException {
      if (in.peek() == JsonToken.NULL) {
        in.nextNull();
        return null;
      }
      if (in.peek() == token) {
        String text =
            token == JsonToken.BOOLEAN ? Boolean.toString(in.nextBoolean()) : in.nextString();
        try {
          Object value = parsed.apply(text);
          if (value != null) {
            return (T) value;
          }
        } catch (DateTimeParseException | NumberFormatException e) {
          // Named below.
        }
      }
      throw new JsonParseException("a value must be " + wanted);
    }
  }

  /** One component. */
  private static final class Member {

    /** The value where the member is missing; {@code value} is null where there is none. */
    private record Absent(boolean nullable, @Nullable Object value) {}

    final String name;
    final TypeAdapter<Object> form;

    /** The form of a record whose members are members here; {@code null} for others. */
    final @Nullable Bound<Object> inner;

    private final RecordComponent component;
    private final Method accessor;
    private final boolean rare;

    /** Made when it is asked for: to look at the type takes time, and a command never asks. */
    private volatile @Nullable Absent absent;

    @SuppressWarnings("unchecked") // each adapter takes what the component gives
    Member(Gson gson, RecordComponent component) {
      this.component = component;
      accessor = component.getAccessor();
      accessor.setAccessible(true);
      rare = component.isAnnotationPresent(Rare.class);
      Named named = component.getAnnotation(Named.class);
      name =
          named == null
              ? component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT)
              : named.value();
      form = (TypeAdapter<Object>) gson.getAdapter(TypeToken.get(component.getGenericType()));
      inner = component.isAnnotationPresent(Inline.class) ? (Bound<Object>) form : null;
    }

    private Absent absent() {
      Absent known = absent;
      if (known == null) {
        boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        known = new Absent(nullable, nullable ? null : nothing(component.getType()));
        absent = known;
      }
      return known;
    }

    /** Finds the value of what is missing; {@code null} where it must not be. */
    private @Nullable Object nothing(Class<?> type) {
      if (type.isPrimitive()) {
        return Array.get(Array.newInstance(type, 1), 0);
      }
      if (type.isEnum()) {
        return rare ? type.getEnumConstants()[0] : null;
      }
      if (form instanceof Bound<Object> bound) {
        return bound.ofNothing();
      }
      return type == String.class && rare ? "" : EMPTY.get(type);
    }

    private boolean saysNothing(@Nullable Object value) {
      return rare && (value == null || value.equals(absent().value));
    }

    /** The number of members of an object that it is. */
    int width() {
      return inner == null ? 1 : inner.width;
    }

    /**
     * The value among those of an object; {@link JsonParseException} when it is missing.
     *
     * @param first place of the first of its members
     */
    @Nullable Object of(@Nullable Object[] values, int first) {
      if (inner != null) {
        return inner.isMissing(values, first) && absent().nullable
            ? null
            : inner.made(values, first);
      }
      Object value = values[first] == null ? absent().value : values[first];
      if (value == null && !absent().nullable) {
        throw wrong();
      }
      return value;
    }

    @Nullable Object read(JsonReader in) throws IOException {
      try {
        return form.read(in);
      } catch (JsonParseException | IllegalStateException e) {
        boolean named = String.valueOf(e.getMessage()).startsWith("`");
        throw named ? e : wrong();
      }
    }

    /** Says which kind of value it must be. */
    private JsonParseException wrong() {
      String wanted =
          form instanceof Scalar<Object> scalar
              ? scalar.wanted
              : component.getType() == List.class ? "a list of strings" : "an object";
      return new JsonParseException("`" + name + "` must be " + wanted);
    }

    void write(JsonWriter out, Object record) throws IOException, ReflectiveOperationException {
      Object value = accessor.invoke(record);
      if (inner != null && value != null) {
        inner.writeMembers(out, value);
      } else if (!saysNothing(value)) {
        out.name(name);
        form.write(out, value);
      }
    }
  }

  /** The form of a record. */
  private static final class Bound<T> extends TypeAdapter<T> {
    private final Constructor<?> constructor;
    private final List<Member> members;
    private final int width;

    /** All members by name, each with its place. */
    private final Map<String, Place> places = new HashMap<>();

    private record Place(int number, Member member) {}

    Bound(Gson gson, Class<? super T> type) {
      RecordComponent[] components = type.getRecordComponents();
      members = Arrays.stream(components).map(each -> new Member(gson, each)).toList();
      int next = 0;
      for (Member member : members) {
        int first = next;
        if (member.inner == null) {
          places.put(member.name, new Place(first, member));
        } else {
          member.inner.places.forEach(
              (name, place) -> places.put(name, new Place(first + place.number, place.member)));
        }
        next += member.width();
      }
      width = next;
      try {
        constructor =
            type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(type + " has no canonical constructor", e);
      }
    }

    @Override
    public void write(JsonWriter out, @Nullable T record) throws IOException {
      if (record == null) {
        out.nullValue();
        return;
      }
      out.beginObject();
      try {
        writeMembers(out, record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("writing " + record.getClass(), e);
      }
      out.endObject();
    }

    void writeMembers(JsonWriter out, T record) throws IOException, ReflectiveOperationException {
      for (Member member : members) {
        member.write(out, record);
      }
    }

    @Override
    public @Nullable T read(JsonReader in) throws IOException {
      if (in.peek() == JsonToken.NULL) {
        in.nextNull();
        return null;
      }
      @Nullable Object[] values = new Object[width];
      in.beginObject();
      while (in.hasNext()) {
        Place place = places.get(in.nextName());
        if (place == null) {
          in.skipValue();
        } else {
          values[place.number] = place.member.read(in);
        }
      }
      in.endObject();
      return made(values, 0);
    }

    /** Makes the record of an object without members; {@code null} where some must be there. */
    @Nullable T ofNothing() {
      try {
        return made(new Object[width], 0);
      } catch (JsonParseException e) {
        return null;
      }
    }

    private boolean isMissing(@Nullable Object[] values, int first) {
      return Arrays.stream(values, first, first + width).allMatch(Objects::isNull);
    }

    @SuppressWarnings("unchecked") // the constructor is that of the type
    private T made(@Nullable Object[] values, int first) {
      @Nullable Object[] arguments = new Object[members.size()];
      int next = first;
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = members.get(i).of(values, next);
        next += members.get(i).width();
      }
      try {
        return (T) constructor.newInstance(arguments);
      } catch (ReflectiveOperationException e) {
        String reason =
            e.getCause() instanceof IllegalArgumentException wrong
                ? String.valueOf(wrong.getMessage())
                : "reading " + constructor;
        throw new JsonParseException(reason, e);
      }
    }
  }
}
