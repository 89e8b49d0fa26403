package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Change;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries that hold the minima of a text: what is alike is found, whatever its hash. */
final class LikenessEntriesTest {

  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static final Origin ALICE = new Origin("alice", "block add --like 0123456789");

  @TempDir private Path directory;
  private Path file = Path.of("");
  private final SplittableRandom random = new SplittableRandom(20_261_127);

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve(OperatorLists.FILE_NAME);
  }

  private OperatorLists open(Path... blockFiles) throws OperatorListsException {
    return OperatorLists.open(file, listFiles(blockFiles), CLOCK);
  }

  private static ListFiles listFiles(Path... blockFiles) {
    return new ListFiles(List.of(), List.of(blockFiles), Entries.NO_RULES, CLOCK);
  }

  private Likeness likeness() {
    short[] minima = new short[Likeness.MINIMA];
    for (int i = 0; i < minima.length; i++) {
      minima[i] = (short) random.nextInt();
    }
    return Likeness.of(minima);
  }

  /** Another one that has this many minima in common. */
  private static Likeness alike(Likeness text, int equal) {
    short[] minima = new short[Likeness.MINIMA];
    for (int i = 0; i < minima.length; i++) {
      minima[i] = (short) (text.minimum(i) + (i < equal ? 0 : 1));
    }
    return Likeness.of(minima);
  }

  private static NewEntry block(Likeness text) {
    return NewEntry.of(ListKind.BLOCK, text, "parcel phish");
  }

  private static List<String> found(OperatorLists lists, Likeness text, Instant now) {
    return lists.view().covering(ListKind.BLOCK, text, now).stream()
        .map(OperatorEntry::id)
        .toList();
  }

  @Test
  void whatIsAlikeIsFoundUntilTheEntryEnds() throws OperatorListsException {
    Likeness text = likeness();
    Instant end = NOW.plus(Duration.ofDays(7));
    try (OperatorLists lists = open()) {
      assertEquals(List.of(), found(lists, text, NOW));
      OperatorEntry entry =
          lists.add(List.of(block(text).with("parcel phish", end)), ALICE).getFirst().entry();
      assertEquals(List.of(entry.id()), found(lists, text, NOW));
      assertEquals(List.of(entry.id()), found(lists, alike(text, 17), NOW));
      assertEquals(List.of(), found(lists, alike(text, 16), NOW));
      assertEquals(List.of(), found(lists, likeness(), NOW));
      assertEquals(List.of(), found(lists, text, end));
      assertEquals(List.of(), lists.view().covering(ListKind.ALLOW, text, NOW));
      assertTrue(lists.audit(NOW, Long.MAX_VALUE).items().getFirst().subject().contains("like:"));
      assertEquals(entry, Entries.all(lists, ListKind.BLOCK).getFirst());
    }
    // After a clean stop, and from the store alone.
    try (OperatorLists lists = open()) {
      assertEquals(1, found(lists, alike(text, 20), NOW).size());
    }
    try (OperatorLists lists = OperatorLists.openReadOnly(file, listFiles(), CLOCK)) {
      assertEquals(1, found(lists, alike(text, 20), NOW).size());
    }
  }

  /** Entries hold likenesses of one seed, so that the seed of a fleet is taken before the first. */
  @Test
  void theSeedOfAFleetIsTakenUnlessEntriesHoldAnotherOne() throws OperatorListsException {
    long own;
    try (OperatorLists lists = open()) {
      own = lists.likenessSeed();
      assertTrue(lists.shareLikenessSeed(-7));
      assertEquals(-7, lists.likenessSeed());
    }
    assertEquals(-7, OperatorLists.readLikenessSeed(file).orElseThrow());
    Likeness text = likeness();
    try (OperatorLists lists = open()) {
      assertEquals(-7, lists.likenessSeed(), "after a start without a fleet, too");
      assertTrue(own != -7 && lists.shareLikenessSeed(Long.MAX_VALUE));
      lists.add(List.of(block(text)), ALICE);
      assertFalse(lists.shareLikenessSeed(5), "the entry would find nothing any more");
      assertEquals(Long.MAX_VALUE, lists.likenessSeed());
      assertTrue(lists.shareLikenessSeed(Long.MAX_VALUE));
      lists.remove(ListKind.BLOCK, List.of(text.toString()), ALICE);
      assertTrue(lists.shareLikenessSeed(5));
    }
  }

  @Test
  void aRemovedEntryIsNotFoundAndTheSameAgainChangesIt() throws OperatorListsException {
    Likeness text = likeness();
    try (OperatorLists lists = open()) {
      assertEquals(Change.ADDED, lists.add(List.of(block(text)), ALICE).getFirst().change());
      assertEquals(Change.UNCHANGED, lists.add(List.of(block(text)), ALICE).getFirst().change());
      OperatorEntry one = lists.add(List.of(block(likeness())), ALICE).getFirst().entry();
      assertEquals(
          1, lists.remove(ListKind.BLOCK, List.of(text.toString()), ALICE).entries().size());
      assertEquals(List.of(), found(lists, text, NOW));
      assertEquals(List.of(one), Entries.all(lists, ListKind.BLOCK));
    }
    try (OperatorLists lists = open()) {
      assertEquals(List.of(), found(lists, text, NOW));
      assertEquals(1, lists.count(ListKind.BLOCK));
    }
  }

  @Test
  void aListFileHoldsNone() throws OperatorListsException, IOException {
    Path list = directory.resolve("block.list");
    Likeness text = likeness();
    Files.writeString(list, "spam.example\n" + text + "\n");
    try (OperatorLists lists = open(list)) {
      assertEquals(List.of(), found(lists, text, NOW));
      assertTrue(
          lists.alarms().toString().contains("a list file can hold no likeness"),
          lists.alarms()::toString);
    }
  }
}
