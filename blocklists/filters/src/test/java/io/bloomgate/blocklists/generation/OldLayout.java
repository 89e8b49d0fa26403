package io.bloomgate.blocklists.generation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Makes a generation look like one of another release: one filter for names and mail addresses, and
 * a manifest of format 0 with a right checksum.
 */
public final class OldLayout {

  private OldLayout() {}

  public static void give(Path generation) throws Exception {
    Files.move(generation.resolve("domain.filter"), generation.resolve("name.filter"));
    Files.delete(generation.resolve("address.filter"));
    Path manifest = generation.resolve("manifest.json");
    Map<String, JsonValue> members =
        new LinkedHashMap<>(((JsonObject) Json.parse(Files.readString(manifest))).members());
    members.remove("checksum");
    members.put("format", JsonValue.of(0));
    CRC32C crc = new CRC32C();
    crc.update(Json.write(new JsonObject(members)).getBytes(UTF_8));
    members.put("checksum", JsonValue.of(HexFormat.of().toHexDigits((int) crc.getValue())));
    Files.writeString(manifest, Json.write(new JsonObject(members)) + "\n");
  }
}
