package io.bloomgate.blocklists.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * JSON objects whose last member is the CRC32C of the rest (RFC 3720, appendix B.4): a reader
 * notices an edited or damaged object even when the rest is still valid JSON. Pure; any thread.
 */
public final class CheckedJson {

  private static final String CHECKSUM = "checksum";

  private CheckedJson() {}

  /** The object with its checksum. */
  public static JsonObject of(JsonObject plain) {
    Map<String, JsonValue> members = new LinkedHashMap<>(plain.members());
    members.put(CHECKSUM, JsonValue.of(checksum(plain)));
    return new JsonObject(members);
  }

  /** The object that {@link #of} was given; empty when the checksum is wrong or there is none. */
  public static Optional<JsonObject> plain(JsonObject stored) {
    Map<String, JsonValue> members = new LinkedHashMap<>(stored.members());
    JsonValue sum = members.remove(CHECKSUM);
    JsonObject plain = new JsonObject(members);
    return sum != null && sum.equals(JsonValue.of(checksum(plain)))
        ? Optional.of(plain)
        : Optional.empty();
  }

  private static String checksum(JsonObject plain) {
    CRC32C crc = new CRC32C();
    crc.update(Json.write(plain).getBytes(UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
