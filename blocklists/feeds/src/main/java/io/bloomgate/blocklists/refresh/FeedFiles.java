package io.bloomgate.blocklists.refresh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.FreeSpace;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.refresh.VersionReader.Stored;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The octets of feeds on disk: {@code STATE_DIR/feeds/NAME/versions/17/part-0000} with {@code
 * version.json} beside. A version directory appears whole or not at all; what a killed refresh left
 * is in {@code NAME/incoming} or {@code NAME/again} and is cleared at the next start or use. Used
 * by the feed-refresher; read by {@link KeptVersions} and {@link ListingOrigin} in the command
 * line.
 */
record FeedFiles(Path root, Gauge free) {

  private static final Logger LOG = LoggerFactory.getLogger(FeedFiles.class);

  private static final String INCOMING = "incoming";
  private static final String AGAIN = "again";
  private static final String VERSIONS = "versions";
  private static final String VERSION = "version.json";
  private static final String GOOD = "good";

  private static final long MIB = 1L << 20;

  /** A gauge of the free space where a directory is. */
  @FunctionalInterface
  interface Gauge {
    /** The free space in octets, for the administrator. */
    long octets(Path directory) throws IOException;
  }

  /** The disk has too little room; nothing was stored. */
  static final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1L;

    NoRoomException(String message) {
      super(message);
    }
  }

  /**
   * @param root {@code STATE_DIR/feeds}; made when something is stored
   */
  static FeedFiles open(Path root) {
    return new FeedFiles(root, FreeSpace::octets);
  }

  /**
   * Makes sure that this number of octets fits. Lists can be fetched again; the operator's entries
   * and remembered answers cannot, so the last space of a disk is kept for those. Where the free
   * space is not known, everything fits: without lists nothing is refused, and a write to a full
   * disk fails anyway.
   */
  private void require(long octets) throws NoRoomException {
    long left;
    try {
      left = free.octets(root);
    } catch (IOException e) {
      LOG.warn("lists are stored without a look at the free space: {}", Faults.words(e));
      return;
    }
    long wanted = octets + FreeSpace.LIST_RESERVE_OCTETS;
    if (left < wanted) {
      throw new NoRoomException(
          "state_dir has %d MiB free, and %d MiB are wanted; make room, the lists that are live stay meanwhile"
              .formatted(left / MIB, (wanted + MIB - 1) / MIB));
    }
  }

  private Path feed(String name) {
    // Names come from the settings, which allow no separator; this is the second lock.
    Path directory = root.resolve(name).normalize();
    if (!root.equals(directory.getParent())) {
      throw new IllegalArgumentException("the name of a feed must not lead out of " + root);
    }
    return directory;
  }

  /** The same, which is made where it is missing. */
  private Path made(String name) throws IOException {
    DurableFiles.ensurePrivateDirectory(root);
    DurableFiles.ensurePrivateDirectory(feed(name));
    return feed(name);
  }

  /**
   * An empty directory for a fetch.
   *
   * @throws NoRoomException when there is none for as much as the last version had
   */
  Path incoming(String name) throws IOException {
    Path directory = made(name).resolve(INCOMING);
    DurableFiles.deleteTree(directory);
    require(octetsOfNewest(name));
    DurableFiles.createPrivateDirectory(directory);
    return directory;
  }

  /** Removes what a fetch brought and was not kept. */
  void discardIncoming(String name) throws IOException {
    DurableFiles.deleteTree(feed(name).resolve(INCOMING));
    DurableFiles.deleteTree(feed(name).resolve(AGAIN));
  }

  /** Number for the next version of a feed. */
  long nextId(String name) throws IOException {
    return ids(name).stream().mapToLong(Long::longValue).max().orElse(0) + 1;
  }

  /** Makes the incoming octets a stored version. */
  void keep(String name, FeedVersion version) throws IOException {
    keep(name, feed(name).resolve(INCOMING), version);
  }

  private long octetsOfNewest(String name) throws IOException {
    long newest = nextId(name) - 1;
    try {
      return newest == 0 ? 0 : octets(directory(name, newest));
    } catch (NoSuchFileException e) {
      // It has lost its octets, which is a reason to fetch them again.
      return 0;
    }
  }

  private static long octets(Path directory) throws IOException {
    long sum = 0;
    for (Path part : parts(directory)) {
      sum += Files.size(part);
    }
    return sum;
  }

  private void keep(String name, Path aside, FeedVersion version) throws IOException {
    // Index and filters are built of it next, and take about as much.
    require(octets(aside));
    DurableFiles.replace(aside.resolve(VERSION), JsonRecords.text(version).getBytes(UTF_8));
    for (Path part : parts(aside)) {
      DurableFiles.sync(part);
    }
    DurableFiles.sync(aside);
    Path versions = feed(name).resolve(VERSIONS);
    DurableFiles.ensurePrivateDirectory(versions);
    DurableFiles.rename(aside, versions.resolve(Long.toString(version.id())));
  }

  /**
   * Stores the octets of one version a second time, as another that is read in another way.
   *
   * @param from number of the one that has the octets
   */
  void keepAgain(String name, long from, FeedVersion version) throws IOException {
    Path aside = feed(name).resolve(AGAIN);
    DurableFiles.deleteTree(aside);
    DurableFiles.createPrivateDirectory(aside);
    for (Path part : parts(directory(name, from))) {
      link(part, aside.resolve(String.valueOf(part.getFileName())));
    }
    keep(name, aside, version);
  }

  /** The octets of a version are never changed, so two may have them in common. */
  private static void link(Path part, Path copy) throws IOException {
    try {
      Files.createLink(copy, part);
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.copy(part, copy);
    }
  }

  /** Writes what is newly known beside the octets it belongs to. */
  void update(String name, FeedVersion version) throws IOException {
    DurableFiles.replace(
        directory(name, version.id()).resolve(VERSION), JsonRecords.text(version).getBytes(UTF_8));
  }

  /** A stored version, if it is there and can be read. */
  Optional<FeedVersion> version(String name, long id) {
    try {
      String stored = DurableFiles.readJson(directory(name, id).resolve(VERSION));
      return Optional.of(JsonRecords.read(FeedVersion.class, stored));
    } catch (IOException | JsonSyntaxException e) {
      return Optional.empty(); // asked each second; who wants its octets says that they are lost
    }
  }

  /** All stored versions that can be read, newest first. */
  List<FeedVersion> versions(String name) {
    try {
      return ids(name).stream()
          .sorted(Comparator.reverseOrder())
          .flatMap(id -> version(name, id).stream())
          .toList();
    } catch (IOException e) {
      return List.of(); // what is stored next says it
    }
  }

  /** The octets of a stored version. */
  FeedContent content(String name, long id) throws IOException {
    return new FeedContent(parts(directory(name, id)));
  }

  /** The same with what is held back of it; the octets are not compared with their digest. */
  Stored stored(String name, FeedVersion version) throws IOException {
    Optional<Path> held = goodFile(version, name);
    return new Stored(
        version,
        content(name, version.id()),
        held.isPresent() ? EntryKeys.open(held.get()) : EntryKeys.NONE);
  }

  /**
   * Writes down which entries of a version are held back, as they list good senders. Call before it
   * is stored; none takes away what another version of that number left.
   */
  void saveGood(String name, Stored stored) throws IOException {
    Path file = good(name, stored.version().id());
    if (stored.good().size() == 0) {
      Files.deleteIfExists(file);
      return;
    }
    DurableFiles.ensurePrivateDirectory(made(name).resolve(GOOD));
    stored.good().write(file);
  }

  /** The file of what {@link #saveGood} wrote; empty where none were written. */
  Optional<Path> goodFile(FeedVersion version, String name) {
    return version.holdsGood() ? Optional.of(good(name, version.id())) : Optional.empty();
  }

  private Path good(String name, long id) {
    return feed(name).resolve(GOOD).resolve(id + ".entries");
  }

  /** Removes a version that is not needed. */
  void remove(String name, long id) throws IOException {
    Files.deleteIfExists(good(name, id));
    DurableFiles.deleteTree(directory(name, id));
  }

  /** Removes what a killed refresh left, and versions that never went live. */
  void clear(String name, LongPredicate isInUse) throws IOException {
    discardIncoming(name);
    for (FeedVersion version : versions(name)) {
      if (!version.mayBeLive() && !isInUse.test(version.id())) {
        remove(name, version.id());
      }
    }
  }

  /** Keeps the newest versions and those that are in use. */
  void prune(String name, int keep, Set<Long> inUse) throws IOException {
    List<Long> ids = ids(name);
    ids.sort(Collections.reverseOrder());
    for (long id : ids.subList(Math.min(keep, ids.size()), ids.size())) {
      if (!inUse.contains(id)) {
        remove(name, id);
      }
    }
  }

  private Path directory(String name, long id) {
    return feed(name).resolve(VERSIONS).resolve(Long.toString(id));
  }

  private List<Long> ids(String name) throws IOException {
    Path versions = feed(name).resolve(VERSIONS);
    List<Long> ids = new ArrayList<>();
    if (Files.isDirectory(versions)) {
      try (DirectoryStream<Path> all = Files.newDirectoryStream(versions)) {
        for (Path one : all) {
          String text = String.valueOf(one.getFileName());
          if (text.matches("[1-9][0-9]{0,17}")) {
            ids.add(Long.valueOf(text));
          }
        }
      }
    }
    return ids;
  }

  private static List<Path> parts(Path directory) throws IOException {
    List<Path> parts = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "part-*")) {
      all.forEach(parts::add);
    }
    if (parts.isEmpty()) {
      throw new NoSuchFileException(directory + "/part-*");
    }
    Collections.sort(parts);
    return parts;
  }
}
