package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static io.bloomgate.blocklists.operator.Entries.key;
import static io.bloomgate.blocklists.operator.Entries.wish;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorView.UnreadableListsException;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store behind its filter answers as entries in memory would, whatever happens to it. */
class OperatorStoreTest {

  private static final Origin ALICE = new Origin("alice", "allow add");
  private static final long SEED = Long.getLong("seed", new Random().nextLong());

  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve(OperatorLists.FILE_NAME);
  }

  private OperatorLists open() throws OperatorListsException {
    return Entries.open(directory);
  }

  private static String subject(Random random) {
    String label = "h" + random.nextInt(12);
    return switch (random.nextInt(7)) {
      case 0 -> "10.0." + random.nextInt(3) + "." + random.nextInt(4);
      case 1 -> "10.0.0.0/" + (8 + random.nextInt(24));
      case 2 -> "2001:db8::" + random.nextInt(4);
      case 3 -> "2001:db8::/" + (16 + random.nextInt(112));
      case 4 -> label + ".example";
      case 5 -> "a" + random.nextInt(3) + "." + label + ".example";
      default -> "bob" + random.nextInt(4) + "@" + label + ".example";
    };
  }

  private static NewEntry entry(Random random) {
    String subject = subject(random);
    boolean name = !Character.isDigit(subject.charAt(0));
    String line =
        subject
            + (name && random.nextInt(4) == 0 ? " from=198.51.100." + random.nextInt(3) : "")
            + (random.nextInt(5) == 0
                ? " expires=2026-11-2" + random.nextInt(4) + "T00:00:00Z"
                : "")
            + (random.nextInt(3) == 0 ? " # reason " + random.nextInt(3) : "");
    return wish(random.nextBoolean() ? ListKind.ALLOW : ListKind.BLOCK, line);
  }

  /** What the store must say: a plain map, and a view that looks through all of it. */
  private static final class Oracle {
    final Map<String, OperatorEntry> entries = new LinkedHashMap<>();

    void agrees(OperatorLists lists, Random random, String when) throws OperatorListsException {
      OperatorView plain = OperatorView.of(entries.values());
      for (int i = 0; i < 12; i++) {
        ListKey asked = key(subject(random).replaceAll("/.*", ""));
        for (ListKind list : ListKind.values()) {
          assertEquals(
              plain.covering(list, asked, NOW),
              lists.view().covering(list, asked, NOW),
              () -> "seed " + SEED + ", " + when + ", " + list + " " + asked);
        }
      }
      for (ListKind list : ListKind.values()) {
        List<OperatorEntry> all =
            entries.values().stream().filter(entry -> entry.list() == list).toList();
        assertEquals(all, Entries.all(lists, list), () -> "seed " + SEED + ", " + when);
        assertEquals(all.size(), lists.count(list), () -> "seed " + SEED + ", " + when);
      }
    }
  }

  @Test
  void answersAsEntriesInMemoryWould() throws Exception {
    Random random = new Random(SEED);
    Oracle oracle = new Oracle();
    OperatorLists lists = open();
    try {
      for (int round = 0; round < 60; round++) {
        String when = "round " + round;
        switch (random.nextInt(12)) {
          case 0 -> {
            lists.close();
            lists = open();
          }
          case 1 -> lists.poll(); // makes the filters
          case 2 -> {
            try (OperatorLists killed = afterKill()) {
              oracle.agrees(killed, random, when + " killed");
            }
          }
          case 3, 4, 5 -> remove(lists, oracle, random);
          case 6 -> edit(lists, oracle, random);
          default -> {
            List<NewEntry> more =
                IntStream.range(0, 1 + random.nextInt(6)).mapToObj(_ -> entry(random)).toList();
            for (OperatorLists.Stored one : lists.add(more, ALICE)) {
              oracle.entries.put(one.entry().content().identity(), one.entry());
            }
          }
        }
        oracle.agrees(lists, random, when);
      }
    } finally {
      lists.close();
    }
  }

  private void remove(OperatorLists lists, Oracle oracle, Random random)
      throws OperatorListsException {
    ListKind list = random.nextBoolean() ? ListKind.ALLOW : ListKind.BLOCK;
    String subject = subject(random);
    OperatorLists.Changed gone = lists.remove(list, List.of(subject), ALICE);
    gone.entries().forEach(entry -> oracle.entries.remove(entry.content().identity()));
  }

  private static void edit(OperatorLists lists, Oracle oracle, Random random)
      throws OperatorListsException {
    ListKind list = random.nextBoolean() ? ListKind.ALLOW : ListKind.BLOCK;
    String reason = "edited " + random.nextInt(3);
    OperatorLists.Changed changed =
        lists.edit(
            list,
            List.of(subject(random)),
            entry ->
                new NewEntry(
                    entry.list(),
                    entry.subject(),
                    entry.from(),
                    entry.scope(),
                    entry.anyScope(),
                    reason,
                    null),
            ALICE);
    for (OperatorEntry entry : changed.entries()) {
      assertEquals(reason, entry.reason());
      oracle.entries.put(entry.content().identity(), entry);
    }
  }

  /** What lies on the disk at this moment, opened as after a kill. */
  private OperatorLists afterKill() throws Exception {
    Path copy = Files.createTempDirectory(directory, "killed");
    try (var files = Files.list(directory)) {
      for (Path one : files.filter(Files::isRegularFile).toList()) {
        if (!one.toString().endsWith("-shm")) {
          Files.copy(one, copy.resolve(one.getFileName()));
        }
      }
    }
    return Entries.open(copy);
  }

  @Test
  void filtersGrowAndCostFewOctets() throws Exception {
    try (OperatorLists lists = open()) {
      int many = 35_000;
      long smallest = 100_000; // of the empty block list
      for (int from = 0; from < many; from += 5_000) {
        int first = from;
        lists.addPiece(
            IntStream.range(first, first + 5_000)
                .mapToObj(i -> allow("host" + i + ".example"))
                .toList(),
            ALICE,
            "lines");
        lists.poll();
        assertTrue(
            lists.filterOctets() < 10L * Math.max(16_384, first + 5_000) + smallest,
            "octets " + lists.filterOctets());
      }
      assertEquals(many, lists.count(ListKind.ALLOW));
      assertTrue(lists.filterOctets() > 5L * many, "octets " + lists.filterOctets());
      for (int i = 0; i < many; i += 997) {
        assertEquals(
            1, lists.view().covering(ListKind.ALLOW, key("a.host" + i + ".example"), NOW).size());
      }
      lists.remove(ListKind.ALLOW, List.of("host7.example"), ALICE);
      ListKey gone = key("host7.example");
      assertSame(List.of(), lists.view().covering(ListKind.ALLOW, gone, NOW));
      assertSame(List.of(), lists.view().covering(ListKind.BLOCK, key("host8.example"), NOW));
    }
  }

  /** The store is asked about everything until housekeeping has made a larger one. */
  @Test
  void aFilterThatIsFullDeniesNothingThatIsStored() throws Exception {
    try (OperatorLists lists = open()) {
      lists.add(List.of(allow("stays.example")), ALICE);
      lists.poll();
      long before = lists.filterOctets();
      lists.addPiece(
          IntStream.range(0, 20_000).mapToObj(i -> allow("host" + i + ".example")).toList(),
          ALICE,
          "lines");
      assertTrue(lists.filterOctets() < before, "the full one is dropped");
      lists.remove(ListKind.ALLOW, List.of("host7.example"), ALICE);
      for (int look = 0; look < 2; look++) {
        for (String asked : List.of("stays.example", "host19999.example")) {
          assertEquals(1, lists.view().covering(ListKind.ALLOW, key(asked), NOW).size(), asked);
        }
        assertEquals(List.of(), lists.view().covering(ListKind.ALLOW, key("host7.example"), NOW));
        lists.poll();
      }
      assertTrue(lists.filterOctets() > 5L * 20_000, "and made again");
    }
  }

  /** Only the exact answer counts; without it the decision is for policy.on_error. */
  @Test
  void aStoreThatCannotBeReadSaysSo() throws Exception {
    try (OperatorLists lists = open()) {
      lists.add(List.of(allow("partner.example"), allow("10.0.0.0/8")), ALICE);
      assertEquals(1, lists.view().covering(ListKind.ALLOW, key("partner.example"), NOW).size());
      rename("entry", "hidden");
      lists.note(ALICE, "another change, so that no answer is kept");
      for (String asked : List.of("partner.example", "10.1.2.3")) {
        assertThrows(
            UnreadableListsException.class,
            () -> lists.view().covering(ListKind.ALLOW, key(asked), NOW));
      }
      assertSame(List.of(), lists.view().covering(ListKind.BLOCK, key("partner.example"), NOW));
      assertEquals(1, lists.alarms().size());
      rename("hidden", "entry");
      assertEquals(1, lists.view().covering(ListKind.ALLOW, key("partner.example"), NOW).size());
      assertEquals(List.of(), lists.alarms());
    }
  }

  private void rename(String from, String to) throws Exception {
    try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = other.createStatement()) {
      statement.execute("ALTER TABLE " + from + " RENAME TO " + to);
    }
  }

  /** Readers beside a writer: what is always covered is always found, also while filters grow. */
  @Test
  void readersNeverMissWhatStays() throws Exception {
    ConcurrentLinkedQueue<String> missed = new ConcurrentLinkedQueue<>();
    AtomicBoolean done = new AtomicBoolean();
    try (OperatorLists lists = open()) {
      lists.add(List.of(allow("stays.example"), allow("10.1.2.3")), ALICE);
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(
            Thread.ofVirtual()
                .start(() -> {
                  while (!done.get()) {
                    for (String asked : List.of("a.stays.example", "10.1.2.3")) {
                      try {
                        if (lists.view().covering(ListKind.ALLOW, key(asked), NOW).isEmpty()) {
                          missed.add(asked);
                        }
                      } catch (UnreadableListsException e) {
                        missed.add(e.toString());
                      }
                    }
                    Thread.onSpinWait();
                  }
                }));
      }
      for (int round = 0; round < 12; round++) {
        // The network takes the place of the host, and the other way round.
        lists.add(List.of(allow("10.1.0.0/16")), ALICE);
        lists.remove(ListKind.ALLOW, List.of("10.1.2.3"), ALICE);
        int first = round * 1_500;
        lists.addPiece(
            IntStream.range(first, first + 1_500)
                .mapToObj(i -> allow("h" + i + ".example"))
                .toList(),
            ALICE,
            "lines");
        lists.add(List.of(allow("10.1.2.3")), ALICE);
        lists.remove(ListKind.ALLOW, List.of("10.1.0.0/16"), ALICE);
      }
      done.set(true);
      for (Thread reader : readers) {
        reader.join();
      }
    }
    assertEquals(List.of(), List.copyOf(missed));
  }

  @Test
  void listsAreReadPageByPageAndMatched() throws Exception {
    try (OperatorLists lists = open()) {
      lists.add(
          IntStream.range(0, 2_500)
              .mapToObj(i -> allow("h" + i + ".example # " + (i % 2 == 0 ? "Even_1" : "odd")))
              .toList(),
          ALICE);
      assertEquals(2_500, Entries.all(lists, ListKind.ALLOW).size());
      assertEquals(1, lists.page(ListKind.ALLOW, "h2499.", 0).items().size());
      assertEquals(1, lists.page(ListKind.ALLOW, "*2499.EXAMPLE", 0).items().size());
      assertEquals(1_000, lists.page(ListKind.ALLOW, "even_", 0).items().size());
      assertEquals(0, lists.page(ListKind.ALLOW, "even%", 0).items().size());
      assertEquals(10, lists.subjects(ListKind.ALLOW, 10).size());
    }
  }
}
