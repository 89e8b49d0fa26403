package io.bloomgate.cli.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.backup.Archive.Member;
import io.bloomgate.cli.backup.PlacedFile.How;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    "/etc/bloomgate-none, /etc/bloomgate-none/a.list, true",
    "/etc/bloomgate-none, /etc/cron.d/bloomgate-none, false",
    "/etc, /etc/cron.d/bloomgate-none, false",
    "/, /bloomgate-none, false",
    "/home/none, /home/none/.ssh/authorized_keys, false"
  })
  void onlyPlainFilesBelowTheSettingsAreWritten(Path settings, Path target, boolean own)
      throws IOException {
    assertEquals(own, PlacedFile.isOwn(target, settings));
    Member member = new Member("files" + target, 5, HELLO);
    Path file = settings.resolve("bloomgate.yaml");
    assertEquals(
        List.of(new PlacedFile(member, target, own ? How.WRITTEN : How.LEFT)),
        PlacedFile.all(List.of(member), file, true));
  }

  private PlacedFile settings(boolean force) throws IOException {
    Member member = new Member("settings.yaml", 5, HELLO);
    return PlacedFile.all(List.of(member), folder.resolve("a.yaml"), force).getFirst();
  }

  @Test
  void anotherFileIsReplacedOnlyWithForce() throws IOException {
    Path file = folder.resolve("a.yaml");
    assertEquals(How.WRITTEN, settings(false).how());
    Files.writeString(file, "hello");
    assertEquals(How.SAME, settings(true).how());
    Files.writeString(file, "other");
    assertEquals(How.WRITTEN, settings(true).how());
    assertEquals(folder.resolve("a.yaml.restored"), settings(false).place());
  }
}
