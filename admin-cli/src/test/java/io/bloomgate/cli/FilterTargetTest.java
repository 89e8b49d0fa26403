package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where {@code filter build} writes, and what of others it leaves alone. */
class FilterTargetTest extends FilterCase {

  @BeforeEach
  void writeNames() throws IOException {
    writeList("a.example\nb.example\n".repeat(40));
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
        run("inspect", at("real")).out().contains("asked      1 % false"),
        "the filter behind it is the new one");
  }
}
