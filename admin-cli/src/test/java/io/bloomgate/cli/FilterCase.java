package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    return Shell.run(List.of("filter"), words);
  }

  /** A filter of the list in this file. */
  final Shell.Result build(String out, String... more) {
    return Shell.run(List.of("filter", "build", list.toString(), "-o", at(out)), more);
  }

  static void assertFails(int exitCode, String says, Shell.Result result) {
    result.fails(exitCode, says).complainsNo("Exception").printsNothing();
    assertTrue(result.err().startsWith("bloomgate: "), result.err());
  }
}
