package io.bloomgate.config.control;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;

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

  private ControlCodec() {}

  /** What a request line said. */
  public sealed interface Decoded {
    /** A request. */
    record Request(ControlRequest request) implements Decoded {}

    /** No request; the message is safe to send back and to log. */
    record Malformed(String message) implements Decoded {}
  }

  /** What a reply line said. */
  public sealed interface DecodedReply {
    /** A reply. */
    record Reply(ControlReply reply) implements DecodedReply {}

    /** No reply of this protocol. */
    record Malformed(String message) implements DecodedReply {}
  }

  /** A request as one line without its LF. */
  public static String encode(ControlRequest request) {
    return Json.write(RequestJson.write(request));
  }

  /** A reply as one line without its LF. */
  public static String encode(ControlReply reply) {
    return Json.write(ReplyJson.write(reply));
  }

  /** Reads one request line. */
  public static Decoded decodeRequest(String line) {
    try {
      return new Decoded.Request(RequestJson.read(object(line)));
    } catch (MalformedException e) {
      return new Decoded.Malformed(e.reason());
    }
  }

  /** Reads one reply line. */
  public static DecodedReply decodeReply(String line) {
    try {
      return new DecodedReply.Reply(ReplyJson.read(object(line)));
    } catch (MalformedException e) {
      return new DecodedReply.Malformed(e.reason());
    }
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
