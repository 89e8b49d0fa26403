package io.bloomgate.blocklists.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
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
    return assertThrows(ArchiveException.class, () -> Restore.check(fixture.archive())).sentence();
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
    ArchiveManifest manifest = Restore.check(fixture.archive()).manifest();
    int refused = 0;
    for (int octet = 0; octet < whole.length; octet++) {
      byte[] flipped = whole.clone();
      flipped[octet] ^= (byte) (1 << octet % Byte.SIZE);
      Files.write(fixture.archive(), flipped);
      try {
        assertEquals(manifest, Restore.check(fixture.archive()).manifest(), "octet " + octet);
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
        "state/a\nb"
      })
  void aNameThatLeadsElsewhereIsRefused(String name) throws IOException {
    BackupFixture.hostile(
        fixture.archive(),
        tar -> {
          BackupFixture.member(tar, "bloomgate-backup", BackupFixture.mark(1));
          BackupFixture.member(tar, name, new byte[3]);
        });
    assertTrue(refusal().contains("is refused: a member "), refusal());
  }

  /** A restore as root must not fill the home of a user, nor bring the marks of a restore. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "state/.ssh/authorized_keys",
        "state/.profile",
        "state/evil",
        "state/lock",
        "state/restoring",
        "state/restore-cut-off",
        "state/.restoring/x",
        "state/restored-files/secrets/etc/x",
        "state/answers/x",
        "state/feeds/../versions/1/x",
        "state/feeds/drop/versions/1/.x"
      })
  void aNameThatNoBackupWritesIsRefused(String name) throws IOException {
    BackupFixture.hostile(
        fixture.archive(),
        tar -> {
          BackupFixture.member(tar, "bloomgate-backup", BackupFixture.mark(1));
          BackupFixture.member(tar, name, new byte[3]);
        });
    assertTrue(refusal().contains("is refused: a member "), refusal());
  }

  /** The library reads long names and extended headers into memory. */
  @ParameterizedTest
  @ValueSource(bytes = {TarConstants.LF_GNUTYPE_LONGNAME, TarConstants.LF_PAX_EXTENDED_HEADER_LC})
  void aHeaderThatIsTooLargeIsRefused(byte kind) throws IOException {
    byte[] large = new byte[1 << 20];
    Arrays.fill(large, (byte) 'a');
    byte[] length = (large.length + " path=").getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(length, 0, large, 0, length.length);
    large[large.length - 1] = '\n';
    BackupFixture.hostile(
        fixture.archive(),
        tar -> {
          BackupFixture.member(tar, "bloomgate-backup", BackupFixture.mark(1));
          TarArchiveEntry header = new TarArchiveEntry("././@LongLink", kind);
          header.setSize(large.length);
          tar.putArchiveEntry(header);
          tar.write(large);
          tar.closeArchiveEntry();
          BackupFixture.member(tar, "state/answers", new byte[3]);
        });
    assertTrue(refusal().contains("name and header have more than 65536 octets"), refusal());
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
          BackupFixture.member(tar, "bloomgate-backup", BackupFixture.mark(1));
          TarArchiveEntry link = new TarArchiveEntry("state/answers", kind);
          link.setLinkName("/etc");
          tar.putArchiveEntry(link);
          tar.closeArchiveEntry();
        });
    assertTrue(refusal().contains("is refused: a member "), refusal());
  }

  @Test
  void aMemberThatIsThereTwiceIsRefused() throws IOException {
    BackupFixture.hostile(
        fixture.archive(),
        tar -> {
          BackupFixture.member(tar, "bloomgate-backup", BackupFixture.mark(1));
          BackupFixture.member(tar, "state/answers", new byte[3]);
          BackupFixture.member(tar, "state/answers", new byte[3]);
        });
    assertTrue(refusal().contains("is there twice"), refusal());
  }

  @Test
  void aSizeBeyondTheBoundIsRefused() throws IOException {
    BackupFixture.hostile(
        fixture.archive(),
        tar -> {
          BackupFixture.member(tar, "bloomgate-backup", BackupFixture.mark(1));
          tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
          TarArchiveEntry huge = new TarArchiveEntry("state/operator.db");
          huge.setSize(ArchiveReader.MOST_OCTETS + 1);
          tar.putArchiveEntry(huge);
          throw new BackupFixture.CutException();
        });
    assertTrue(refusal().contains("larger than a backup may be"), refusal());
  }

  /** Its members may be of kinds that are not known here. */
  @Test
  void aLaterFormatIsRefusedInWords() throws IOException {
    BackupFixture.hostile(
        fixture.archive(),
        tar -> {
          BackupFixture.member(tar, "bloomgate-backup", BackupFixture.mark(2));
          BackupFixture.member(tar, "new-room/x", new byte[3]);
        });
    assertEquals(
        fixture.archive()
            + " was written by a later Bloomgate (9.9.9, format 2); this one knows format 1:"
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

  @Test
  void aRefusedArchiveChangesNothing() throws IOException {
    Map<String, String> before = BackupFixture.files(fixture.stateDir());
    byte[] whole = Files.readAllBytes(fixture.archive());
    Restore.Contents contents = Restore.check(fixture.archive());
    Files.write(fixture.archive(), Arrays.copyOf(whole, whole.length / 2));
    assertThrows(
        ArchiveException.class,
        () -> Restore.run(fixture.archive(), contents, fixture.stateDir(), BackupFixture.NOW));
    assertEquals(before, BackupFixture.files(fixture.stateDir()));
    assertTrue(Files.notExists(folder.resolve("state.restoring")));
  }
}
