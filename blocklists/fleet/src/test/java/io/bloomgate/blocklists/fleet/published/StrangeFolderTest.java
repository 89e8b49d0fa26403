package io.bloomgate.blocklists.fleet.published;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody else put something into the folder of the leader, or took it away. */
class StrangeFolderTest {

  @TempDir Path folder;

  private PublishedStage stage;

  @BeforeEach
  void begin() throws IOException {
    stage = new PublishedStage(folder);
  }

  @AfterEach
  void end() {
    stage.close();
  }

  @Test
  void aPipeInThePlaceOfAFileKeepsNobody() throws Exception {
    Publisher leader = stage.leader();
    stage.publish(leader, "192.0.2.1\n");
    for (Path file : List.of(stage.sums(), stage.lists().getFirst())) {
      pipe(file);
      stage.publishAgain(leader, "192.0.2.1\n");
      assertTrue(Files.isRegularFile(file));
    }
    pipe(stage.sums());
    Follower follower = stage.followerOfFolder();
    assertFalse(follower.look());
    assertTrue(follower.problem().contains("is a pipe"), follower.problem());
  }

  private static void pipe(Path file) throws Exception {
    Files.delete(file);
    assertTrue(new ProcessBuilder("mkfifo", file.toString()).start().waitFor(60, SECONDS));
  }

  @Test
  void whatNoLeaderWroteStaysAndLinksAreReplaced() throws IOException {
    Publisher leader = stage.leader();
    stage.publish(leader, "192.0.2.1\n");
    Path own = stage.lists().getFirst();
    Path in = stage.published;
    Files.createDirectories(in.resolve("x/y"));
    Files.createDirectories(in.resolve("hosts." + "a".repeat(64) + ".gz").resolve("y"));
    Files.writeString(in.resolve("notes.txt"), "mine");
    Files.writeString(in.resolve("notes.gz"), "mine");
    Path half = Files.writeString(in.resolve("hosts." + "c".repeat(64) + ".gz.tmp"), "half");
    Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "mine");
    Path foreign =
        Files.createSymbolicLink(in.resolve("hosts." + "b".repeat(64) + ".gz"), elsewhere);
    Files.delete(own);
    Files.createSymbolicLink(own, elsewhere);
    stage.publishAgain(leader, "192.0.2.1\n");
    assertTrue(Files.isRegularFile(own, LinkOption.NOFOLLOW_LINKS));
    for (int i = 2; i < 9; i++) {
      stage.publish(leader, "192.0.2." + i + "\n");
    }
    assertFalse(Files.exists(own), "nothing names it");
    assertFalse(Files.exists(half), "what a killed leader left");
    assertTrue(Files.exists(in.resolve("x/y")) && Files.exists(in.resolve("notes.txt")));
    assertTrue(Files.exists(in.resolve("notes.gz")));
    assertTrue(Files.isSymbolicLink(foreign));
    assertEquals("mine", Files.readString(elsewhere));
  }

  @Test
  void aFolderThatCannotBeMadeIsAFaultAndALinkToOneIsNone() throws IOException {
    Path parent = folder.resolve("published");
    Files.writeString(parent, "a file");
    assertThrows(FileSystemException.class, () -> stage.publish(stage.leader(), "192.0.2.1\n"));
    Files.delete(parent);
    Files.createDirectory(parent.resolveSibling("disk"));
    Files.createSymbolicLink(parent, parent.resolveSibling("disk"));
    stage.publish(stage.leader(), "192.0.2.1\n");
    assertTrue(Files.exists(folder.resolve("disk").resolve(ListSums.NAME)), "a link of the owner");
  }

  @Test
  void aLastVersionThatSomebodyDamagedStopsNothing() throws IOException {
    Publisher leader = stage.leader();
    stage.publish(leader, "192.0.2.1\n");
    Path list = stage.lists().getFirst();
    Files.write(list, new byte[] {1, 2, 3});
    stage.publishAgain(leader, "192.0.2.1\n");
    Follower follower = stage.follower();
    follower.look();
    assertEquals("192.0.2.1\n", stage.text(follower), "it has another size");
    stage.publish(leader, "192.0.2.1\n192.0.2.2\n");
    follower.look();
    assertEquals("192.0.2.1\n192.0.2.2\n", stage.text(follower));
    Files.write(list, new byte[] {1, 2, 3});
    stage.publish(stage.leader(), "192.0.2.1\n");
    follower.look();
    assertEquals("192.0.2.1\n", stage.text(follower), "written again");
  }
}
