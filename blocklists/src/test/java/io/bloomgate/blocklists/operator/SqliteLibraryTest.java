package io.bloomgate.blocklists.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bloomgate.blocklists.database.SqliteLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native code comes from nowhere that others may write; a process loads it once. */
class SqliteLibraryTest {

  @TempDir private Path directory;
  private Path state = Path.of("");
  private Path temporary = Path.of("");

  @BeforeEach
  void makeDirectories() throws IOException {
    state = Files.createDirectory(directory.resolve("state"));
    temporary = Files.createDirectory(directory.resolve("tmp"));
  }

  /** Opens the lists of a state directory, and prints what is unpacked while they are open. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      Path file = Path.of(args[0]).resolve(OperatorLists.FILE_NAME);
      InstantSource clock = InstantSource.fixed(Instant.EPOCH);
      ListFiles none =
          new ListFiles(
              List.of(), List.of(), new WidthRules(List.of(), List.of(), _ -> false), clock);
      try (OperatorLists lists =
          args[1].equals("write")
              ? OperatorLists.open(file, none, clock)
              : OperatorLists.openReadOnly(file, none, clock)) {
        System.out.println(
            lists.count(OperatorEntry.ListKind.ALLOW)
                + " entries, "
                + count(Path.of(args[0], SqliteLibrary.DIRECTORY))
                + " unpacked");
      }
    }
  }

  private static long count(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".so")).count();
    }
  }

  private String run(String how) throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                state.toString(),
                how)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), UTF_8).strip();
    assertEquals(0, child.waitFor(), said);
    assertEquals(0, count(temporary), "nothing is unpacked into the temporary directory");
    return said;
  }

  @Test
  void itIsUnpackedBesideTheDatabaseAndLeftoversGo() throws Exception {
    Path unpacked = Files.createDirectory(state.resolve(SqliteLibrary.DIRECTORY));
    Files.writeString(unpacked.resolve("sqlite-0-killed.so"), "");
    Files.writeString(unpacked.resolve("sqlite-0-killed.so.lck"), "");
    assertEquals("0 entries, 1 unpacked", run("write"));
    assertEquals("0 entries, 1 unpacked", run("read"));
  }

  @Test
  void aReaderLeavesNoFolderBehind() throws Exception {
    assertEquals("0 entries, 1 unpacked", run("write"));
    Files.delete(state.resolve(SqliteLibrary.DIRECTORY));
    assertEquals("0 entries, 1 unpacked", run("read"));
    assertFalse(Files.exists(state.resolve(SqliteLibrary.DIRECTORY)));
  }
}
