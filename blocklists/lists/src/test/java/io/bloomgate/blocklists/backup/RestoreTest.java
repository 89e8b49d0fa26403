package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state comes back as it was, and the old one stays in a folder of it. */
class RestoreTest {

  @TempDir Path folder;
  private BackupFixture fixture = new BackupFixture(Path.of(""));
  private Map<String, String> saved = Map.of();

  @BeforeEach
  void backUp() throws IOException {
    fixture = new BackupFixture(folder);
    fixture.state("lock", "");
    fixture.state("answers", "remembered");
    fixture.state("provider-networks.txt", "192.0.2.0/24\n");
    fixture.state("feeds/drop/versions/3/part-0000", "203.0.113.7\n");
    fixture.state("feeds/drop/versions/3/version.json", "{}");
    fixture.state("feeds/drop/good/3.entries", "held");
    saved = BackupFixture.files(fixture.stateDir());
    fixture.state("feeds/drop/incoming/part-0000", "half");
    fixture.backup(fixture.settings(""), false, false);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void theStateIsReplacedAndTheOldOneStaysInside() throws IOException {
    fixture.state("answers", "newer");
    Map<String, String> old = BackupFixture.files(fixture.stateDir());
    Files.setPosixFilePermissions(fixture.stateDir(), PosixFilePermissions.fromString("rwxr-x--x"));
    Path before = fixture.restore().orElseThrow();
    assertEquals(saved, BackupFixture.files(fixture.stateDir()));
    assertEquals(old, BackupFixture.files(before));
    assertEquals("before-restore-20261124T120000Z", before.getFileName().toString());
    assertEquals(
        "rwxr-x--x",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(fixture.stateDir())));
    Path answers = fixture.stateDir().resolve("answers");
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(answers)));
    assertEquals(
        "before-restore-20261124T120000Z-2",
        fixture.restore().orElseThrow().getFileName().toString());
  }

  /** The backup has no keys; a link may lead to a file that its maker may not read. */
  @Test
  void theGatewaysOwnCertificateStays() throws IOException {
    fixture.state("self-signed.pem", "key");
    fixture.restore();
    Path own = fixture.stateDir().resolve("self-signed.pem");
    assertEquals("key", Files.readString(own));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(own)));
    Files.delete(own);
    Files.createSymbolicLink(own, fixture.archive());
    fixture.restore();
    assertFalse(Files.exists(own));
  }

  /** As root restores for the gateway's user. */
  @Test
  void whatIsRestoredBelongsToWhoHadTheState() throws IOException {
    UserPrincipal other;
    try {
      other =
          folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
      Files.setOwner(fixture.stateDir(), other);
    } catch (IOException e) {
      Assumptions.abort("only root can give files away, where there is a user `nobody`");
      return;
    }
    fixture.restore();
    try (Stream<Path> all = Files.walk(fixture.stateDir())) {
      for (Path path : all.filter(path -> !path.toString().contains("/before-restore-")).toList()) {
        assertEquals(other, Files.getOwner(path), path.toString());
      }
    }
    assertTrue(Files.exists(fixture.stateDir().resolve(StateLock.FILE_NAME)));
  }

  /** As the volume of a container, which cannot be renamed. */
  @Test
  void theDirectoryItselfStays() throws IOException {
    Object directory = Files.getAttribute(fixture.stateDir(), "unix:ino");
    fixture.restore();
    assertEquals(directory, Files.getAttribute(fixture.stateDir(), "unix:ino"));
    DurableFiles.deleteTree(fixture.stateDir());
    Files.createDirectory(fixture.stateDir());
    assertTrue(fixture.restore().isEmpty());
    assertEquals(saved, BackupFixture.files(fixture.stateDir()));
  }

  @Test
  void aRestoreThatFailsChangesNothing() throws IOException {
    fixture.state("answers", "newer");
    Map<String, String> old = BackupFixture.files(fixture.stateDir());
    Archive.Contents contents = Archive.check(fixture.archive());
    byte[] whole = Files.readAllBytes(fixture.archive());
    Files.write(fixture.archive(), Arrays.copyOf(whole, whole.length - 30));
    assertThrows(
        ArchiveException.class,
        () ->
            Restore.run(
                fixture.archive(), contents.manifest(), fixture.stateDir(), BackupFixture.NOW));
    assertEquals(old, BackupFixture.files(fixture.stateDir()));
    assertEquals(List.of("backup.tar.gz", "bloomgate.yaml", "state"), names());
  }

  /** What a kill leaves while old files are moved away, or new ones to their places. */
  @Test
  void theNextRestoreFindsWholeStatesWhereverOneWasCutOff() throws IOException {
    Path old = folder.resolve("old");
    Files.move(fixture.stateDir(), old);
    Files.writeString(old.resolve("answers"), "newer");
    Files.writeString(old.resolve("only-old"), "kept");
    Map<String, String> oldFiles = BackupFixture.files(old);
    fixture.restore();
    Path fresh = folder.resolve("fresh");
    Files.move(fixture.stateDir(), fresh);
    int oldNames = Backup.matching(old, "*").size();
    int newNames = Backup.matching(fresh, "*").size();
    for (int moved = 0; moved <= oldNames + newNames + 1; moved++) {
      fixture.state("lock", "");
      Path before = fixture.stateDir().resolve("restore.old");
      if (moved > oldNames) {
        before = fixture.stateDir().resolve("before-restore-20260101T000000Z");
      }
      copy(old, before, 0, moved);
      copy(old, fixture.stateDir(), moved, oldNames);
      copy(fresh, fixture.stateDir(), 0, moved - oldNames - 1);
      copy(fresh, fixture.stateDir().resolve(StateLock.RESTORING), moved - oldNames - 1, newNames);
      fixture.restore();
      assertEquals(saved, BackupFixture.files(fixture.stateDir()), "moved " + moved);
      List<Map<String, String>> asides = new ArrayList<>();
      for (Path aside : Backup.matching(fixture.stateDir(), "before-restore-*")) {
        asides.add(BackupFixture.files(aside));
        DurableFiles.deleteTree(aside);
      }
      assertEquals(List.of(oldFiles, saved), asides, "moved " + moved);
      assertFalse(Files.exists(fixture.stateDir().resolve(StateLock.RESTORING)));
      assertFalse(Files.exists(fixture.stateDir().resolve("restore.old")));
      DurableFiles.deleteTree(fixture.stateDir());
    }
  }

  /** Copies some of the files and folders in a folder, by their order. */
  private static void copy(Path from, Path to, int first, int end) throws IOException {
    Files.createDirectories(to);
    List<Path> names = Backup.matching(from, "*");
    for (Path top : names.stream().limit(Math.max(0, end)).skip(Math.max(0, first)).toList()) {
      try (Stream<Path> all = Files.walk(top)) {
        for (Path path : all.toList()) {
          Files.copy(path, to.resolve(from.relativize(path)), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /** Or the nightly backup takes the place of a whole one. */
  @Test
  void aPartOfAStateIsNotBackedUp() throws IOException {
    byte[] whole = Files.readAllBytes(fixture.archive());
    fixture.state("restoring/answers", "half");
    ArchiveException refused =
        assertThrows(
            ArchiveException.class, () -> fixture.backup(fixture.settings(""), false, false));
    assertTrue(refused.sentence().contains("was cut off"), refused.sentence());
    assertArrayEquals(whole, Files.readAllBytes(fixture.archive()));
  }

  /** The old state was about to be moved, and is in its place. */
  @Test
  void aKillBeforeTheFirstMoveChangesNothing() throws IOException {
    Files.createDirectory(fixture.stateDir().resolve("restore.old"));
    fixture.state("answers", "newer");
    Map<String, String> old = BackupFixture.files(fixture.stateDir());
    Path before = fixture.restore().orElseThrow();
    assertEquals(old, BackupFixture.files(before));
    assertEquals(saved, BackupFixture.files(fixture.stateDir()));
  }

  @Test
  void aStateInUseIsLeftAlone() throws IOException {
    try (StateLock _ = StateLock.take(fixture.stateDir()).orElseThrow()) {
      ArchiveException refused = assertThrows(ArchiveException.class, fixture::restore);
      assertTrue(refused.sentence().contains("a gateway runs on"), refused.sentence());
      assertFalse(Files.exists(fixture.stateDir().resolve("restore.new")));
    }
  }

  /** What a kill leaves while the archive is unpacked: the old state is in its place. */
  @Test
  void whatAKilledRestoreLeftIsTidiedUp() throws IOException {
    fixture.state("restore.new/answers", "half");
    Path before = fixture.restore().orElseThrow();
    assertEquals(saved, BackupFixture.files(fixture.stateDir()));
    assertFalse(Files.exists(before.resolve("restore.new")));
  }

  /** The settings may name the home of a user. */
  @Test
  void aFolderWithOtherFilesIsNoStateDirectory() throws IOException {
    Path home = folder.resolve("home");
    Restore.requireReplaceable(home);
    Files.createDirectory(home);
    Restore.requireReplaceable(home);
    Files.createDirectory(home.resolve(".ssh"));
    ArchiveException refused =
        assertThrows(ArchiveException.class, () -> Restore.requireReplaceable(home));
    assertTrue(refused.sentence().contains("name it with -c"), refused.sentence());
    Restore.requireReplaceable(fixture.stateDir());
  }

  /** The archive names what is left out, and has nothing of it. */
  @Test
  void filesWithKeysAreTakenOnlyWhenAskedFor() throws IOException {
    Path key = folder.resolve("dqs.key");
    Path list = folder.resolve("allow.list");
    Files.writeString(key, "abcdefgh");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(list, "good.example\n");
    fixture.state("self-signed.pem", "KEY");
    Settings settings =
        fixture.settings(
            """
            allow: {files: [FOLDER/*.list]}
            feeds: {sources: {zen: {dns: zen.dq.spamhaus.net, key_file: FOLDER/dqs.key}}}
            """
                .replace("FOLDER", folder.toString()));
    Backup.Done without = fixture.backup(settings, false, false);
    Archive.Contents contents = Archive.check(fixture.archive());
    assertEquals(
        List.of(
            key + " (feeds.sources.zen.key_file)",
            fixture.stateDir().resolve("self-signed.pem") + " (the gateway's own certificate)"),
        without.leftOut());
    assertTrue(
        contents.members().stream().noneMatch(m -> m.name().matches(".*(key|pem)")),
        contents.toString());
    Backup.Done with = fixture.backup(settings, false, true);
    assertEquals(List.of(), with.leftOut());
    Map<String, String> elsewhere = new TreeMap<>();
    Archive.read(
        fixture.archive(),
        (name, content) -> elsewhere.put(name, new String(content.readAllBytes(), UTF_8)));
    assertEquals("abcdefgh", elsewhere.get("secrets" + key));
    assertEquals("good.example\n", elsewhere.get("files" + list));
    fixture.restore();
    assertEquals("KEY", Files.readString(fixture.stateDir().resolve("self-signed.pem")));
    assertFalse(Files.exists(fixture.stateDir().resolve("secrets")));
  }
}
