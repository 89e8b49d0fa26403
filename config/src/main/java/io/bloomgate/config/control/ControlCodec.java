package io.bloomgate.config.control;

import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.control.ControlRequest.OfList;
import io.bloomgate.config.control.WireRecord.MalformedException;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Control requests and replies to JSON lines and back. Total: any text gives a value or a sentence
 * about what is wrong, never an exception. Pure; any thread. The command line encodes requests and
 * decodes replies, the gateway's control server the other way round; people may do the same by hand
 * with socat.
 *
 * <p>A line ends with LF, which neither side puts into the texts here.
 */
public final class ControlCodec {

  /** Longest request line in octets of UTF-8, its LF included (1 MiB). */
  public static final int MAX_REQUEST_OCTETS = 1 << 20;

  /** Longest reply line in octets of UTF-8, its LF included (4 MiB). */
  public static final int MAX_REPLY_OCTETS = 4 << 20;

  private static final String COMMAND = "command";

  /** Both lists have their own command: {@code allow.add}, {@code block.add}. */
  private record Command(WireRecord<ControlRequest> record, @Nullable ListName list) {}

  private static final Map<Class<?>, WireRecord<ControlRequest>> REQUESTS = new HashMap<>();
  private static final Map<String, Command> COMMANDS = new HashMap<>();
  private static final Map<Class<?>, WireRecord<ControlReply>> REPLIES = new LinkedHashMap<>();

  static {
    for (Class<?> type : ControlRequest.class.getPermittedSubclasses()) {
      WireRecord<ControlRequest> record = WireRecord.of(type.asSubclass(ControlRequest.class));
      REQUESTS.put(type, record);
      if (record.isOfList()) {
        for (ListName list : ListName.values()) {
          COMMANDS.put(WireRecord.word(list) + "." + name(type), new Command(record, list));
        }
      } else {
        COMMANDS.put(name(type), new Command(record, null));
      }
    }
    for (Class<?> type : ControlReply.class.getPermittedSubclasses()) {
      REPLIES.put(type, WireRecord.of(type.asSubclass(ControlReply.class)));
    }
  }

  private ControlCodec() {}

  /** What a request line holds. */
  public sealed interface Decoded {
    /** A request. */
    record Request(ControlRequest request) implements Decoded {}

    /** No request; the message is safe to send back and to log. */
    record Malformed(String message) implements Decoded {}
  }

  /** What a reply line holds. */
  public sealed interface DecodedReply {
    /** A reply. */
    record Reply(ControlReply reply) implements DecodedReply {}

    /** No reply of this protocol. */
    record Malformed(String message) implements DecodedReply {}
  }

  private static String name(Class<?> type) {
    return Objects.requireNonNull(type.getAnnotation(WireRecord.Wire.class), type::getName).value();
  }

  /** A request as one line without its LF. */
  public static String encode(ControlRequest request) {
    ListName list = request instanceof OfList of ? of.list() : null;
    String name = name(request.getClass());
    String command = list == null ? name : WireRecord.word(list) + "." + name;
    return Json.write(
        record(REQUESTS, request).write(request, JsonValue.object().put(COMMAND, command)));
  }

  /** A reply as one line without its LF. */
  public static String encode(ControlReply reply) {
    return Json.write(record(REPLIES, reply).write(reply, JsonValue.object()));
  }

  private static <T> WireRecord<T> record(Map<Class<?>, WireRecord<T>> all, T value) {
    return Objects.requireNonNull(all.get(value.getClass()));
  }

  /** Reads one request line. */
  public static Decoded decodeRequest(String line) {
    try {
      return new Decoded.Request(request(object(line)));
    } catch (MalformedException e) {
      return new Decoded.Malformed(e.reason());
    }
  }

  /** Reads one reply line. */
  public static DecodedReply decodeReply(String line) {
    try {
      return new DecodedReply.Reply(reply(object(line)));
    } catch (MalformedException e) {
      return new DecodedReply.Malformed(e.reason());
    }
  }

  private static ControlRequest request(JsonObject object) throws MalformedException {
    if (!(object.get(COMMAND).orElse(JsonValue.NULL) instanceof JsonString(String name))) {
      throw new MalformedException("`command` must be a string");
    }
    Command command = COMMANDS.get(name);
    if (command == null) {
      throw new MalformedException(
          "the command is unknown here; are command line and gateway of one version?");
    }
    return command.record().read(object, command.list(), Set.of(COMMAND));
  }

  /** The first member names the kind. */
  private static ControlReply reply(JsonObject object) throws MalformedException {
    for (WireRecord<ControlReply> record : REPLIES.values()) {
      if (object.get(record.firstName()).isPresent()) {
        return record.read(object, null, Set.of());
      }
    }
    throw new MalformedException("the kind of reply is unknown here");
  }

  private static JsonObject object(String line) throws MalformedException {
    try {
      JsonValue value = Json.parse(line);
      if (value instanceof JsonObject object) {
        return object;
      }
      throw new MalformedException("a JSON object is expected");
    } catch (JsonSyntaxException e) {
      throw new MalformedException("not JSON: column " + e.column() + ": " + e.reason());
    }
  }
}
