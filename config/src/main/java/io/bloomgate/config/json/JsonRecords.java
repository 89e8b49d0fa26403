package io.bloomgate.config.json;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
      Json.builder()
          .enableComplexMapKeySerialization() // keys are written as values are
          .registerTypeAdapterFactory(Bound::of)
          .create();

  private JsonRecords() {}

  /** The object of a record. */
  public static JsonValue.JsonObject of(Record record) {
    try {
      return (JsonValue.JsonObject) Json.parse(text(record));
    } catch (JsonSyntaxException e) {
      throw new IllegalStateException("writing " + record.getClass(), e);
    }
  }

  /** The object of a record as a text, for a file of ours: no terminal is spared anything. */
  public static String text(Record record) {
    StringBuilder text = new StringBuilder(); // the library's own writer would lock each piece
    GSON.toJson(record, record.getClass(), text);
    return text.toString();
  }

  /** The object of a record on one line, as {@link Json#write} does. */
  public static String line(Record record) {
    return Json.safe(text(record));
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
      return GSON.fromJson(Json.write(object), type);
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
        Object value = form.read(in);
        if (value instanceof List<?> list && list.stream().anyMatch(Objects::isNull)) {
          throw new JsonParseException("`" + name + "`: a list has an empty place");
        }
        return value;
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

    /**
     * The form of a type; {@code null} for one that the library knows. It is here because the
     * compiler of other modules, which do not see the library, reads the methods outside.
     */
    static <S> @Nullable TypeAdapter<S> of(Gson gson, TypeToken<S> type) {
      Class<? super S> raw = type.getRawType();
      TypeAdapter<S> scalar = Scalar.of(type);
      return scalar == null && raw.isRecord() && !JsonValue.class.isAssignableFrom(raw)
          ? new Bound<>(gson, raw)
          : scalar;
    }

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
                : "a list has an empty place";
        throw new JsonParseException(reason, e);
      }
    }
  }
}
