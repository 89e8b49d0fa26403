package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.StreamId;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A node of a fleet, as its last heartbeat says. Immutable.
 *
 * @param connected its heartbeat is not too old
 * @param start a word of this start of the gateway
 * @param generation id of its live generation
 * @param state what the gateway does there
 * @param place the last change that it has applied
 * @param waiting own commands that Redis has not yet
 * @param atMillis when it wrote this, by its own clock
 * @param replyMillis that Redis took to answer it
 * @param clockMillis by which its clock was ahead of that of Redis
 * @param leads it holds the lease of the leader
 * @param lagMillis from its place to the newest change
 */
public record FleetNode(
    String name,
    boolean connected,
    String start,
    String generation,
    State state,
    StreamId place,
    long waiting,
    String version,
    long atMillis,
    long replyMillis,
    long clockMillis,
    boolean leads,
    long lagMillis) {

  /** A name that the settings allow: a sentence with a command in it is none. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,31}");

  /** A node is gone when its heartbeat is older. */
  static final long ALIVE_MILLIS = 5_000;

  private static final int MAX_CHARACTERS = 128;
  private static final int MAX_FEEDS = 50;
  private static final String ROLLED_BACK = "rolled_back";
  private static final long LONG_GONE_MILLIS = 7 * 86_400_000L;

  /**
   * The state of a gateway, as it says itself.
   *
   * @param mode that counts; empty before the gateway has said it
   * @param rolledBack names of feeds; empty before the gateway has said it
   */
  public record State(String mode, Optional<List<String>> rolledBack) {
    static final State UNKNOWN = new State("", Optional.empty());
  }

  /**
   * Things that are seen beside a heartbeat.
   *
   * @param place of the node, newer than its heartbeat
   * @param leader name of the node with the lease
   */
  record Beside(long redisMillis, StreamId newest, String place, String leader) {}

  /** True for a node that is away, but not for so long that nobody waits for it. */
  boolean isAway(long nowMillis) {
    return !connected && nowMillis - atMillis < LONG_GONE_MILLIS;
  }

  /** True for a node that was not heard of for a week: it is shown, and not counted. */
  public boolean isLongGone(long nowMillis) {
    return !connected && !isAway(nowMillis);
  }

  /** Writes the place as Redis does. */
  public String placeText() {
    return place.toString();
  }

  String text() {
    return Json.write(
        JsonValue.object()
            .put("start", start)
            .put("generation", generation)
            .put("mode", state.mode())
            .put(
                ROLLED_BACK,
                state
                    .rolledBack()
                    .<JsonValue>map(
                        names -> JsonValue.ofStrings(names.stream().limit(MAX_FEEDS).toList()))
                    .orElse(JsonValue.NULL))
            .put("place", place.toString())
            .put("waiting", waiting)
            .put("version", version)
            .put("at", atMillis)
            .put("reply", replyMillis)
            .put("clock", clockMillis)
            .build());
  }

  /** Reads a heartbeat; empty when it is none, or when no gateway can have the name. */
  static Optional<FleetNode> read(String name, String text, Beside beside) {
    try {
      return NAME.matcher(name).matches() && Json.parse(text) instanceof JsonObject object
          ? Optional.of(read(name, object, beside))
          : Optional.empty();
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }

  private static FleetNode read(String name, JsonObject object, Beside beside) {
    long at = object.number("at").orElse(0);
    long reply = object.number("reply").orElse(0);
    long clock = object.number("clock").orElse(0);
    StreamId place =
        StreamId.parse(beside.place())
            .or(() -> StreamId.parse(object.text("place").orElse("")))
            .orElse(StreamId.START);
    return new FleetNode(
        name,
        beside.redisMillis() - (at - clock) - reply < ALIVE_MILLIS,
        cut(object, "start"),
        cut(object, "generation"),
        new State(
            cut(object, "mode"),
            object
                .get(ROLLED_BACK)
                .filter(JsonArray.class::isInstance)
                .map(_ -> strings(object.elements(ROLLED_BACK)))),
        place,
        object.number("waiting").orElse(0),
        cut(object, "version"),
        at,
        reply,
        clock,
        name.equals(beside.leader()),
        lag(place, beside.newest()));
  }

  private static List<String> strings(List<JsonValue> values) {
    return values.stream()
        .filter(JsonString.class::isInstance)
        .limit(MAX_FEEDS)
        .map(value -> cut(((JsonString) value).value()))
        .toList();
  }

  /** Milliseconds from a place to the newest change. */
  static long lag(StreamId place, StreamId newest) {
    return Math.max(0, newest.millis() - place.millis());
  }

  private static String cut(JsonObject object, String member) {
    return cut(object.text(member).orElse(""));
  }

  private static String cut(String text) {
    return text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) : text;
  }
}
