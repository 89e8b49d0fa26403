package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that was put in the place of a checked one is not copied. */
class CopiedFileTest {

  /** SHA-256 of the text "hello". */
  private static final String HELLO =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  @TempDir Path folder;

  @Test
  void aLinkAndAnotherContentAreNotCopied() throws IOException, CliException {
    Path real = Files.writeString(folder.resolve("real"), "hello");
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    Path other = Files.writeString(folder.resolve("other"), "secret of root");
    Path target = folder.resolve("target");
    assertThrows(CliException.class, () -> NewFile.copy(link, HELLO, target, "nobody"));
    assertThrows(CliException.class, () -> NewFile.copy(other, HELLO, target, "nobody"));
    try (Stream<Path> all = Files.list(folder)) {
      assertEquals(
          List.of("link", "other", "real"),
          all.map(path -> path.getFileName().toString()).sorted().toList());
    }
    NewFile.copy(real, HELLO, target, "nobody");
    assertEquals("hello", Files.readString(target));
  }
}
