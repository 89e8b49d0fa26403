package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filter files that change where they are: what is answered, and what is refused. */
class FilterChangeCommandTest extends FilterCase {

  private String built(String kind) throws IOException {
    writeList("a.example\nb.example\n203.0.113.7\n");
    Shell.Result result = build(kind, "--kind", kind);
    assertEquals(0, result.exitCode(), result.err());
    return at(kind);
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalable", "scalable-counting", "counting"})
  void addSaysForEachKeyWhetherItWasThere(String kind) throws IOException {
    String file = built(kind);
    Shell.Result first = run("add", file, "a.example", "new.example");
    assertEquals(0, first.exitCode(), first.err());
    assertTrue(
        first
            .out()
            .startsWith(
                "maybe  a.example\nnew    new.example\n" + file + ": 2 added, 1 of them new; 5 of"),
        first.out());
    assertEquals(
        "maybe  new.example\n", run("query", file, "new.example").out(), "it is on the disk");
    assertEquals(0, run("verify", file).exitCode());
  }

  @Test
  void whatIsNoListOfKeysIsNotRepeatedLineByLine() throws IOException {
    String file = built("counting");
    byte[] before = Files.readAllBytes(Path.of(file));
    Shell.Result result =
        Shell.run(Map.of(), "two words\n".repeat(5000), false, "filter", "add", file, "-");
    assertEquals(2, result.exitCode());
    assertEquals(11, result.err().lines().count(), result.err());
    assertTrue(result.err().endsWith("4990 more are no keys; nothing was changed\n"), result.err());
    assertArrayEquals(before, Files.readAllBytes(Path.of(file)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalable-counting", "counting", "cuckoo"})
  void removeRefusesWhatWasNeverAdded(String kind) throws IOException {
    String file = built(kind);
    byte[] before = Files.readAllBytes(Path.of(file));
    Shell.Result result = run("remove", file, "A.example.", "none.example", "-o", "json");
    assertEquals(1, result.exitCode(), result.err());
    List<String> lines = result.out().lines().toList();
    assertEquals(
        "{\"key\":\"A.example.\",\"outcome\":\"unchanged\",\"overflowed\":false}", lines.get(0));
    assertEquals(
        "{\"key\":\"none.example\",\"outcome\":\"never\",\"overflowed\":false}", lines.get(1));
    assertTrue(
        lines
            .get(2)
            .contains("\"removed\":0,\"never\":1,\"unchanged\":1,\"kept\":0,\"overflowed\":0,"),
        lines.get(2));
    assertTrue(lines.get(2).contains("\"entries\":3,"), lines.get(2));
    assertArrayEquals(before, Files.readAllBytes(Path.of(file)), "all keys or none");
    Shell.Result twice = run("remove", file, "a.example", "a.example");
    assertTrue(twice.out().startsWith("unchanged  a.example\nnever      a.example\n"), twice.out());
    assertTrue(
        twice
            .out()
            .contains(": 0 removed of 2, because a key was never added; nothing was changed"),
        twice.out());
    assertArrayEquals(before, Files.readAllBytes(Path.of(file)));
    assertEquals(0, run("remove", file, "A.example.").exitCode());
    assertTrue(run("query", file, "a.example").out().startsWith("no "));
    assertTrue(run("query", file, "b.example").out().startsWith("maybe "));
  }

  @Test
  void aCounterThatOverflowedStaysAndIsReported() throws IOException {
    String file = built("counting");
    String[] fourteen = new String[16];
    Arrays.fill(fourteen, "a.example");
    fourteen[0] = "add";
    fourteen[1] = file;
    Shell.Result added = run(fourteen);
    assertEquals(0, added.exitCode());
    assertTrue(added.err().startsWith("warning: "), added.err());
    assertTrue(run("inspect", file).out().contains("overflowed"), "inspect shows it");
    for (int i = 0; i < 20; i++) {
      Shell.Result kept = run("remove", file, "a.example");
      assertEquals(1, kept.exitCode());
      assertTrue(kept.out().startsWith("kept       a.example\n"), kept.out());
    }
    assertEquals("maybe  a.example\n", run("query", file, "a.example").out());
  }

  @Test
  void aStreamIsOneChange() throws IOException {
    String file = built("scalable");
    Shell.Result result =
        Shell.run(
            Map.of(), "c.example\r\na.example\n", false, "filter", "add", file, "-", "-o", "json");
    assertEquals(0, result.exitCode(), result.err());
    assertEquals(3, result.out().lines().count(), result.out());
    assertTrue(result.out().contains("\"keys\":2,\"new\":1,\"maybe\":1,"), result.out());
    byte[] before = Files.readAllBytes(Path.of(file));
    Shell.Result bad =
        Shell.run(
            Map.of(), "d.example\n\ntwo words\ne.example\n", false, "filter", "add", file, "-");
    assertEquals(2, bad.exitCode());
    assertEquals("", bad.out());
    assertEquals(1, bad.err().lines().count(), bad.err());
    assertTrue(bad.err().startsWith("bloomgate: line 3 is not a key: "), bad.err());
    assertTrue(bad.err().endsWith("; nothing was changed\n"), bad.err());
    assertArrayEquals(before, Files.readAllBytes(Path.of(file)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"add fuse8", "add fuse16", "remove scalable", "remove split-block"})
  void aKindThatCannotIsNamed(String line) throws IOException {
    String verb = line.split(" ", -1)[0];
    String file = built(line.split(" ", -1)[1]);
    byte[] before = Files.readAllBytes(Path.of(file));
    Shell.Result result = run(verb, file, "a.example");
    assertEquals(2, result.exitCode(), result.err());
    assertEquals(1, result.err().lines().count(), result.err());
    assertTrue(result.err().contains("; kinds that do: counting"), result.err());
    assertEquals("", result.out());
    assertArrayEquals(before, Files.readAllBytes(Path.of(file)));
  }

  @Test
  void aCountingFilterBeyondItsRateIsReported() throws IOException {
    String file = built("counting");
    Shell.Result within = run("remove", file, "a.example");
    assertEquals("", within.err());
    assertEquals("", run("add", file, "a.example").err());
    Shell.Result beyond = run("add", file, "c.example", "d.example", "e.example");
    assertEquals(0, beyond.exitCode(), beyond.err());
    assertTrue(
        beyond
            .err()
            .matches(
                "warning: about [0-9.]+ % false positives now, and 0.1 % were asked; build a larger"
                    + " filter of the lists\n"),
        beyond.err());
  }

  @Test
  void aFullFilterTakesAllKeysOrNone() throws IOException {
    String file = built("counting");
    byte[] before = Files.readAllBytes(Path.of(file));
    Stream<String> many = IntStream.range(0, 200).mapToObj(i -> "h" + i + ".example");
    Shell.Result result = run(Stream.concat(Stream.of("add", file), many).toArray(String[]::new));
    assertEquals(1, result.exitCode());
    assertEquals(1, result.err().lines().count(), result.err());
    assertTrue(result.err().contains("is full: it is made for 3 keys"), result.err());
    assertArrayEquals(before, Files.readAllBytes(Path.of(file)));
  }
}
