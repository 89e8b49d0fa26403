package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where {@code filter build} writes, and what of others it leaves alone. */
class FilterTargetTest {

  @TempDir Path folder;

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private Shell.Result build(String out, String... more) throws IOException {
    Path list = Files.writeString(folder.resolve("list"), "a.example\nb.example\n".repeat(40));
    List<String> args = new ArrayList<>(List.of("filter", "build", list.toString(), "-o", at(out)));
    args.addAll(List.of(more));
    return Shell.run(args.toArray(String[]::new));
  }

  private static void assertFails(int exitCode, String says, Shell.Result result) {
    assertEquals(exitCode, result.exitCode(), result.err());
    assertTrue(result.err().contains(says), result.err());
    assertEquals("", result.out());
  }

  @Test
  void onlyFiltersAreOverwritten() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "mine\n");
    assertFails(2, "is not overwritten", build("text"));
    assertEquals("mine\n", Files.readString(text));
    Files.createDirectory(folder.resolve("dir"));
    assertFails(2, "is a directory", build("dir"));
    assertFails(1, "there is no directory", build("none/f"));
    assertEquals(0, build("f").exitCode());
    assertEquals(0, build("f", "--fpp", "0.01").exitCode());
    assertTrue(Shell.run("filter", "inspect", at("f")).out().contains("asked      1 % false"));
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
    assertEquals(0, build("f").exitCode());
    assertEquals("another program writes this", Files.readString(other));
  }

  @Test
  void aLinkToAFilterStaysALink() throws IOException {
    assertEquals(0, build("real").exitCode());
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("real"));
    assertEquals(0, build("link", "--fpp", "0.01").exitCode());
    assertTrue(Files.isSymbolicLink(folder.resolve("link")));
    assertTrue(
        Shell.run("filter", "inspect", at("real")).out().contains("asked      1 % false"),
        "the filter behind it is the new one");
  }
}
