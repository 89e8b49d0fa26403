package io.bloomgate.blocklists.fleet.published;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

  private String refusal() {
    return String.valueOf(
        assertThrows(IOException.class, () -> stage.publish(stage.leader(), "192.0.2.1\n"))
            .getMessage());
  }

  @Test
  void aCounterThatCannotBeIsAClearSentenceAndNothingIsPublished() throws IOException {
    stage.publish(stage.leader(), "192.0.2.1\n");
    Path counter = folder.resolve("leader/counter");
    for (String damage : List.of("999999999999999998", "none", "", "9".repeat(200))) {
      Files.writeString(counter, damage);
      String why = refusal();
      assertTrue(why.startsWith(counter + " is damaged (") && why.contains("remove it"), why);
    }
    Files.delete(counter);
    stage.publish(stage.leader(), "192.0.2.2\n");
    Follower follower = stage.follower();
    follower.look();
    assertEquals("192.0.2.2\n", stage.text(follower));
  }

  @Test
  void aDamagedCounterOfAFollowerTakesNothingAndAlarms() throws IOException {
    stage.publish(stage.leader(), "192.0.2.1\n");
    stage.follower();
    Files.writeString(folder.resolve("follower/counter"), "none");
    Follower follower = stage.follower();
    follower.look();
    assertTrue(follower.manifest().isEmpty());
    assertEquals(1, stage.alarms.size());
    assertTrue(stage.alarms.getFirst().contains("remove it"), stage.alarms::toString);
  }

  @Test
  @Timeout(20)
  void aPipeInThePlaceOfAFileKeepsNobody() throws Exception {
    Publisher leader = stage.leader();
    stage.publish(leader, "192.0.2.1\n");
    for (String name : List.of("manifest.json", "manifest.sig")) {
      Path file = stage.published.resolve(name);
      Files.delete(file);
      Process made = new ProcessBuilder("mkfifo", file.toString()).start();
      assertTrue(made.waitFor(5, SECONDS));
      stage.publish(leader, "192.0.2.2\n");
      assertTrue(Files.isRegularFile(file));
    }
  }

  @Test
  void whatNoLeaderWroteStaysAndLinksAreReplaced() throws IOException {
    Publisher leader = stage.leader();
    stage.publish(leader, "192.0.2.1\n");
    Path blobs = stage.published.resolve("blobs");
    Files.createDirectories(blobs.resolve("x/y"));
    Files.createDirectories(blobs.resolve("a".repeat(64)).resolve("y"));
    Files.writeString(blobs.resolve("notes.txt"), "mine");
    Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "mine");
    Path foreign = Files.createSymbolicLink(blobs.resolve("b".repeat(64)), elsewhere);
    Path own =
        stage.published("blobs").stream()
            .filter(Files::isRegularFile)
            .filter(file -> file.getFileName().toString().length() == 64)
            .filter(file -> !Files.isSymbolicLink(file))
            .findFirst()
            .orElseThrow();
    Files.delete(own);
    Files.createSymbolicLink(own, elsewhere);
    stage.publishAgain(leader, "192.0.2.1\n");
    assertTrue(Files.isRegularFile(own, LinkOption.NOFOLLOW_LINKS));
    for (int i = 2; i < 9; i++) {
      stage.publish(leader, "192.0.2." + i + "\n");
    }
    assertFalse(Files.exists(own), "no manifest names it");
    assertTrue(Files.exists(blobs.resolve("x/y")) && Files.exists(blobs.resolve("notes.txt")));
    assertTrue(Files.isSymbolicLink(foreign));
    assertEquals("mine", Files.readString(elsewhere));
  }

  @Test
  void aFolderThatCannotBeWrittenIsASentence() throws IOException {
    Path parent = folder.resolve("published");
    Files.writeString(parent, "a file");
    assertEquals(parent + " is no folder; move it away", refusal());
    Files.delete(parent);
    Files.createDirectory(parent);
    Files.createSymbolicLink(parent.resolve("blobs"), folder);
    assertEquals(parent.resolve("blobs") + " is no folder; move it away", refusal());
    Files.delete(parent.resolve("blobs"));
    stage.publish(stage.leader(), "192.0.2.1\n");
  }

  @Test
  void aLastVersionThatSomebodyDamagedStopsNothing() throws IOException {
    Publisher leader = stage.leader();
    stage.publish(leader, "192.0.2.1\n");
    Path blob = stage.published("blobs").getFirst();
    Files.write(blob, new byte[] {1, 2, 3});
    stage.publish(leader, "192.0.2.1\n192.0.2.2\n");
    Follower follower = stage.follower();
    follower.look();
    assertEquals("192.0.2.1\n192.0.2.2\n", stage.text(follower));
    Files.write(blob, new byte[] {1, 2, 3});
    stage.publish(stage.leader(), "192.0.2.1\n");
    follower.look();
    assertEquals("192.0.2.1\n", stage.text(follower), "written again");
  }
}
