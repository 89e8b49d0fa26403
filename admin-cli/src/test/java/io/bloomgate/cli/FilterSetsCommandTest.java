package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.workbench.WorkbenchTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters as sets: joined, intersected, counted by fill, and beside a list. */
class FilterSetsCommandTest extends FilterCase {

  private String list(String name, int from, int to) throws IOException {
    return Files.writeString(
            folder.resolve(name),
            IntStream.range(from, to)
                .mapToObj(i -> "h" + i + ".example\n")
                .collect(Collectors.joining()))
        .toString();
  }

  /** Filters a of keys 0 to 2999 and b of keys 2000 to 4999. */
  private void build(String kind) throws IOException {
    String a = list("a.list", 0, 3000);
    String b = list("b.list", 2000, 5000);
    assertEquals(0, run("build", a, "-o", at("a"), "--kind", kind).exitCode());
    assertEquals(0, run("build", b, "-o", at("b"), "--like", at("a")).exitCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"split-block", "classic", "counting"})
  void aMergedFilterHoldsAllKeys(String kind) throws IOException {
    build(kind);
    Shell.Result merged = run("merge", at("a"), at("b"), "-o", at("c"));
    assertEquals(0, merged.exitCode(), merged.err());
    assertTrue(merged.out().contains("merged     " + at("a") + ", " + at("b")), merged.out());
    assertTrue(
        merged
            .err()
            .matches("warning: about (48|49|50|51)\\d\\d entries in a filter made for 3000;.*\n"),
        merged.err());
    Shell.Result diff = run("diff", at("c"), list("all", 0, 5000), "-o", "json");
    assertTrue(diff.out().contains("\"missing\":0,"), diff.out());
    assertTrue(diff.out().contains("\"only_in_filter\":0,"), diff.out());
    assertEquals(0, diff.exitCode(), "keys that both had are counted once");
    Shell.Result less = run("diff", at("c"), at("a.list"));
    assertTrue(
        less.out()
            .matches(
                "(?s).* Of its about (4,[89]|5,[01])\\d\\d entries about (1,[89]|2,[01])\\d\\d"
                    + " are.*"),
        less.out());
    assertEquals(1, less.exitCode());
  }

  @Test
  void anIntersectedFilterHoldsWhatBothHold() throws IOException {
    build("classic");
    Shell.Result result = run("intersect", at("a"), at("b"), "-o", at("c"), "--output", "json");
    assertEquals(0, result.exitCode(), result.err());
    assertTrue(result.out().contains("\"intersected\":[\"" + at("a") + "\","), result.out());
    assertTrue(
        run("diff", at("c"), list("both", 2000, 3000), "-o", "json")
            .out()
            .contains("\"missing\":0,"));
    Shell.Result others = run("diff", at("c"), list("others", 0, 2000), "-o", "json");
    assertTrue(others.out().lines().count() > 1980, "few false positives");
  }

  @Test
  void distinctKeysAndOverlapAreEstimated() throws IOException {
    build("split-block");
    Shell.Result one = run("estimate", at("a"));
    assertTrue(
        one.out().matches(".*/a: about (2,9|3,0)\\d\\d \\(deviation \\d+\\) distinct keys.*\n"),
        one.out());
    Shell.Result two = run("estimate", at("a"), at("b"));
    assertEquals(0, two.exitCode(), two.err());
    assertTrue(
        two.out().matches("(?s).*\nboth: about (9|1 0)\\d\\d \\(dev.*similarity (19|2\\d).*"),
        two.out());
    assertTrue(
        run("estimate", at("a"), at("b"), "-o", "json").out().startsWith("{\"a\":{\"file\":"));
  }

  @Test
  void aDiffNamesWhatTheFilterLacks() throws IOException {
    build("classic");
    assertEquals(0, run("diff", at("a"), at("a.list")).exitCode());
    Path list = Files.writeString(folder.resolve("l"), "h1.example\nNEW.example\nnew2.example\n");
    Shell.Result result = run("diff", at("a"), list.toString());
    assertEquals(1, result.exitCode());
    assertEquals(
        "+ new.example\n+ new2.example\nOf 3 distinct keys of "
            + list
            + ", 1 may be in "
            + at("a")
            + " and 2 are certainly not. Of its 3,000 entries about 2,999 are not in the list.\n",
        result.out());
    List<String> json = run("diff", at("a"), list.toString(), "-o", "json").out().lines().toList();
    assertEquals("{\"key\":\"new.example\",\"missing\":true}", json.getFirst());
    assertTrue(json.getLast().contains("\"inside\":1,\"missing\":2,\"entries\":3000,"));
  }

  @Test
  void inspectShowsSlicesSeedAndCounters() throws IOException {
    build("scalable-counting");
    String[] more = new String[4002];
    Arrays.setAll(more, i -> i < 2 ? List.of("add", at("a")).get(i) : "g" + i + ".example");
    assertEquals(0, run(more).exitCode());
    Shell.Result result = run("inspect", at("a"));
    assertTrue(result.out().matches("(?s).*\n  seed id    [0-9a-f]{8}\nslice .*"), result.out());
    List<String> lines = result.out().lines().toList();
    assertTrue(lines.get(lines.size() - 2).matches(" +1 +3,000 +[\\d,]+ +11 +.*"), result.out());
    assertTrue(lines.getLast().matches(" +2 +6,000 +[\\d,]+ +13 +.*"), result.out());
    String json = run("inspect", at("a"), "-o", "json").out();
    assertTrue(json.contains("\"slices\":[{\"capacity\":3000,\"counters\":"), json);
    assertTrue(json.contains("\"overflowed\":0,"), json);
    assertFalse(run("inspect", at("b")).out().equals(result.out()));
    String seed = json.substring(json.indexOf("seed_id"), json.indexOf("seed_id") + 19);
    assertTrue(run("inspect", at("b"), "-o", "json").out().contains(seed), "--like has the seed");
  }

  @Test
  void filtersThatDifferAreNamedInOneLine() throws IOException {
    build("classic");
    assertEquals(0, run("build", at("a.list"), "-o", at("s"), "--kind", "scalable").exitCode());
    assertEquals(0, run("build", at("a.list"), "-o", at("f"), "--kind", "fuse8").exitCode());
    assertRefused(2, "kind: classic and scalable", "merge", at("a"), at("s"), "-o", at("o"));
    assertRefused(2, "cannot be merged", "merge", at("s"), at("s"), "-o", at("o"));
    WorkbenchTools other = new WorkbenchTools(() -> new SplittableRandom(7), () -> 0, 1L << 28);
    Shell.run(
        Map.of(), new byte[0], false, other, "filter", "build", at("a.list"), "-o", at("seed"));
    assertRefused(2, "kind: classic and split-block", "merge", at("a"), at("seed"), "-o", at("o"));
    assertRefused(2, "kind: classic and fuse8", "intersect", at("a"), at("f"), "-o", at("o"));
    assertRefused(2, "does not show how many keys", "estimate", at("f"));
    assertRefused(2, "cannot be merged", "estimate", at("s"), at("s"));
    assertRefused(1, "is not a Bloomgate file", "merge", at("a"), at("a.list"), "-o", at("o"));
    assertRefused(2, "is not overwritten", "merge", at("a"), at("b"), "-o", at("a.list"));
    assertRefused(2, "two or more filter files", "merge", at("a"), "-o", at("o"));
    assertRefused(2, "names the filter file here", "merge", at("a"), at("b"), "-o", "json");
    assertFalse(Files.exists(folder.resolve("o")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "add f",
        "remove f",
        "merge a -o out",
        "merge a b",
        "intersect a b",
        "estimate",
        "diff a",
        "size",
        "size --entries 10",
        "size --fpp 0.1",
        "size --entries 0 --fpp 0.1",
        "size --entries x --fpp 0.1",
        "size --entries 10 --fpp 0.1 --memory 1MiB",
        "size --entries 10 --fpp 2",
        "size --entries 10 --bits-per-entry 0",
        "size --entries 10 --memory much",
        "size --entries 10 --memory 0B",
        "size --entries 10 --fpp 0.1 --hashes 65"
      })
  void mistakesAreUsageErrors(String line) {
    Shell.Result result = run(line.split(" ", -1));
    assertEquals(2, result.exitCode(), result.err());
    assertTrue(result.err().startsWith("bloomgate: "), result.err());
    assertTrue(result.err().lines().count() <= 2, result.err());
    assertEquals("", result.out());
  }

  @Test
  void cutAndFlippedFilesAreRefused() throws IOException {
    build("counting");
    byte[] octets = Files.readAllBytes(folder.resolve("a"));
    octets[700] ^= 1;
    Files.write(folder.resolve("bad"), octets);
    Files.write(folder.resolve("cut"), Arrays.copyOf(octets, 2000));
    for (String bad : List.of(at("bad"), at("cut"))) {
      assertRefused(1, bad, "merge", at("b"), bad, "-o", at("o"));
      assertRefused(1, bad, "intersect", bad, at("b"), "-o", at("o"));
      assertRefused(1, bad, "estimate", bad);
      assertRefused(1, bad, "estimate", at("b"), bad);
      assertRefused(2, bad, "diff", bad, at("a.list"));
      assertRefused(1, bad, "inspect", bad);
      // Where 1 is an answer, a script must not take a broken file for it.
      assertRefused(2, bad, "query", bad, "a.example");
      assertRefused(2, bad, "compare", at("b"), bad);
      byte[] before = Files.readAllBytes(Path.of(bad));
      assertRefused(1, bad, "add", bad, "a.example");
      assertRefused(1, bad, "remove", bad, "a.example");
      assertArrayEquals(before, Files.readAllBytes(Path.of(bad)));
    }
  }

  private static void assertRefused(int exitCode, String says, String... args) {
    Shell.Result result = run(args);
    assertEquals(exitCode, result.exitCode(), result.out() + result.err());
    assertTrue(result.err().contains(says), result.err());
    assertEquals(1, result.err().lines().count(), result.err());
    assertFalse(result.err().contains("Exception"), result.err());
    assertEquals("", result.out());
  }
}
