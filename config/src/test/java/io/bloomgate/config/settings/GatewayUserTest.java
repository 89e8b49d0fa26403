package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.GatewayUser.Closed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps the gateway's user from files that belong to another user. */
class GatewayUserTest {

  @TempDir Path temporary;

  private Path top = Path.of("");
  private final GatewayUser stranger =
      new GatewayUser("bloomgate", "bloomgate", Set.of("bloomgate"));

  @BeforeEach
  void openTheFolder() throws IOException {
    top = temporary.toRealPath();
    permit(top, "rwxr-xr-x");
  }

  private static Path permit(Path file, String mode) throws IOException {
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private Path file(String name, String mode) throws IOException {
    return permit(Files.createFile(top.resolve(name)), mode);
  }

  private static Optional<Closed> certainly(String remedy) {
    return Optional.of(new Closed(true, remedy));
  }

  @Test
  void aKeyOfAnotherUserIsClosed() throws IOException {
    Path key = file("a.key", "rw-------");
    assertEquals(
        certainly("chgrp bloomgate " + key + "; chmod g+r " + key), stranger.closed(List.of(key)));
    assertEquals(Optional.empty(), stranger.closed(List.of(file("open.pem", "rw-r--r--"))));
  }

  @Test
  void rootReadsEverything() throws IOException {
    Path key = file("a.key", "---------");
    assertEquals(
        Optional.empty(), new GatewayUser("root", "root", Set.of("root")).closed(List.of(key)));
  }

  @Test
  void ownersAndGroupsHaveTheirOwnBits() throws IOException {
    Path key = file("a.key", "rw-r-----");
    String group = Files.getAttribute(key, "posix:group").toString();
    GatewayUser owner = new GatewayUser("own er", "own", Set.of(group));
    assertEquals(Optional.empty(), owner.closed(List.of(key)));
    permit(key, "rw-------");
    assertEquals(certainly("chmod g+r " + key), owner.closed(List.of(key)));
  }

  /** As certbot has its files: two folders are closed, and the file is behind a link. */
  @Test
  void allClosedFoldersOnTheWayAreNamedAtOnce() throws IOException {
    Path archive = Files.createDirectory(top.resolve("archive"));
    Path live = Files.createDirectory(top.resolve("live"));
    Path key = file("archive/it's key1.pem", "rw-------");
    Path link = Files.createSymbolicLink(live.resolve("key.pem"), key);
    permit(archive, "rwx------");
    permit(live, "rwx------");
    String word = "'" + top + "/archive/it'\\''s key1.pem'";
    assertEquals(
        certainly(
            ("chgrp bloomgate " + archive + " " + live + " " + word)
                + ("; chmod g+x " + archive + " " + live + "; chmod g+r " + word)),
        stranger.closed(List.of(link)));
  }

  /** The bits of the group are those of an access list where there is one: it may permit more. */
  @Test
  void whereAnAccessListMayPermitItNothingIsCertain() throws IOException {
    Path key = file("a.key", "rw-r-----");
    assertFalse(stranger.closed(List.of(key)).orElseThrow().certain());
    permit(key, "rw--w----");
    assertTrue(stranger.closed(List.of(key)).orElseThrow().certain());
  }

  @Test
  void aFolderOfListsMustBeReadable() throws IOException {
    Path lists = permit(Files.createDirectory(top.resolve("lists")), "rwx--x--x");
    assertEquals(
        certainly("chgrp bloomgate " + lists + "; chmod g+rx " + lists),
        stranger.closed(List.of(lists)));
  }

  @Test
  void writingNeedsMoreThanReading() throws IOException {
    assertFalse(stranger.mayWriteIn(top));
    permit(top, "rwxrwxrwx");
    assertTrue(stranger.mayWriteIn(top));
    assertTrue(stranger.mayWriteIn(top.resolve("missing")), "nothing is known");
  }

  @Test
  void theUserOfThisProcessIsTheOwnerOfItsFiles() throws IOException {
    String owner = Files.getOwner(top).getName();
    GatewayUser.ofProcess().ifPresent(user -> assertEquals(owner, user.name()));
    assertEquals(
        owner.equals("root") ? Optional.empty() : Optional.of(owner), // root owns both
        GatewayUser.of(top, top).map(GatewayUser::name));
  }
}
