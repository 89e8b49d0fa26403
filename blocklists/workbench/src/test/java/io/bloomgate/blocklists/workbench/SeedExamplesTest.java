package io.bloomgate.blocklists.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.kinds.PlannedSize;
import io.bloomgate.blocklists.workbench.FilterBuild.Plan;
import io.bloomgate.blocklists.workbench.FilterChange.Outcome;
import io.bloomgate.blocklists.workbench.FilterChange.Verb;
import io.bloomgate.config.name.Parsed;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The examples with which this project began, one test each, with the commands' own classes: keys
 * are any text here.
 */
class SeedExamplesTest {

  private static final WorkbenchTools TOOLS =
      new WorkbenchTools(() -> new SplittableRandom(1), () -> 0, 1L << 28, 1_000);

  @TempDir Path folder;

  private Path built(@Nullable FilterKind kind, double rate, long entries, String... keys)
      throws Exception {
    Path list = Files.writeString(folder.resolve("list"), String.join("\n", keys) + "\n");
    Path target = folder.resolve("filter");
    new FilterBuild(TOOLS, InputStream.nullInputStream())
        .run(
            new FilterBuild.Request(
                List.of(list),
                target,
                null,
                true,
                new Plan(kind, rate, null, null, entries),
                List.of()));
    return target;
  }

  private static String[] numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(Integer::toString).toArray(String[]::new);
  }

  private static FilterChange.Report change(Path file, Verb verb, String... keys)
      throws OfflineException {
    List<Parsed<String>> texts = List.of(keys).stream().<Parsed<String>>map(Parsed::ok).toList();
    return new FilterChange(TOOLS).run(file, verb, texts, false);
  }

  private static boolean maybe(Path file, String key) throws OfflineException {
    return Boolean.TRUE.equals(FilterQuery.of(file, TOOLS).ask(key).maybe());
  }

  /** "Bloom filters in Cassandra": bits an entry by rate, rate by bits an entry, and its table. */
  @Test
  void theTwoSizingsOfCassandraWithItsTable() throws Exception {
    assertEquals(new PlannedSize.Cassandra.Choice(10, 5), PlannedSize.Cassandra.byRate(0.01));
    assertEquals(new PlannedSize.Cassandra.Choice(10, 7), PlannedSize.Cassandra.byBits(10));
    SizeComparison.Rates ten = SizeComparison.Rates.table().get(10 - 2);
    assertEquals(7, ten.bestHashes());
    assertEquals(0.00819, ten.fpp().get(7 - 1), 0.00001);
  }

  /** "add says whether it was there": {@code add} of Python's pybloom, for words. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"FUSE8", "FUSE16", "CASCADE"})
  void addSaysWhetherItWasThere(FilterKind kind) throws Exception {
    Path file = built(kind, 0.0001, 100, "apple", "New York", "42");
    FilterChange.Report report = change(file, Verb.ADD, "apple", "pear", "42", "43", "new york");
    assertEquals(
        List.of(Outcome.MAYBE, Outcome.NEW, Outcome.MAYBE, Outcome.NEW, Outcome.NEW),
        report.answers().stream().map(FilterChange.Answer::outcome).toList());
    assertTrue(maybe(file, "pear"));
    assertFalse(maybe(file, "Pear"), "a text is a key exactly as it is written");
  }

  /** "Scalable Bloom filters": a filter of a hundred keys takes ten thousand at its rate. */
  @ParameterizedTest
  @EnumSource(names = {"SCALABLE", "SCALABLE_COUNTING"})
  void aFilterThatGrowsKeepsItsRate(FilterKind kind) throws Exception {
    Path file = built(kind, 0.01, 0, numbers(0, 100));
    change(file, Verb.ADD, numbers(100, 10_000));
    for (String key : List.of("0", "99", "100", "9999")) {
      assertTrue(maybe(file, key), key);
    }
    FilterQuery query = FilterQuery.of(file, TOOLS);
    int wrong = 0;
    for (String other : numbers(100_000, 110_000)) {
      wrong += Boolean.TRUE.equals(query.ask(other).maybe()) ? 1 : 0;
    }
    assertTrue(wrong <= 150, wrong + " of 10,000");
  }

  /** "Counting Bloom filters": what was added can be removed. */
  @ParameterizedTest
  @EnumSource(names = {"COUNTING", "SCALABLE_COUNTING", "CUCKOO"})
  void whatWasAddedCanBeRemoved(FilterKind kind) throws Exception {
    Path file = built(kind, 0.0001, 100, "a", "b");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertEquals(1, change(file, Verb.REMOVE, "a").count(Outcome.REMOVED));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(2, Objects.requireNonNull(folder.toFile().list()).length, "the list beside it");
    assertFalse(maybe(file, "a"));
    assertTrue(maybe(file, "b"));
    assertEquals(1, change(file, Verb.REMOVE, "c").count(Outcome.NEVER));
  }

  /** "A bitmap of a range": numbers of a range take a bit each and no chance; others a filter. */
  @Test
  void aBitmapOfARangeIsExactAndAFilterOfItIsNot() throws Exception {
    BitSet bitmap = new BitSet(100_000);
    List<String> keys =
        new SplittableRandom(5).ints(2_000, 0, 100_000).distinct().mapToObj(i -> "" + i).toList();
    keys.forEach(key -> bitmap.set(Integer.parseInt(key)));
    Path file = built(FilterKind.SPLIT_BLOCK, 0.01, 0, keys.toArray(String[]::new));
    FilterQuery query = FilterQuery.of(file, TOOLS);
    int wrong = 0;
    for (int i = 0; i < 100_000; i++) {
      boolean maybe = Boolean.TRUE.equals(query.ask("" + i).maybe());
      assertTrue(maybe || !bitmap.get(i), "no key is missed");
      wrong += maybe && !bitmap.get(i) ? 1 : 0;
    }
    assertTrue(wrong > 500 && wrong < 1_500, wrong + " of 98,000");
    assertTrue(Files.size(file) < bitmap.size() / Byte.SIZE, "sparse numbers are smaller");
  }

  /** "User data": the filter spares most questions to a store, which confirms the others. */
  @Test
  void falsePositivesAreRemovedByExactConfirmation() throws Exception {
    Set<String> store =
        IntStream.range(0, 5_000).mapToObj(i -> "user-" + i).collect(Collectors.toSet());
    Path file = built(null, 0.01, 0, store.toArray(String[]::new));
    FilterQuery filter = FilterQuery.of(file, TOOLS);
    int asked = 0;
    int found = 0;
    for (int i = 0; i < 20_000; i++) {
      String user = "user-" + i;
      if (Boolean.TRUE.equals(filter.ask(user).maybe())) {
        asked++;
        found += store.contains(user) ? 1 : 0;
      }
    }
    assertEquals(5_000, found);
    assertTrue(asked < 5_400, "questions to the store: " + asked);
  }

  /** A stream of texts is asked line by line; a blank line is none. */
  @Test
  void anyTextIsAskedLineByLine() throws Exception {
    Path file = built(null, 0.0001, 0, " two words ", "-17", "\u00fcber");
    StringBuilder answers = new StringBuilder();
    FilterQuery.of(file, TOOLS)
        .askAll(
            new ByteArrayInputStream(" two words \ntwo words\n\n-17\n\u00fcber".getBytes(UTF_8)),
            answer -> answers.append(answer.maybe()).append(' ') != null);
    assertEquals("true false null true true ", answers.toString());
  }

  /** Build, push and query of a list of web addresses mean the same keys: the addresses. */
  @Test
  void aListOfUrlsHasUrlsForKeys() throws Exception {
    Path list =
        Files.writeString(
            folder.resolve("urls"),
            "http://bad.example/login\nhttps://worse.example:8080/a/b?c=d\n");
    Path target = folder.resolve("filter");
    new FilterBuild(TOOLS, InputStream.nullInputStream())
        .run(new FilterBuild.Request(List.of(list), target, null, false, Plan.USUAL, List.of()));
    assertTrue(maybe(target, "http://bad.example/login"));
    assertTrue(maybe(target, "https://worse.example:8080/a/b?c=d"));
    assertFalse(maybe(target, "http://bad.example/other"));
    assertFalse(maybe(target, "bad.example"));
  }
}
