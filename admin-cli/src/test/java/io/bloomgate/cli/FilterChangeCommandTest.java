package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filter files that change where they are: what is answered, and what is refused. */
class FilterChangeCommandTest extends FilterCase {

  private String built(String kind) throws IOException {
    writeList("a.example\nb.example\n203.0.113.7\n");
    build(kind, "--kind", kind).exits(0);
    return at(kind);
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalable", "scalable-counting", "counting"})
  void addSaysForEachKeyWhetherItWasThere(String kind) throws IOException {
    String file = built(kind);
    Shell.Result first = run("add", file, "a.example", "new.example").exits(0);
    assertTrue(
        first
            .out()
            .startsWith(
                "maybe  a.example\nnew    new.example\n" + file + ": 2 added, 1 of them new; 5 of"),
        first.out());
    assertEquals(
        "maybe  new.example\n", run("query", file, "new.example").out(), "it is on the disk");
    run("verify", file).exits(0);
  }

  @Test
  void whatIsNoListOfKeysIsNotRepeatedLineByLine() throws IOException {
    String file = built("counting");
    byte[] before = Files.readAllBytes(Path.of(file));
    Shell.Result result =
        Shell.piped("two words\n".repeat(5000), "filter", "add", file, "-").exits(2);
    assertEquals(11, result.err().lines().count(), result.err());
    assertTrue(result.err().endsWith("4990 more are no keys; nothing was changed\n"), result.err());
    assertArrayEquals(before, Files.readAllBytes(Path.of(file)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalable-counting", "counting", "cuckoo"})
  void removeRefusesWhatWasNeverAdded(String kind) throws IOException {
    String file = built(kind);
    byte[] before = Files.readAllBytes(Path.of(file));
    Shell.Result result = run("remove", file, "A.example.", "none.example", "-o", "json").exits(1);
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
    twice.prints(": 0 removed of 2, because a key was never added; nothing was changed");
    assertArrayEquals(before, Files.readAllBytes(Path.of(file)));
    run("remove", file, "A.example.").exits(0);
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
    Shell.Result added = run(fourteen).exits(0);
    assertTrue(added.err().startsWith("warning: "), added.err());
    assertTrue(run("inspect", file).out().contains("overflowed"), "inspect shows it");
    for (int i = 0; i < 20; i++) {
      Shell.Result kept = run("remove", file, "a.example").exits(1);
      assertTrue(kept.out().startsWith("kept       a.example\n"), kept.out());
    }
    assertEquals("maybe  a.example\n", run("query", file, "a.example").out());
  }

  @Test
  void aStreamIsOneChange() throws IOException {
    String file = built("scalable");
    Shell.Result result =
        Shell.piped("c.example\r\na.example\n", "filter", "add", file, "-", "-o", "json").exits(0);
    assertEquals(3, result.out().lines().count(), result.out());
    result.prints("\"keys\":2,\"new\":1,\"maybe\":1,");
    byte[] before = Files.readAllBytes(Path.of(file));
    Shell.Result bad =
        Shell.piped("d.example\n\ntwo words\ne.example\n", "filter", "add", file, "-")
            .exits(2)
            .printsNothing();
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
    Shell.Result result = run(verb, file, "a.example").exits(2);
    assertEquals(1, result.err().lines().count(), result.err());
    result.complains("; kinds that do: counting").printsNothing();
    assertArrayEquals(before, Files.readAllBytes(Path.of(file)));
  }

  @Test
  void aCountingFilterBeyondItsRateIsReported() throws IOException {
    String file = built("counting");
    run("remove", file, "a.example").isSilent();
    assertEquals("", run("add", file, "a.example").err());
    Shell.Result beyond = run("add", file, "c.example", "d.example", "e.example").exits(0);
    assertTrue(
        beyond
            .err()
            .matches(
                "warning: about [0-9.]+ % false positives now, and 0.1 % were asked; build a larger"
                    + " filter of the lists\n"),
        beyond.err());
  }
}
