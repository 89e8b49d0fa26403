package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Filter commands in pipes and scripts, and what of other files {@code build} leaves alone. */
class FilterPipesTest extends FilterCase {

  @BeforeEach
  void writeKeys() throws IOException {
    writeList("a.example\nb.example\nc.example\n");
  }

  private Shell.Result fromStandardInput(String text, String... args) {
    return Shell.piped(text, args);
  }

  @Test
  void aListComesByStandardInputToo() throws IOException {
    String text = Files.readString(list);
    build("file").exits(0);
    fromStandardInput(text, "filter", "build", "-", "-o", at("f"), "--output", "json")
        .ends(0, "{\"source\":\"standard input\",\"format\":\"domains\"");
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("file")), Files.readAllBytes(folder.resolve("f")));
    assertFails(
        1,
        "standard input is not a list: 3 bad lines, 0 good",
        fromStandardInput("a b\nc d\ne f\n", "filter", "build", "-", "-o", at("g")));
    assertFails(
        2,
        "standard input can be read once only",
        fromStandardInput(text, "filter", "build", "-", "-", "-o", at("g")));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(3, files.count(), "list, file and f");
    }
  }

  @Test
  void quietlyNothingIsPrinted() {
    assertEquals(new Shell.Result(0, "", ""), build("a", "-q"));
    assertEquals(new Shell.Result(0, "", ""), run("merge", at("a"), at("a"), "-o", at("b"), "-q"));
    assertEquals(new Shell.Result(0, "", ""), Shell.run("-q", "fleet", "key", at("key")));
    assertFails(2, "is not overwritten", build("list", "-q"));
  }

  /** Java says the same of a name with letters beyond ASCII in the locale C. */
  @Test
  void aNameThatTheLocaleDoesNotHaveIsSaid() {
    String name = "x\0y";
    assertFails(2, "set LC_ALL=C.UTF-8", run("query", name, "a.example"));
    run("inspect", name).fails(2, "set LC_ALL=C.UTF-8");
  }

  @Test
  void aPipeIsNotWaitedForTwice() throws Exception {
    Path pipe = folder.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertTrue(made.waitFor(60, TimeUnit.SECONDS) && made.exitValue() == 0, "mkfifo");
    String file = pipe.toString();
    String says = file + " is a pipe or a device";
    for (String command : List.of("inspect", "verify", "estimate")) {
      assertFails(1, says, run(command, file));
    }
    assertFails(2, says, run("query", file, "a.example"));
    assertFails(1, says, run("add", file, "a.example"));
    assertFails(2, says, run("push", file, "redis://127.0.0.1:1/k"));
    assertFails(2, "its format cannot be found", run("build", file, "-o", at("out")));
  }

  @Test
  void onlyFiltersAreOverwritten() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "mine\n");
    assertFails(2, "is not overwritten", build("text"));
    assertEquals("mine\n", Files.readString(text));
    Files.createDirectory(folder.resolve("dir"));
    assertFails(2, "is a directory", build("dir"));
    assertFails(1, "there is no directory", build("none/f"));
    build("f").exits(0);
    build("f", "--fpp", "0.01").exits(0);
    assertTrue(run("inspect", at("f")).out().contains("asked      1 % false"));
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("f"))));
    try (var files = Files.list(folder)) {
      assertEquals(0, files.filter(p -> p.toString().endsWith(".tmp")).count());
    }
  }

  @Test
  void aFileOfAnotherProgramBesideTheTargetIsLeftAlone() throws IOException {
    Path other = Files.writeString(folder.resolve("f.tmp"), "another program writes this");
    build("f").exits(0);
    assertEquals("another program writes this", Files.readString(other));
  }

  @Test
  void aLinkToAFilterStaysALink() throws IOException {
    build("real").exits(0);
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("real"));
    build("link", "--fpp", "0.01").exits(0);
    assertTrue(Files.isSymbolicLink(folder.resolve("link")));
    assertTrue(
        run("inspect", at("real")).out().contains("asked      1 % false"),
        "the filter behind it is the new one");
  }
}
