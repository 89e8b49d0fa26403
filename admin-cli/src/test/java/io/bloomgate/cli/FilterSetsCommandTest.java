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
    run("build", a, "-o", at("a"), "--kind", kind).exits(0);
    run("build", b, "-o", at("b"), "--like", at("a")).exits(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"split-block", "classic", "counting"})
  void aMergedFilterHoldsAllKeys(String kind) throws IOException {
    build(kind);
    Shell.Result merged =
        run("merge", at("a"), at("b"), "-o", at("c"))
            .ends(0, "merged     " + at("a") + ", " + at("b"));
    assertTrue(
        merged
            .err()
            .matches("warning: about (48|49|50|51)\\d\\d entries in a filter made for 3000;.*\n"),
        merged.err());
    Shell.Result diff =
        run("diff", at("c"), list("all", 0, 5000), "-o", "json")
            .prints("\"missing\":0,", "\"only_in_filter\":0,");
    assertEquals(0, diff.exitCode(), "keys that both had are counted once");
    Shell.Result less = run("diff", at("c"), at("a.list"));
    assertTrue(
        less.out()
            .matches(
                "(?s).* Of its about (4,[89]|5,[01])\\d\\d entries about (1,[89]|2,[01])\\d\\d"
                    + " are.*"),
        less.out());
    less.exits(1);
  }

  @Test
  void anIntersectedFilterHoldsWhatBothHold() throws IOException {
    build("classic");
    run("intersect", at("a"), at("b"), "-o", at("c"), "--output", "json")
        .ends(0, "\"intersected\":[\"" + at("a") + "\",");
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
    Shell.Result two = run("estimate", at("a"), at("b")).exits(0);
    assertTrue(
        two.out().matches("(?s).*\nboth: about (9|1 0)\\d\\d \\(dev.*similarity (19|2\\d).*"),
        two.out());
    assertTrue(
        run("estimate", at("a"), at("b"), "-o", "json").out().startsWith("{\"a\":{\"file\":"));
  }

  @Test
  void aDiffNamesWhatTheFilterLacks() throws IOException {
    build("classic");
    run("diff", at("a"), at("a.list")).exits(0);
    Path list = Files.writeString(folder.resolve("l"), "h1.example\nNEW.example\nnew2.example\n");
    run("diff", at("a"), list.toString())
        .exits(1)
        .answers(
            "+ new.example\n+ new2.example\nOf 3 distinct keys of "
                + list
                + ", 1 may be in "
                + at("a")
                + " and 2 are certainly not. Of its 3,000 entries about 2,999 are not in the"
                + " list.\n");
    List<String> json = run("diff", at("a"), list.toString(), "-o", "json").out().lines().toList();
    assertEquals("{\"key\":\"new.example\",\"missing\":true}", json.getFirst());
    assertTrue(json.getLast().contains("\"inside\":1,\"missing\":2,\"entries\":3000,"));
  }

  @Test
  void inspectShowsSlicesSeedAndCounters() throws IOException {
    build("scalable-counting");
    String[] more = new String[4002];
    Arrays.setAll(more, i -> i < 2 ? List.of("add", at("a")).get(i) : "g" + i + ".example");
    run(more).exits(0);
    Shell.Result result = run("inspect", at("a"));
    assertTrue(result.out().matches("(?s).*\n  seed id    [0-9a-f]{8}\nslice .*"), result.out());
    List<String> lines = result.out().lines().toList();
    assertTrue(lines.get(lines.size() - 2).matches(" +1 +3,000 +[\\d,]+ +11 +.*"), result.out());
    assertTrue(lines.getLast().matches(" +2 +6,000 +[\\d,]+ +13 +.*"), result.out());
    String json = run("inspect", at("a"), "-o", "json").out();
    Shell.assertHas(json, "\"slices\":[{\"capacity\":3000,\"counters\":", "\"overflowed\":0,");
    assertFalse(run("inspect", at("b")).out().equals(result.out()));
    String seed = json.substring(json.indexOf("seed_id"), json.indexOf("seed_id") + 19);
    assertTrue(run("inspect", at("b"), "-o", "json").out().contains(seed), "--like has the seed");
  }

  @Test
  void filtersThatDifferAreNamedInOneLine() throws IOException {
    build("classic");
    run("build", at("a.list"), "-o", at("s"), "--kind", "scalable").exits(0);
    run("build", at("a.list"), "-o", at("f"), "--kind", "fuse8").exits(0);
    assertRefused(2, "kind: classic and scalable", "merge", at("a"), at("s"), "-o", at("o"));
    assertRefused(2, "cannot be merged", "merge", at("s"), at("s"), "-o", at("o"));
    WorkbenchTools other = new WorkbenchTools(() -> new SplittableRandom(7), () -> 0, 1L << 28);
    Shell.with(other, "filter", "build", at("a.list"), "-o", at("seed"));
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
    Shell.Result result = run(args).fails(exitCode, says);
    assertEquals(1, result.err().lines().count(), result.err());
    result.complainsNo("Exception").printsNothing();
  }
}
