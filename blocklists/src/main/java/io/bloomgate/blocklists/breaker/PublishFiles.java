package io.bloomgate.blocklists.breaker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.feed.EntryKeys;
import io.bloomgate.blocklists.file.CheckedJson;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Publishes on disk: {@code STATE_DIR/feeds/NAME/new/17.entries}, written before version 17 is
 * built, and {@code 17.json}, a {@link CheckedJson}, written when it is live; {@code 17-accepted}
 * for its held entries. Used by {@link Breaker} under its lock.
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

  /** Publishes of which there is a file, oldest first. */
  NavigableSet<PublishId> ids(String feed) throws IOException {
    NavigableSet<PublishId> ids = new TreeSet<>();
    Path directory = feeds.resolve(feed).resolve(DIRECTORY);
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
        for (Path one : all) {
          String name = String.valueOf(one.getFileName());
          if (name.endsWith(ENTRIES) || name.endsWith(STATE)) {
            PublishId.parse(name.substring(0, name.lastIndexOf('.'))).ifPresent(ids::add);
          }
        }
      }
    }
    return ids;
  }

  void writeEntries(String feed, PublishId id, EntryKeys entries) throws IOException {
    Path directory = feeds.resolve(feed).resolve(DIRECTORY);
    if (!Files.isDirectory(directory)) {
      DurableFiles.createPrivateDirectory(directory);
    }
    // What an older version of that number left must not speak for this one.
    Files.deleteIfExists(file(feed, id, STATE));
    entries.write(file(feed, id, ENTRIES));
  }

  Optional<EntryKeys> entries(String feed, PublishId id) throws IOException {
    Path file = file(feed, id, ENTRIES);
    return Files.exists(file) ? Optional.of(EntryKeys.open(file)) : Optional.empty();
  }

  /** What was noted of a feed, oldest first; see {@link #publish}. */
  List<Publish> load(String feed, Consumer<String> told) throws IOException {
    List<Publish> noted = new ArrayList<>();
    for (PublishId id : ids(feed)) {
      try {
        publish(feed, id, told).ifPresent(noted::add);
      } catch (IOException e) {
        told.accept(
            "what version %d of feed %s brought is not watched any more: %s"
                .formatted(id.version(), feed, e.getMessage()));
      }
    }
    // Where the operator has rolled back, numbers do not tell the order of time.
    noted.sort(Comparator.comparing(p -> p.published));
    return noted;
  }

  /**
   * A publish as it was noted last; empty when it never went live. What is damaged is told and
   * taken for tripped as far as it may have been, as store trouble lets mail pass.
   *
   * @param told hears sentences fit for the operator
   * @throws IOException when files cannot be read that may be whole
   */
  private Optional<Publish> publish(String feed, PublishId id, Consumer<String> told)
      throws IOException {
    Path state = file(feed, id, STATE);
    if (!Files.exists(state)) {
      return Optional.empty();
    }
    EntryKeys entries;
    try {
      entries = EntryKeys.open(file(feed, id, ENTRIES));
    } catch (IOException e) {
      return withoutEntries(feed, id, e, told);
    }
    Optional<Publish> publish = noted(feed, id, entries);
    if (publish.isPresent()) {
      return publish;
    }
    told.accept(
        "feed %s: %s is damaged, so nobody knows whether the breaker of version %d had tripped; its %d entries count as observe until `bloomgate feeds accept %s`"
            .formatted(feed, state, id.version(), entries.size(), feed));
    return Optional.of(
        Publish.unknown(feed, id, Files.getLastModifiedTime(state).toInstant(), entries));
  }

  private Optional<Publish> withoutEntries(
      String feed, PublishId id, IOException damage, Consumer<String> told) throws IOException {
    Optional<Publish> noted = noted(feed, id, EntryKeys.NONE);
    if (noted.filter(Publish::isTripped).isPresent()) {
      told.accept(
          "feed %s: its breaker took back entries of version %d, and nobody knows any more which (%s); all of the feed counts as observe until `bloomgate feeds accept %s`"
              .formatted(feed, id.version(), damage.getMessage(), feed));
      return Optional.of(noted.get().withoutEntries());
    }
    told.accept(
        "what version %d of feed %s brought is not watched any more%s: %s"
            .formatted(
                id.version(),
                feed,
                noted.isPresent() ? "" : ", and nobody knows whether its breaker had tripped",
                damage.getMessage()));
    return Optional.empty();
  }

  /** What the state file says; empty when it is damaged. */
  private Optional<Publish> noted(String feed, PublishId id, EntryKeys entries) throws IOException {
    try {
      return Json.parse(Files.readString(file(feed, id, STATE))) instanceof JsonObject object
          ? plain(object).flatMap(state -> Publish.ofJson(feed, id, state, entries))
          : Optional.empty();
    } catch (JsonSyntaxException | CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** Releases that gave it no checksum are believed. */
  private static Optional<JsonObject> plain(JsonObject state) {
    return CheckedJson.isChecked(state) ? CheckedJson.plain(state) : Optional.of(state);
  }

  void save(Publish publish) throws IOException {
    DurableFiles.replace(
        file(publish.feed, publish.id, STATE),
        Json.write(CheckedJson.of(publish.toJson())).getBytes(UTF_8));
    publish.saved();
  }

  /**
   * Removes what is known of a publish; the state first, without which the entries mean nothing.
   */
  void remove(String feed, PublishId id) throws IOException {
    Files.deleteIfExists(file(feed, id, STATE));
    Files.deleteIfExists(file(feed, id, ENTRIES));
  }

  private Path file(String feed, PublishId id, String kind) {
    return feeds.resolve(feed).resolve(DIRECTORY).resolve(id + kind);
  }
}
