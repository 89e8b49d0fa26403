package io.bloomgate.config.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
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
 * texts. Pure; any thread.
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

  /** The record of an object; empty when the object is none that the record could have written. */
  public static <R extends Record> Optional<R> tryRead(Class<R> type, JsonValue.JsonObject object) {
    try {
      return Optional.of(read(type, Json.write(object)));
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
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
      Map<String, Object> words = new HashMap<>();
      Arrays.stream(raw.getEnumConstants()).forEach(each -> words.put(word(each), each));
      return new Text<>(JsonRecords::word, text -> words.get(text.toLowerCase(Locale.ROOT)));
    }
    if (raw == Instant.class) {
      return new Text<>(Object::toString, Instant::parse);
    }
    if (raw.getPackage() == Keyed.class.getPackage()) {
      return new Text<>(Object::toString, text -> parsed(raw, text));
    }
    return raw.isRecord() ? new Bound<>(gson, raw) : null;
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

  private static final class Text<T> extends TypeAdapter<T> {
    private final Function<Object, String> written;
    private final Function<String, @Nullable Object> parsed;

    Text(Function<Object, String> written, Function<String, @Nullable Object> parsed) {
      this.written = written;
      this.parsed = parsed;
    }

    @Override
    public void write(JsonWriter out, @Nullable T value) throws IOException {
      out.value(value == null ? null : written.apply(value));
    }

    @Override
    @SuppressWarnings("unchecked") // the form was made for this type
    public @Nullable T read(JsonReader in) throws IOException {
      if (in.peek() == JsonToken.NULL) {
        in.nextNull();
        return null;
      }
      String text = in.nextString();
      try {
        Object value = parsed.apply(text);
        if (value != null) {
          return (T) value;
        }
      } catch (DateTimeParseException e) {
        // Named below.
      }
      throw new JsonParseException("no value of this kind: " + text);
    }
  }

  /**
   * One component.
   *
   * @param nothing the value of a record that lacks the member; {@code null} when it may not
   * @param nullable it may be null
   * @param inner the form of a record whose members are members here; {@code null} for others
   */
  private record Member(
      String name,
      Method accessor,
      TypeAdapter<Object> form,
      boolean rare,
      boolean nullable,
      @Nullable Object nothing,
      @Nullable Bound<Object> inner) {

    @SuppressWarnings("unchecked") // each adapter takes what the component gives
    static Member of(Gson gson, RecordComponent component) {
      Named named = component.getAnnotation(Named.class);
      boolean rare = component.isAnnotationPresent(Rare.class);
      boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      TypeAdapter<Object> form =
          (TypeAdapter<Object>) gson.getAdapter(TypeToken.get(component.getGenericType()));
      return new Member(
          named == null
              ? component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT)
              : named.value(),
          accessor,
          form,
          rare,
          nullable,
          nullable ? null : nothing(component.getType(), form, rare),
          component.isAnnotationPresent(Inline.class) ? (Bound<Object>) form : null);
    }

    /** Finds the value of what is missing; {@code null} where it must not be. */
    private static @Nullable Object nothing(Class<?> type, TypeAdapter<Object> form, boolean rare) {
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

    boolean saysNothing(@Nullable Object value) {
      return rare && (value == null || value.equals(nothing));
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
        return nullable && inner.isMissing(values, first) ? null : inner.made(values, first);
      }
      Object value = values[first] == null ? nothing : values[first];
      if (value == null && !nullable) {
        throw new JsonParseException(name + " is missing");
      }
      return value;
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

    /** The forms of all members by name, each with its place. */
    private final Map<String, Place> places = new HashMap<>();

    private record Place(int number, TypeAdapter<?> form) {}

    Bound(Gson gson, Class<? super T> type) {
      RecordComponent[] components = type.getRecordComponents();
      members = Arrays.stream(components).map(each -> Member.of(gson, each)).toList();
      int next = 0;
      for (Member member : members) {
        int first = next;
        if (member.inner == null) {
          places.put(member.name, new Place(first, member.form));
        } else {
          member.inner.places.forEach(
              (name, place) -> places.put(name, new Place(first + place.number, place.form)));
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
          values[place.number] = place.form.read(in);
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
        throw new JsonParseException("reading " + constructor, e);
      }
    }
  }
}
