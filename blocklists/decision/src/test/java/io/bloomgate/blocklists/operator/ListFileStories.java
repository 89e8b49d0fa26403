package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;

import io.bloomgate.config.name.ListKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A list file of each list, and lists that read them; a change has the time that a test sets. */
abstract class ListFileStories {

  /** Long after every change, unless a test says otherwise. */
  Instant now = NOW.plusSeconds(3_600);

  final InstantSource clock = () -> now;

  @TempDir Path directory;
  Path allowFile = Path.of("");
  Path blockFile = Path.of("");
  OperatorLists lists;

  @BeforeEach
  final void openWithBothFiles() throws Exception {
    allowFile = directory.resolve("allow.list");
    blockFile = directory.resolve("block.list");
    write(allowFile, NOW, "203.0.113.7 # partner");
    write(blockFile, NOW, "spam.example");
    lists = open(files(allowFile, blockFile));
  }

  @AfterEach
  final void close() throws Exception {
    lists.close();
  }

  final OperatorLists open(ListFiles files) throws OperatorListsException {
    return OperatorLists.open(directory.resolve(OperatorLists.FILE_NAME), files, clock);
  }

  final ListFiles files(Path allow, Path block) {
    return new ListFiles(List.of(allow), List.of(block), Entries.NO_RULES, clock);
  }

  static void write(Path file, Instant time, String... lines) throws IOException {
    Files.write(file, List.of(lines));
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  final List<String> subjects(ListKind list) throws OperatorListsException {
    return Entries.all(lists, list).stream().map(e -> e.subject().toString()).toList();
  }
}
