package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code bloomgate filter} in a folder with a list. */
abstract class FilterCase {

  @TempDir Path folder;

  /** Of {@link #writeList}. */
  Path list = Path.of("");

  final void writeList(String text) throws IOException {
    list = Files.writeString(folder.resolve("list"), text);
  }

  final String at(String name) {
    return folder.resolve(name).toString();
  }

  /** The verb, and what follows it. */
  static Shell.Result run(String... words) {
    List<String> all = new ArrayList<>(List.of("filter"));
    all.addAll(List.of(words));
    return Shell.run(all.toArray(String[]::new));
  }

  /** A filter of the list in this file. */
  final Shell.Result build(String out, String... more) {
    List<String> words = new ArrayList<>(List.of("build", list.toString(), "-o", at(out)));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  static void assertFails(int exitCode, String says, Shell.Result result) {
    assertEquals(exitCode, result.exitCode(), result.err());
    assertTrue(result.err().startsWith("bloomgate: "), result.err());
    assertTrue(result.err().contains(says), result.err());
    assertFalse(result.err().contains("Exception"), result.err());
    assertEquals("", result.out());
  }
}
