package io.bloomgate.blocklists.refresh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.refresh.FeedVersion.StoredJson;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code STATE_DIR/feeds/trying.json}: there while versions are read or built, so that a start
 * finds what may have ended the process before it. Without it a text that takes all memory would be
 * read again right after every restart. Used on the feed-refresher thread.
 */
final class TryingMark {

  private static final Logger LOG = LoggerFactory.getLogger(TryingMark.class);

  private static final String BUILDING = "building";
  private static final String VERSIONS = "versions";

  private final Path file;

  /**
   * What was under way.
   *
   * @param building false while it was only read
   * @param versions by feed; none in a build without new versions
   */
  record Trying(boolean building, Map<String, Long> versions) {
    Trying {
      versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
    }
  }

  /**
   * @param feeds {@code STATE_DIR/feeds}
   */
  TryingMark(Path feeds) {
    this.file = feeds.resolve("trying.json");
  }

  /** Call before; it is on disk when this returns. */
  void begin(Trying trying) throws IOException {
    JsonValue.ObjectBuilder versions = JsonValue.object();
    trying.versions.forEach(versions::put);
    JsonObject object =
        JsonValue.object().put(BUILDING, trying.building).put(VERSIONS, versions.build()).build();
    DurableFiles.replace(file, Json.write(object).getBytes(UTF_8));
  }

  /** Call after, whatever came of it, unless it is an error that will end the process. */
  void end() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.warn("{}", e.toString());
    }
  }

  /** What was under way when the process ended, if it was. Call at the start. */
  Optional<Trying> found() throws IOException {
    try {
      if (!(Json.parse(DurableFiles.readJson(file)) instanceof JsonObject object)) {
        return Optional.empty();
      }
      Map<String, Long> versions = new LinkedHashMap<>();
      if (object.get(VERSIONS).orElse(null) instanceof JsonObject tried) {
        tried.members().keySet().forEach(n -> versions.put(n, StoredJson.number(tried, n)));
      }
      boolean building = JsonValue.of(true).equals(object.get(BUILDING).orElse(null));
      return Optional.of(new Trying(building, versions));
    } catch (NoSuchFileException | JsonSyntaxException | CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
