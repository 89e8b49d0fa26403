package io.bloomgate.blocklists.breaker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.feed.EntryKeys;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Publishes on disk: {@code STATE_DIR/feeds/NAME/new/17.entries}, written before version 17 is
 * built, and {@code 17.json}, written when it is live. Used by {@link Breaker} under its lock.
 */
record PublishFiles(Path feeds) {

  private static final String DIRECTORY = "new";
  private static final String ENTRIES = ".entries";
  private static final String STATE = ".json";

  /** Names of the feeds that have files here. */
  List<String> names() throws IOException {
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(feeds)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(feeds)) {
        for (Path one : all) {
          if (Files.isDirectory(one.resolve(DIRECTORY))) {
            names.add(String.valueOf(one.getFileName()));
          }
        }
      }
    }
    return names;
  }

  /** Versions that have an entries file, oldest first. */
  List<Long> versions(String feed) throws IOException {
    List<Long> versions = new ArrayList<>();
    Path directory = feeds.resolve(feed).resolve(DIRECTORY);
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "*" + ENTRIES)) {
        for (Path one : all) {
          String name = String.valueOf(one.getFileName());
          String number = name.substring(0, name.length() - ENTRIES.length());
          if (number.matches("[1-9][0-9]{0,17}")) {
            versions.add(Long.valueOf(number));
          }
        }
      }
    }
    Collections.sort(versions);
    return versions;
  }

  void writeEntries(String feed, long version, EntryKeys entries) throws IOException {
    Path directory = feeds.resolve(feed).resolve(DIRECTORY);
    if (!Files.isDirectory(directory)) {
      DurableFiles.createPrivateDirectory(directory);
    }
    // What an older version of that number left must not speak for this one.
    Files.deleteIfExists(file(feed, version, STATE));
    entries.write(file(feed, version, ENTRIES));
  }

  Optional<EntryKeys> entries(String feed, long version) throws IOException {
    Path file = file(feed, version, ENTRIES);
    return Files.exists(file) ? Optional.of(EntryKeys.open(file)) : Optional.empty();
  }

  /** The publish of a version; empty when it never went live. */
  Optional<Publish> publish(String feed, long version) throws IOException {
    Path state = file(feed, version, STATE);
    Optional<EntryKeys> entries = entries(feed, version);
    if (entries.isEmpty() || !Files.exists(state)) {
      return Optional.empty();
    }
    try {
      return Json.parse(Files.readString(state)) instanceof JsonObject object
          ? Publish.ofJson(feed, version, object, entries.get())
          : Optional.empty();
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }

  void save(Publish publish) throws IOException {
    DurableFiles.replace(
        file(publish.feed, publish.version, STATE), Json.write(publish.toJson()).getBytes(UTF_8));
    publish.saved();
  }

  /**
   * Removes what is known of a publish; the state first, without which the entries mean nothing.
   */
  void remove(String feed, long version) throws IOException {
    Files.deleteIfExists(file(feed, version, STATE));
    Files.deleteIfExists(file(feed, version, ENTRIES));
  }

  private Path file(String feed, long version, String kind) {
    return feeds.resolve(feed).resolve(DIRECTORY).resolve(version + kind);
  }
}
