package io.bloomgate.config.control;

import io.bloomgate.config.control.ControlRequest.OfList;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Control requests and replies to JSON lines and back. Total: any text gives a value or a sentence
 * about what is wrong, never an exception. Pure; any thread. The command line encodes requests and
 * decodes replies, the gateway's control server the other way round; people may do the same by hand
 * with socat.
 *
 * <p>A line ends with LF, which neither side puts into the texts here. A request is its command and
 * the members of its record; a command for one of the operator's lists has the name of the list in
 * front, {@code allow.add}.
 */
public final class ControlCodec {

  /** Longest request line in octets of UTF-8, its LF included (1 MiB). */
  public static final int MAX_REQUEST_OCTETS = 1 << 20;

  /** Longest reply line in octets of UTF-8, its LF included (4 MiB). */
  public static final int MAX_REPLY_OCTETS = 4 << 20;

  private static final String COMMAND = "command";
  private static final String LIST = "list";
  private static final String LIMIT = "limit";

  /** The commands that are not named as their record is: words apart, the first before a dot. */
  private static final Map<Class<?>, String> OTHER_NAMES =
      Map.of(ControlRequest.SetMode.class, "mode", ControlRequest.ListShow.class, "list");

  /** All requests by their commands, for the gateway; the command line does not read them. */
  private static final class Commands {

    private static final Map<String, Class<? extends Record>> BY_NAME = new HashMap<>();

    static {
      for (Class<?> type : ControlRequest.class.getDeclaredClasses()) {
        if (!type.isRecord()) {
          continue;
        }
        Class<? extends Record> record = type.asSubclass(Record.class);
        if (OfList.class.isAssignableFrom(type)) {
          for (ListKind list : ListKind.values()) {
            BY_NAME.put(list.key() + "." + name(type), record);
          }
        } else {
          BY_NAME.put(name(type), record);
        }
      }
    }
  }

  private ControlCodec() {}

  /** The command of a record: {@code FeedsHeldChanges} is {@code feeds.held_changes}. */
  private static String name(Class<?> request) {
    String words = request.getSimpleName().replaceAll("(?<=.)([A-Z])", "_$1");
    String name = words.toLowerCase(Locale.ROOT);
    boolean ofList = OfList.class.isAssignableFrom(request);
    return OTHER_NAMES.getOrDefault(
        request, ofList ? name.substring(name.indexOf('_') + 1) : name.replaceFirst("_", "."));
  }

  private static String command(ControlRequest request) {
    String list = request instanceof OfList of ? of.list().key() + "." : "";
    return list + name(request.getClass());
  }

  /** The words of the command that makes such a request, for people: {@code feeds refresh}. */
  public static String words(ControlRequest request) {
    return request instanceof ControlRequest.SpamReport(boolean good, var _, var _)
        ? good ? "report good" : "report spam"
        : command(request).replaceAll("[._]", " ");
  }

  /** A request as one line without its LF. */
  public static String encode(ControlRequest request) {
    boolean ofList = request instanceof OfList;
    JsonValue.ObjectBuilder line = JsonValue.object().put(COMMAND, command(request));
    JsonRecords.of((Record) request)
        .members()
        .forEach((name, value) -> {
          if (!ofList || !name.equals(LIST)) {
            line.put(name, value);
          }
        });
    return Json.write(line.build());
  }

  /** A reply as one line without its LF; the first member names the kind. */
  public static String encode(ControlReply reply) {
    return JsonRecords.line((Record) reply);
  }

  /** Reads one request line; the reason why it is none is safe to send back and to log. */
  public static Parsed<ControlRequest> decodeRequest(String line) {
    try {
      return Parsed.ok(request(object(line)));
    } catch (JsonSyntaxException e) {
      return Parsed.bad(e.reason());
    }
  }

  /** Reads one reply line. */
  public static Parsed<ControlReply> decodeReply(String line) {
    try {
      return Parsed.ok(reply(object(line)));
    } catch (JsonSyntaxException e) {
      return Parsed.bad(e.reason());
    }
  }

  /**
   * Makes a record of an object. A member that no component has is refused, so that a misspelt one
   * is never ignored; one that is {@code null} does no harm.
   */
  private static ControlRequest request(JsonObject object) throws JsonSyntaxException {
    if (!(object.get(COMMAND).orElse(JsonValue.NULL) instanceof JsonString(String name))) {
      throw wrong("`command` must be a string");
    }
    Class<? extends Record> type = Commands.BY_NAME.get(name);
    if (type == null) {
      throw wrong("the command is unknown here; are command line and gateway of one version?");
    }
    Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
    members.remove(COMMAND);
    Set<String> names = JsonRecords.names(type);
    boolean ofList = OfList.class.isAssignableFrom(type);
    for (String member : members.keySet()) {
      boolean known = names.contains(member) && !(ofList && member.equals(LIST));
      if (!known && object.get(member).isPresent()) {
        throw wrong(
            "a field of the request is unknown here; are command line and gateway of one version?");
      }
    }
    if (object.number(LIMIT).orElse(0) < 0) {
      throw wrong("`limit` must be a number of entries");
    }
    if (names.contains(LIMIT) && object.get(LIMIT).isEmpty()) {
      members.put(LIMIT, JsonValue.of(Long.MAX_VALUE)); // all that there is
    }
    if (ofList) {
      members.put(LIST, JsonValue.of(name.substring(0, name.indexOf('.'))));
    }
    return (ControlRequest) JsonRecords.read(type, new JsonObject(members));
  }

  /** No switch over patterns: each command does this, and Java makes a class for one. */
  private static ControlReply reply(JsonObject line) throws JsonSyntaxException {
    JsonValue item = line.get("item").orElse(JsonValue.NULL);
    if (item instanceof JsonObject value && line.members().size() == 1) {
      return new ControlReply.Item(value);
    }
    OptionalLong done = line.number("done");
    if (done.isPresent()) {
      return new ControlReply.Done((int) done.getAsLong());
    }
    if (line.text("note").isPresent()) {
      return new ControlReply.Note(line.text("note").get());
    }
    if (line.text("progress").isPresent() && line.object("value").isPresent()) {
      return new ControlReply.Progress(line.text("progress").get(), line.object("value").get());
    }
    OptionalLong failed = line.number("failed");
    if (failed.isPresent() && line.text("message").isPresent()) {
      return new ControlReply.Failed(
          (int) failed.getAsLong(), line.text("message").get(), line.text("hint").orElse(""));
    }
    throw wrong("the kind of reply is unknown here");
  }

  private static JsonObject object(String line) throws JsonSyntaxException {
    JsonValue value;
    try {
      value = Json.parse(line);
    } catch (JsonSyntaxException e) {
      throw wrong("not JSON: column " + e.column() + ": " + e.reason());
    }
    if (value instanceof JsonObject object) {
      return object;
    }
    throw wrong("a JSON object is expected");
  }

  private static JsonSyntaxException wrong(String reason) {
    return new JsonSyntaxException(1, 1, reason);
  }
}
