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
import java.util.function.Function;
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

  /**
   * A command on the wire: each of the operator's lists has its own, {@code allow.add}, {@code
   * block.add}.
   */
  private record Command(WireRecord<ControlRequest> record, @Nullable ListName list) {}

  /** Each looked at when it is first asked for: a command line writes one. */
  private static final ClassValue<WireRecord<ControlRequest>> REQUESTS =
      new ClassValue<>() {
        @Override
        protected WireRecord<ControlRequest> computeValue(Class<?> type) {
          return WireRecord.of(type.asSubclass(ControlRequest.class));
        }
      };

  private static final Map<Class<?>, WireRecord<ControlReply>> REPLIES = new LinkedHashMap<>();

  static {
    for (Class<?> type : ControlReply.class.getPermittedSubclasses()) {
      REPLIES.put(type, WireRecord.of(type.asSubclass(ControlReply.class)));
    }
  }

  /** All requests by their words, for who reads them; the command line does not. */
  private static final class Commands {
    private static final Map<String, Command> BY_NAME = new HashMap<>();

    static {
      for (Class<?> type : ControlRequest.class.getPermittedSubclasses()) {
        WireRecord<ControlRequest> record = REQUESTS.get(type);
        if (record.isOfList()) {
          for (ListName list : ListName.values()) {
            BY_NAME.put(
                WireRecord.word(list) + "." + WireNames.command(type), new Command(record, list));
          }
        } else {
          BY_NAME.put(WireNames.command(type), new Command(record, null));
        }
      }
    }
  }

  private ControlCodec() {}

  /** A request line, decoded, or the reason why it is none. */
  public sealed interface Decoded {
    /** A request. */
    record Request(ControlRequest request) implements Decoded {}

    /** No request; the message is safe to send back and to log. */
    record Malformed(String message) implements Decoded {}
  }

  /** A reply line, decoded, or the reason why it is none. */
  public sealed interface DecodedReply {
    /** A reply. */
    record Reply(ControlReply reply) implements DecodedReply {

      @Override
      public <X extends Exception> ControlReply orElseThrow(Function<String, X> failure) {
        return reply;
      }
    }

    /** No reply of this protocol. */
    record Malformed(String message) implements DecodedReply {

      @Override
      public <X extends Exception> ControlReply orElseThrow(Function<String, X> failure) throws X {
        throw failure.apply(message);
      }
    }

    /** The reply, or the failure that is made of the message. */
    <X extends Exception> ControlReply orElseThrow(Function<String, X> failure) throws X;
  }

  /** A request as one line without its LF. */
  public static String encode(ControlRequest request) {
    ListName list = request instanceof OfList of ? of.list() : null;
    String name = WireNames.command(request.getClass());
    String command = list == null ? name : WireRecord.word(list) + "." + name;
    return Json.write(
        REQUESTS.get(request.getClass()).write(request, JsonValue.object().put(COMMAND, command)));
  }

  /** A reply as one line without its LF. */
  public static String encode(ControlReply reply) {
    return Json.write(
        Objects.requireNonNull(REPLIES.get(reply.getClass())).write(reply, JsonValue.object()));
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
    Command command = Commands.BY_NAME.get(name);
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
