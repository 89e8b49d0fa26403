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
 * @param proven a node of this fleet wrote it; of another one only the name is known
 * @param connected its heartbeat has not expired
 * @param generation id of its live generation
 * @param state what the gateway does there
 * @param place the last record of the stream that it has applied
 * @param waiting own records that are not in the stream yet
 * @param atMillis when it wrote this, by its own clock
 * @param replyMillis that Redis took to answer it
 * @param clockMillis by which its clock was ahead of that of Redis
 * @param leads it holds the lease of the leader
 * @param lagMillis from its place to the newest record of the stream
 */
public record FleetNode(
    String name,
    boolean proven,
    boolean connected,
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

  /** As the settings allow it: a sentence with a command in it is no name. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,31}");

  /** A node is gone when its heartbeat is older. */
  static final long ALIVE_MILLIS = 5_000;

  private static final int MOST_CHARACTERS = 128;
  private static final int MOST_FEEDS = 50;
  private static final String ROLLED_BACK = "rolled_back";
  private static final String LINKS = "links";

  private static final long LONG_GONE_MILLIS = 7 * 86_400_000L;

  /**
   * What a gateway does, as it says itself.
   *
   * @param mode that counts; empty where an older release does not say
   * @param rolledBack names of feeds; empty where an older release does not say
   */
  public record State(String mode, Optional<List<String>> rolledBack) {
    static final State UNKNOWN = new State("", Optional.empty());
  }

  /** True for a node that is away, but not for so long that nobody waits for it. */
  boolean isAway(long nowMillis) {
    return proven && !connected && nowMillis - atMillis < LONG_GONE_MILLIS;
  }

  /** True for a node that was not heard of for a week: it is shown, and not counted. */
  public boolean isLongGone(long nowMillis) {
    return proven && !connected && !isAway(nowMillis);
  }

  /** As Redis writes it. */
  public String placeText() {
    return place.toString();
  }

  String text() {
    return Json.write(
        JsonValue.object()
            .put("generation", generation)
            .put("mode", state.mode())
            .put(ROLLED_BACK, state.rolledBack().map(FleetNode::array).orElse(JsonValue.NULL))
            .put("place", place.toString())
            .put("waiting", waiting)
            .put("version", version)
            .put("at", atMillis)
            .put("reply", replyMillis)
            .put("clock", clockMillis)
            .put(LINKS, true)
            .build());
  }

  /** True when the release that wrote this heartbeat says the place of each record. */
  static boolean linksRecords(String text) {
    try {
      return Json.parse(text) instanceof JsonObject object && object.isTrue(LINKS);
    } catch (JsonSyntaxException e) {
      return false;
    }
  }

  private static JsonValue array(List<String> names) {
    return JsonValue.ofStrings(names.stream().limit(MOST_FEEDS).toList());
  }

  private static State state(JsonObject object) {
    return new State(
        cut(object.text("mode").orElse("")),
        object
            .get(ROLLED_BACK)
            .filter(JsonArray.class::isInstance)
            .map(_ -> strings(object.elements(ROLLED_BACK))));
  }

  private static List<String> strings(List<JsonValue> values) {
    return values.stream()
        .filter(JsonString.class::isInstance)
        .limit(MOST_FEEDS)
        .map(value -> cut(((JsonString) value).value()))
        .toList();
  }

  /** What wrote under a name that a gateway can have, and is not proven. */
  static Optional<FleetNode> unproven(String name) {
    return read(name, "{}").map(node -> node.with(false, false));
  }

  /** True while it is heard of, by the clock of Redis; what is copied later has an old time. */
  FleetNode heard(long redisMillis) {
    long age = Math.abs(redisMillis - (atMillis - clockMillis));
    return with(true, age - replyMillis < ALIVE_MILLIS);
  }

  /** Reads a heartbeat; empty when it is none, or when no gateway can have the name. */
  static Optional<FleetNode> read(String name, String text) {
    try {
      return NAME.matcher(name).matches() && Json.parse(text) instanceof JsonObject object
          ? Optional.of(
              new FleetNode(
                  name,
                  true,
                  false,
                  cut(object.text("generation").orElse("")),
                  state(object),
                  StreamId.parse(object.text("place").orElse("")).orElse(StreamId.START),
                  object.number("waiting").orElse(0),
                  cut(object.text("version").orElse("")),
                  object.number("at").orElse(0),
                  object.number("reply").orElse(0),
                  object.number("clock").orElse(0),
                  false,
                  0))
          : Optional.empty();
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }

  private FleetNode with(boolean isProven, boolean isConnected) {
    return new FleetNode(
        name,
        isProven,
        isConnected,
        generation,
        state,
        place,
        waiting,
        version,
        atMillis,
        replyMillis,
        clockMillis,
        leads,
        lagMillis);
  }

  /** The same with a newer place, where that is one, and seen beside the others. */
  FleetNode seen(String newPlace, StreamId newest, String leader) {
    StreamId now = StreamId.parse(newPlace).orElse(place);
    return new FleetNode(
        name,
        proven,
        connected,
        generation,
        state,
        now,
        waiting,
        version,
        atMillis,
        replyMillis,
        clockMillis,
        name.equals(leader),
        lag(now, newest));
  }

  /** Milliseconds from a place to the newest record. */
  static long lag(StreamId place, StreamId newest) {
    return Math.max(0, newest.millis() - place.millis());
  }

  private static String cut(String text) {
    return text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) : text;
  }
}
