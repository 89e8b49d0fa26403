package io.bloomgate.blocklists.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bloomgate.blocklists.database.SqliteLibrary;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.name.ListKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
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
    state = createClosed(directory.resolve("state"));
    temporary = Files.createDirectory(directory.resolve("tmp"));
  }

  /**
   * Opens the lists of a state directory, and prints what is unpacked beside them while they are
   * open, and whether the driver was sent to a kept one.
   */
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
            lists.count(ListKind.ALLOW)
                + " entries, "
                + count(Path.of(args[0], SqliteLibrary.DIRECTORY))
                + (System.getProperty("org.sqlite.lib.path") == null ? " unpacked" : " kept"));
      }
    }
  }

  private static long count(Path directory) throws IOException {
    if (Files.notExists(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".so")).count();
    }
  }

  private String run(String how) throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
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

  /** The driver's own unpacking takes a tenth of a start. */
  @Test
  void itIsUnpackedOncePerVersionAndLeftoversGo() throws Exception {
    Path unpackedHere = createClosed(state.resolve(SqliteLibrary.DIRECTORY));
    Files.writeString(unpackedHere.resolve("sqlite-0-killed.so"), "");
    Files.writeString(unpackedHere.resolve("sqlite-0-killed.so.lck"), "");
    Path before = createClosed(unpackedHere.resolve("1.0-x"));
    Files.writeString(before.resolve("libsqlitejdbc.so"), "");
    assertEquals("0 entries, 1 kept", run("write"));
    Path kept = kept();
    assertFalse(Files.exists(before), "that of another version");
    FileTime unpacked = Files.getLastModifiedTime(kept);
    assertEquals("0 entries, 1 kept", run("read"));
    assertEquals("0 entries, 1 kept", run("write"));
    assertEquals(kept, kept());
    assertEquals(unpacked, Files.getLastModifiedTime(kept));
  }

  private Path kept() throws IOException {
    try (Stream<Path> files = Files.walk(state.resolve(SqliteLibrary.DIRECTORY))) {
      return files.filter(file -> file.toString().endsWith(".so")).findAny().orElseThrow();
    }
  }

  /** Else root, who makes a backup, would run what the service's user puts there. */
  @Test
  void rootLoadsNothingFromAFolderOfAnotherUser() throws Exception {
    assertEquals("0 entries, 1 kept", run("write"));
    Path unpacked = state.resolve(SqliteLibrary.DIRECTORY);
    giveAway(unpacked);
    assertEquals(
        "0 entries, 1 unpacked", run("read"), "that of the other user, and it is not used");
    DurableFiles.deleteTree(unpacked);
    giveAway(state);
    assertEquals("0 entries, 0 unpacked", run("read"));
    assertFalse(Files.exists(unpacked));
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.toList(), "the folder used instead is removed");
    }
  }

  @Test
  void whatOthersMayWriteOrTheSystemDoesNotTakeIsNotUsedAndAReaderLeavesNoFolder()
      throws Exception {
    assertEquals("0 entries, 1 kept", run("write"));
    Path unpacked = state.resolve(SqliteLibrary.DIRECTORY);
    Files.setPosixFilePermissions(unpacked, PosixFilePermissions.fromString("rwxrwx---"));
    assertEquals("0 entries, 1 unpacked", run("read"), "that of before, and it is not used");
    Files.setPosixFilePermissions(unpacked, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(kept(), "damaged");
    assertEquals("0 entries, 2 kept", run("write"), "the driver unpacks its own");
    DurableFiles.deleteTree(unpacked);
    assertEquals("0 entries, 1 unpacked", run("read"));
    assertFalse(Files.exists(unpacked));
  }

  @Test
  void aLinkInsteadOfTheFolderIsNotFollowed() throws Exception {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Files.createSymbolicLink(state.resolve(SqliteLibrary.DIRECTORY), elsewhere);
    assertEquals("0 entries, 0 unpacked", run("write"));
  }

  private static Path createClosed(Path folder) throws IOException {
    return Files.createDirectory(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private static void giveAway(Path folder) throws IOException {
    try {
      Files.setAttribute(folder, "unix:uid", 65_534);
    } catch (IOException e) {
      Assumptions.abort("only root can give files away");
    }
  }
}
