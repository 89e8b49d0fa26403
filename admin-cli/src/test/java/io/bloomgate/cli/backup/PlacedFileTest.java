package io.bloomgate.cli.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.cli.backup.PlacedFile.How;
import io.bloomgate.cli.command.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a restore writes files that an archive names, and where it does not. */
class PlacedFileTest {

  /** SHA-256 of the text "hello". */
  private static final String HELLO =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "/etc/bloomgate-none, /etc/bloomgate-none/a.list, WRITTEN",
    "/etc/bloomgate-none, /etc/bloomgate-none/../cron.d/x, LEFT",
    "/etc/bloomgate-none, /etc/cron.d/bloomgate-none, LEFT",
    "/etc, /etc/cron.d/bloomgate-none, LEFT",
    "/, /bloomgate-none, LEFT",
    "/home/none, /home/none/.ssh/authorized_keys, LEFT"
  })
  void onlyPlainFilesBelowTheSettingsAreWritten(Path settings, Path target, How how)
      throws CliException {
    assertEquals(how, PlacedFile.decideWithin(settings, target, HELLO, true).how());
  }

  @Test
  void anotherFileIsReplacedOnlyWithForce() throws IOException, CliException {
    Path file = folder.resolve("a.list");
    assertEquals(How.WRITTEN, PlacedFile.decide(file, HELLO, false).how());
    Files.writeString(file, "hello");
    assertEquals(How.SAME, PlacedFile.decide(file, HELLO, true).how());
    Files.writeString(file, "other");
    assertEquals(How.WRITTEN, PlacedFile.decide(file, HELLO, true).how());
    assertEquals(folder.resolve("a.list.restored"), PlacedFile.decide(file, HELLO, false).place());
  }
}
