package io.bloomgate.blocklists.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no whole backup is refused before anything is written. */
class ArchiveReaderTest {

  @TempDir Path folder;
  private BackupFixture fixture = new BackupFixture(Path.of(""));

  @BeforeEach
  void backUp() throws IOException {
    fixture = new BackupFixture(folder);
    fixture.state("answers", "remembered");
    fixture.state("feeds/drop/versions/3/part-0000", "203.0.113.7\n".repeat(20));
    fixture.backup(fixture.settings(""), false, false);
  }

  private String refusal() {
    return assertThrows(ArchiveException.class, () -> Archive.check(fixture.archive())).sentence();
  }

  @Test
  void aCutArchiveIsRefusedWhereverItIsCut() throws IOException {
    byte[] whole = Files.readAllBytes(fixture.archive());
    for (int octets = 0; octets < whole.length; octets++) {
      Files.write(fixture.archive(), Arrays.copyOf(whole, octets));
      assertTrue(refusal().matches("(?s).*(cut|no backup|damaged).*"), refusal());
    }
  }

  /** Some bits of gzip say nothing about the content: the time, the system, what fills an octet. */
  @Test
  void anArchiveWithOneChangedBitIsRefusedOrHasTheSameContent() throws IOException {
    byte[] whole = Files.readAllBytes(fixture.archive());
    Archive.Contents contents = Archive.check(fixture.archive());
    int refused = 0;
    for (int octet = 0; octet < whole.length; octet++) {
      byte[] flipped = whole.clone();
      flipped[octet] ^= (byte) (1 << octet % Byte.SIZE);
      Files.write(fixture.archive(), flipped);
      try {
        assertEquals(contents, Archive.check(fixture.archive()), "octet " + octet);
      } catch (ArchiveException e) {
        refused++;
      }
    }
    assertTrue(refused > whole.length - 20, refused + " of " + whole.length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/etc/cron.d/x",
        "state/../../x",
        "state/..",
        "state/./x",
        "state//x",
        "../x",
        "files/../x",
        "other/x",
        "state/a\nb",
        "state/native/libnetty_tcnative.so"
      })
  void aNameThatLeadsElsewhereIsRefused(String name) throws IOException {
    BackupFixture.hostile(
        fixture.archive(),
        tar -> {
          BackupFixture.member(tar, "manifest.json", BackupFixture.manifest(1));
          BackupFixture.member(tar, name, new byte[3]);
        });
    assertTrue(refusal().contains("is refused: a member "), refusal());
  }

  @ParameterizedTest
  @ValueSource(
      bytes = {
        TarConstants.LF_SYMLINK,
        TarConstants.LF_LINK,
        TarConstants.LF_DIR,
        TarConstants.LF_FIFO,
        TarConstants.LF_CHR
      })
  void whatIsNoPlainFileIsRefused(byte kind) throws IOException {
    BackupFixture.hostile(
        fixture.archive(),
        tar -> {
          BackupFixture.member(tar, "manifest.json", BackupFixture.manifest(1));
          TarArchiveEntry link = new TarArchiveEntry("state/answers", kind);
          link.setLinkName("/etc");
          tar.putArchiveEntry(link);
          tar.closeArchiveEntry();
        });
    assertTrue(refusal().contains("is refused: a member "), refusal());
  }

  /** Its members may be of kinds that are not known here. */
  @Test
  void aLaterFormatIsRefusedInWords() throws IOException {
    BackupFixture.hostile(
        fixture.archive(),
        tar -> {
          BackupFixture.member(tar, "manifest.json", BackupFixture.manifest(2));
          BackupFixture.member(tar, "new-room/x", new byte[3]);
        });
    assertEquals(
        fixture.archive()
            + " was written by another Bloomgate (9.9.9, format 2); this one knows format 1:"
            + " restore it with that release",
        refusal());
  }

  @Test
  void whatIsNoBackupIsRefused() throws IOException {
    Files.writeString(fixture.archive(), "hello");
    assertTrue(refusal().contains("is no backup"), refusal());
    BackupFixture.hostile(
        fixture.archive(), tar -> BackupFixture.member(tar, "readme", new byte[3]));
    assertTrue(refusal().contains("is no backup"), refusal());
  }
}
