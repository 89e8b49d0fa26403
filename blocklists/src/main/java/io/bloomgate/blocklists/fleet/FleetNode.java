package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.StreamId;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A node of a fleet, as its last heartbeat says. Immutable.
 *
 * @param connected its heartbeat has not expired
 * @param generation id of its live generation
 * @param mode that counts there; empty where an older release does not say
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
    boolean connected,
    String generation,
    String mode,
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

  private static final int MOST_CHARACTERS = 128;

  private static final long LONG_GONE_MILLIS = 7 * 86_400_000L;

  /** True for a node that is away, but not for so long that nobody waits for it. */
  boolean isAway(long nowMillis) {
    return !connected && nowMillis - atMillis < LONG_GONE_MILLIS;
  }

  /** True for a node that was not heard of for a week: it is shown, and not counted. */
  public boolean isLongGone(long nowMillis) {
    return !connected && !isAway(nowMillis);
  }

  /** As Redis writes it. */
  public String placeText() {
    return place.toString();
  }

  String text() {
    return Json.write(
        JsonValue.object()
            .put("generation", generation)
            .put("mode", mode)
            .put("place", place.toString())
            .put("waiting", waiting)
            .put("version", version)
            .put("at", atMillis)
            .put("reply", replyMillis)
            .put("clock", clockMillis)
            .build());
  }

  /** Reads a heartbeat; empty when it is none, or when no gateway can have the name. */
  static Optional<FleetNode> read(String name, boolean connected, String text) {
    try {
      return NAME.matcher(name).matches() && Json.parse(text) instanceof JsonObject object
          ? Optional.of(
              new FleetNode(
                  name,
                  connected,
                  cut(object.text("generation").orElse("")),
                  cut(object.text("mode").orElse("")),
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

  /** The same with a newer place, where that is one, and seen beside the others. */
  FleetNode seen(String newPlace, StreamId newest, String leader) {
    StreamId now = StreamId.parse(newPlace).orElse(place);
    return new FleetNode(
        name,
        connected,
        generation,
        mode,
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
