package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.config.control.ControlRequest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts that fail: their exit code, and what they say; nothing else is touched. */
final class StartFailuresTest {

  /** Every Linux has a user of this number. */
  private static final int DAEMON = 1;

  /** Where SQLite has it in the header of a file, as four octets. */
  private static final int SQLITE_USER_VERSION = 60;

  @TempDir private Path directory;
  private GatewayHouse house;
  private Path state;

  @BeforeEach
  void write() throws IOException {
    house = new GatewayHouse(directory).write();
    state = directory.resolve("state");
  }

  /** The lines that a start fails with. */
  private String failed(int exitCode) {
    StartFailure failure = assertThrows(StartFailure.class, house::start);
    assertEquals(exitCode, failure.exitCode(), failure.toString());
    return String.join("\n", failure.lines());
  }

  @Test
  void aSecondGatewayOnTheSameStateIsRefused() throws Exception {
    try (Gateway _ = house.start()) {
      String line = failed(StartFailure.CONFIGURATION);
      assertTrue(line.matches(".*another gateway is running.*"), "one line: " + line);
      house.done(new ControlRequest.Status());
    }
    house.start().close();
  }

  /** No change of the settings would cure it. */
  @Test
  void entriesOfAnotherReleaseStopTheStartWithTheirFormat() throws Exception {
    house.start().close();
    Path entries = state.resolve("operator.db");
    try (RandomAccessFile file = new RandomAccessFile(entries.toFile(), "rw")) {
      file.seek(SQLITE_USER_VERSION);
      file.writeInt(9);
    }
    assertHas(
        failed(StartFailure.TRY_AGAIN),
        entries + " has format 9 of another release; this one reads format 1; export");
  }

  /** Or it would begin with a part of the state. */
  @Test
  void aRestoreThatWasCutOffStopsTheStart() throws Exception {
    Path mark = Files.createDirectories(state.resolve(StateLock.RESTORING));
    assertHas(failed(StartFailure.TRY_AGAIN), "`bloomgate restore FILE` again");
    Files.delete(mark);
    house.start().close();
  }

  @Test
  void everyProblemOfTheFileIsReportedAtTheStart() throws Exception {
    house.mode("loud").more("nonsense: 1").write();
    String lines = failed(StartFailure.CONFIGURATION);
    assertTrue(lines.lines().count() >= 2, lines);
    assertTrue(
        lines.lines().allMatch(line -> line.matches(".*bloomgate.yaml:\\d+:\\d+: .*")), lines);
  }

  /** Also where the file has nothing but warnings. */
  @Test
  void aKeyThatCannotBeReadIsReportedWithTheReason() throws Exception {
    Path none = directory.resolve("none.pem");
    house
        .downstream(", client_address: none")
        .more("tls: {certificate: " + none + ", key: " + none + "}")
        .write();
    String[] lines = failed(StartFailure.CONFIGURATION).split("\n", -1);
    assertHas(lines[0], none.toString());
    assertHas(lines[lines.length - 1], "warning");
  }

  @Test
  void aStateDirectoryThatCannotBeMadeIsReportedWithItsLine() throws Exception {
    Path file = Files.createFile(directory.resolve("taken"));
    Files.writeString(
        house.settings(),
        Files.readString(house.settings()).replace(directory + "/state", file + "/state"));
    StartFailure failure = assertThrows(StartFailure.class, house::start);
    assertHas(failure.lines().getFirst(), house.settings() + ":4: state_dir: cannot use " + file);
  }

  @Test
  void rootMakesNoFilesInTheDirectoryOfAnotherUser() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root is another user");
    Files.setAttribute(state, "unix:uid", DAEMON);
    String owner = Files.getOwner(state).getName();
    String line = failed(StartFailure.PERMISSION);
    assertHas(
        line,
        state + " belongs to the user " + owner + ", and root",
        "`runuser -u " + owner + " -- bloomgate run`");
    assertEquals(1, line.lines().count());
    try (var files = Files.list(state)) {
      assertEquals(1, files.count(), "what the test wrote");
    }
  }
}
