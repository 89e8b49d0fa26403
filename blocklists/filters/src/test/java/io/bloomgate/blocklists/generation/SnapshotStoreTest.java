package io.bloomgate.blocklists.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generations on disk: published whole, kept, rolled back, read beside a running gateway. */
class SnapshotStoreTest {

  @TempDir Path state;
  private Generations generations;

  @BeforeEach
  void place() {
    generations = new Generations(state.resolve("snapshots"));
  }

  /** A generation that lists 192.0.2.N for its number N. */
  private static List<FeedInput> numbered(int number) {
    return List.of(
        Generations.feed("f", List.of(Generations.network("192.0.2." + number, number))));
  }

  private static boolean lists(ListSnapshot snapshot, int number) {
    return snapshot.ask(Generations.ip("192.0.2." + number)) instanceof ListAnswer.Listed;
  }

  private Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(generations.directory)) {
      return files.map(p -> p.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  private void damage(long generation, String file) throws IOException {
    Path path = generations.directory.resolve(String.format("%010d/%s", generation, file));
    byte[] bytes = Files.readAllBytes(path);
    // Behind the header of 512 octets.
    bytes[513] ^= 4;
    // In place, as a bad disk does it: readers have the very file mapped.
    Files.write(path, bytes);
  }

  @Test
  void generationsArePublishedLoadedAndPruned() throws Exception {
    try (SnapshotStore store = generations.open()) {
      assertSame(ListSnapshot.EMPTY, store.load());
      for (int i = 1; i <= 5; i++) {
        ListSnapshot built = store.build(numbered(i), Generations.OPTIONS);
        assertEquals(i, built.generation());
        assertEquals(Generations.START, built.manifest().created());
        assertTrue(lists(built, i));
      }
    }
    assertEquals(Set.of("0000000003", "0000000004", "0000000005", "CURRENT"), names());
    try (SnapshotStore store = generations.open()) {
      ListSnapshot loaded = store.load();
      assertEquals(5, loaded.generation());
      assertTrue(lists(loaded, 5));
      assertFalse(lists(loaded, 4));
      assertEquals("v1", loaded.manifest().feed("f").orElseThrow().version());
    }
    assertEquals(List.of(), generations.alarms);
  }

  @Test
  void whatHoldsTheSeedIsForTheOwnerAlone() throws Exception {
    try (SnapshotStore store = generations.open()) {
      store.build(numbered(1), Generations.OPTIONS);
    }
    try (Stream<Path> all = Files.walk(generations.directory)) {
      for (Path path : all.toList()) {
        String expected = Files.isDirectory(path) ? "rwx------" : "rw-------";
        assertEquals(
            expected,
            PosixFilePermissions.toString(Files.getPosixFilePermissions(path)),
            path.toString());
      }
    }
  }

  @Test
  void whatAKilledBuildLeftIsClearedAndTheLiveOneStays() throws Exception {
    try (SnapshotStore store = generations.open()) {
      store.build(numbered(1), Generations.OPTIONS);
      store.build(numbered(2), Generations.OPTIONS);
    }
    // Killed while files were written; while the pointer was written; before the pointer moved.
    Path partial = generations.directory.resolve(".building-0000000003");
    Files.createDirectory(partial);
    Files.write(partial.resolve("names.tmp"), new byte[10]);
    Files.write(generations.directory.resolve("CURRENT.tmp"), new byte[] {'0'});
    copy("0000000002", "0000000003");
    generations.alarms.clear();
    try (SnapshotStore store = generations.open()) {
      ListSnapshot loaded = store.load();
      assertEquals(2, loaded.generation());
      assertTrue(lists(loaded, 2));
      assertFalse(names().contains(".building-0000000003"));
      assertFalse(names().contains("0000000003"));
      assertEquals(3, store.build(numbered(3), Generations.OPTIONS).generation());
      assertEquals(List.of(), generations.alarms);
    }
  }

  private void copy(String from, String to) throws IOException {
    Files.createDirectory(generations.directory.resolve(to));
    try (Stream<Path> files = Files.list(generations.directory.resolve(from))) {
      for (Path file : files.toList()) {
        Files.copy(file, generations.directory.resolve(to).resolve(file.getFileName()));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing", "empty", "nonsense", "names nothing"})
  void aBrokenPointerStillFindsTheNewest(String damage) throws Exception {
    try (SnapshotStore store = generations.open()) {
      store.build(numbered(1), Generations.OPTIONS);
      store.build(numbered(2), Generations.OPTIONS);
    }
    Path pointer = generations.directory.resolve("CURRENT");
    switch (damage) {
      case "missing" -> Files.delete(pointer);
      case "empty" -> Files.write(pointer, new byte[0]);
      case "nonsense" -> Files.writeString(pointer, "../../etc\n");
      default -> Files.writeString(pointer, "0000000099\n");
    }
    assertEquals(2, SnapshotStore.openCurrent(generations.directory).generation());
    try (SnapshotStore store = generations.open()) {
      assertEquals(2, store.load().generation());
      assertTrue(store.build(numbered(3), Generations.OPTIONS).generation() >= 3);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "manifest.json",
        "ip.filter",
        "domain.filter",
        "address.filter",
        "network.index",
        "name.index"
      })
  void afterAnUncleanStopDamageFallsBackToTheOlderGeneration(String file) throws Exception {
    generations.open().build(numbered(1), Generations.OPTIONS);
    SnapshotStore killed = generations.open();
    killed.build(numbered(2), Generations.OPTIONS);
    damage(2, file);
    try (SnapshotStore store = generations.open()) {
      ListSnapshot loaded = store.load();
      assertEquals(1, loaded.generation());
      assertTrue(lists(loaded, 1));
      assertTrue(generations.alarms.getFirst().contains("generation 2"), file);
      assertTrue(names().contains("damaged-0000000002"));
      assertEquals(3, store.build(numbered(3), Generations.OPTIONS).generation());
      assertEquals(1, loaded.manifest().generation());
    }
  }

  @Test
  void damageUnderTheLiveGenerationIsFoundInTheBackground() throws Exception {
    try (SnapshotStore store = generations.open()) {
      store.build(numbered(1), Generations.OPTIONS);
      LiveSnapshot live = new LiveSnapshot();
      live.publish(store.build(numbered(2), Generations.OPTIONS));
      store.verify(live);
      assertEquals(2, live.current().generation());
      assertEquals(List.of(), generations.alarms);
      damage(2, "network.index");
      store.verify(live);
      assertEquals(1, live.current().generation());
      assertTrue(lists(live.current(), 1));
      assertEquals(2, generations.alarms.size(), generations.alarms.toString());
      assertEquals(1, SnapshotStore.openCurrent(generations.directory).generation());
    }
  }

  @Test
  void whenEverythingIsDamagedTheListsAreEmptyAndLoud() throws Exception {
    generations.open().build(numbered(1), Generations.OPTIONS);
    damage(1, "network.index");
    try (SnapshotStore store = generations.open()) {
      assertSame(ListSnapshot.EMPTY, store.load());
      assertTrue(generations.alarms.getLast().contains("empty until the next build"));
    }
  }

  @Test
  void aGenerationOfAnotherReleaseIsLeftAloneAndSaidSo() throws Exception {
    try (SnapshotStore store = generations.open()) {
      store.build(numbered(1), Generations.OPTIONS);
    }
    OldLayout.give(generations.directory.resolve("0000000001"));
    IOException offline =
        assertThrows(
            OtherReleaseException.class, () -> SnapshotStore.openCurrent(generations.directory));
    assertTrue(String.valueOf(offline.getMessage()).contains("builds the lists again"));
    try (SnapshotStore store = generations.open()) {
      assertSame(ListSnapshot.EMPTY, store.load());
      assertTrue(
          generations
              .alarms
              .getFirst()
              .contains(" has format 0 of another release; this one reads format 1; "));
      assertTrue(names().contains("0000000001"));
      ListSnapshot built = store.build(numbered(2), Generations.OPTIONS);
      assertEquals(2, built.generation());
      assertTrue(lists(built, 2));
    }
  }

  @Test
  void offlineReadersRefuseADamagedPage() throws Exception {
    try (SnapshotStore store = generations.open()) {
      store.build(numbered(1), Generations.OPTIONS);
    }
    damage(1, "network.index");
    IOException e =
        assertThrows(IOException.class, () -> SnapshotStore.openCurrent(generations.directory));
    assertTrue(String.valueOf(e.getMessage()).contains("is damaged in page 0"));
  }

  @Test
  void aFileOfAnotherGenerationIsRefused() throws Exception {
    try (SnapshotStore store = generations.open()) {
      store.build(numbered(1), Generations.OPTIONS);
      store.build(numbered(2), Generations.OPTIONS);
    }
    Path one = generations.directory.resolve("0000000001/ip.filter");
    Path two = generations.directory.resolve("0000000002/ip.filter");
    Files.delete(two);
    Files.copy(one, two);
    IOException e =
        assertThrows(IOException.class, () -> SnapshotStore.openCurrent(generations.directory));
    assertTrue(String.valueOf(e.getMessage()).contains("does not belong to its generation"));
  }

  @Test
  void aFailedBuildLeavesTheLiveGenerationAndNothingElse() throws Exception {
    try (SnapshotStore store = generations.open()) {
      store.build(numbered(1), Generations.OPTIONS);
      FeedInput full =
          new FeedInput(
              "g",
              "v",
              consumer -> {
                consumer.accept(Generations.network("192.0.2.9", 1));
                throw new IOException("No space left on device");
              });
      assertThrows(IOException.class, () -> store.build(List.of(full), Generations.OPTIONS));
      assertEquals(Set.of("0000000001", "CURRENT", "IN_USE"), names());
      // The pointer cannot be replaced: a directory that is not empty has its name.
      Files.createDirectories(generations.directory.resolve("CURRENT.tmp/x"));
      assertThrows(IOException.class, () -> store.build(numbered(2), Generations.OPTIONS));
      assertFalse(names().contains("0000000002"));
      assertEquals(1, SnapshotStore.openCurrent(generations.directory).generation());
    }
  }

  @Test
  void aFeedThatChangesUnderTheBuildIsNotPublished() throws Exception {
    List<ListEntry> entries =
        List.of(Generations.network("192.0.2.1", 1), Generations.network("192.0.2.2", 2));
    int[] passes = {0};
    FeedInput shrinking = new FeedInput("f", "v", c -> entries.subList(passes[0]++, 2).forEach(c));
    int[] more = {0};
    FeedInput changing =
        new FeedInput("f", "v", c -> c.accept(Generations.network("192.0.2." + more[0]++, 5)));
    try (SnapshotStore store = generations.open()) {
      SnapshotBuildException fewer =
          assertThrows(
              SnapshotBuildException.class,
              () -> store.build(List.of(shrinking), Generations.OPTIONS));
      assertEquals("the feeds gave 2 entries first and 1 when checked", fewer.getMessage());
      SnapshotBuildException other =
          assertThrows(
              SnapshotBuildException.class,
              () -> store.build(List.of(changing), Generations.OPTIONS));
      assertTrue(String.valueOf(other.getMessage()).contains("line 5 is not found by the index"));
      assertSame(ListSnapshot.EMPTY, store.load());
    }
  }

  @Test
  void twoFeedsOfOneNameAreRefused() throws Exception {
    try (SnapshotStore store = generations.open()) {
      List<FeedInput> twice = List.of(numbered(1).getFirst(), numbered(2).getFirst());
      assertThrows(SnapshotBuildException.class, () -> store.build(twice, Generations.OPTIONS));
    }
  }

  @Test
  void readingNeedsNoStoreAndChangesNothing() throws Exception {
    assertSame(ListSnapshot.EMPTY, SnapshotStore.openCurrent(generations.directory));
    assertFalse(Files.exists(generations.directory));
    try (SnapshotStore store = generations.open()) {
      store.build(numbered(1), Generations.OPTIONS);
      Set<String> before = names();
      assertTrue(lists(SnapshotStore.openCurrent(generations.directory), 1));
      assertEquals(before, names());
    }
  }
}
