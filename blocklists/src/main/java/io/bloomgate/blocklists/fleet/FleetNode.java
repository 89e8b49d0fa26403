package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.StreamId;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonSyntaxException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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

  /** The form of a heartbeat in Redis; its members have the names of those above. */
  private record Form(
      String start,
      @Rare String generation,
      @Rare String mode,
      @Nullable List<String> rolledBack,
      @Rare String place,
      long waiting,
      @Rare String version,
      long at,
      long reply,
      long clock) {}

  String text() {
    return JsonRecords.text(
        new Form(
            start,
            generation,
            state.mode(),
            state.rolledBack().map(names -> names.stream().limit(MAX_FEEDS).toList()).orElse(null),
            place.toString(),
            waiting,
            version,
            atMillis,
            replyMillis,
            clockMillis));
  }

  /** Reads a heartbeat; empty when it is none, or when no gateway can have the name. */
  static Optional<FleetNode> read(String name, String text, Beside beside) {
    try {
      return NAME.matcher(name).matches()
          ? Optional.of(of(name, JsonRecords.read(Form.class, text), beside))
          : Optional.empty();
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }

  private static FleetNode of(String name, Form form, Beside beside) {
    StreamId place =
        StreamId.parse(beside.place())
            .or(() -> StreamId.parse(form.place()))
            .orElse(StreamId.START);
    return new FleetNode(
        name,
        beside.redisMillis() - (form.at() - form.clock()) - form.reply() < ALIVE_MILLIS,
        cut(form.start()),
        cut(form.generation()),
        new State(
            cut(form.mode()),
            Optional.ofNullable(form.rolledBack())
                .map(names ->
                    names.stream()
                        .filter(Objects::nonNull)
                        .limit(MAX_FEEDS)
                        .map(FleetNode::cut)
                        .toList())),
        place,
        form.waiting(),
        cut(form.version()),
        form.at(),
        form.reply(),
        form.clock(),
        name.equals(beside.leader()),
        lag(place, beside.newest()));
  }

  /** Milliseconds from a place to the newest change. */
  static long lag(StreamId place, StreamId newest) {
    return Math.max(0, newest.millis() - place.millis());
  }

  private static String cut(String text) {
    return text.length() > MAX_CHARACTERS ? text.substring(0, MAX_CHARACTERS) : text;
  }
}
