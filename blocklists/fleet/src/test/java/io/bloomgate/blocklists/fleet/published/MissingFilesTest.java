package io.bloomgate.blocklists.fleet.published;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the leader signed is in order, and the files that it names are not. */
class MissingFilesTest {

  @TempDir Path folder;

  private PublishedStage stage;
  private Publisher leader;
  private Follower follower;

  @BeforeEach
  void begin() throws IOException {
    stage = new PublishedStage(folder);
    leader = stage.leader();
    follower = stage.follower();
  }

  @AfterEach
  void end() {
    stage.close();
  }

  /** The leader goes on for this number of intervals, and something takes the files away. */
  private boolean withoutFiles(int intervals) throws IOException {
    boolean last = false;
    for (int i = 0; i < intervals; i++) {
      stage.nanos += PublishedStage.EVERY.toNanos();
      stage.publishAgain(leader, "192.0.2.1\n");
      remove();
      last = follower.look();
    }
    return last;
  }

  private void remove() throws IOException {
    for (Path list : stage.lists()) {
      Files.delete(list);
    }
  }

  @Test
  void aFeedWhoseFileIsMissingForThreeIntervalsIsFetchedHere() throws IOException {
    stage.publish(leader, "192.0.2.1\n");
    remove();
    assertTrue(follower.look());
    String why = stage.text(follower);
    assertTrue(why.contains("/lists/hosts."), why);
    withoutFiles(2);
    assertTrue(follower.leads("hosts"), "two intervals may be a slow copy");
    assertEquals(List.of(), stage.alarms);
    assertTrue(withoutFiles(1));
    assertFalse(follower.leads("hosts"));
    assertTrue(follower.isLed(), "the other feeds still come from the leader");
    assertEquals(1, stage.alarms.size(), stage.alarms::toString);
    String alarm = stage.alarms.getFirst();
    assertTrue(alarm.contains("feed hosts") && alarm.contains("/lists/hosts."), alarm);
    assertEquals(alarm, "fleet: " + follower.problem());
  }

  @Test
  void theLeaderIsFollowedAgainWhenTheFileIsThere() throws IOException {
    stage.publish(leader, "192.0.2.1\n");
    remove();
    follower.look();
    stage.text(follower);
    withoutFiles(4);
    assertFalse(follower.leads("hosts"));
    stage.nanos += 4 * PublishedStage.EVERY.toNanos();
    stage.publishAgain(leader, "192.0.2.1\n");
    assertTrue(follower.look());
    assertTrue(follower.leads("hosts"));
    assertEquals("", follower.problem());
    assertEquals("192.0.2.1\n", stage.text(follower));
  }

  @Test
  void aDamagedFileIsNamedAndAnotherVersionIsTriedAtOnce() throws IOException {
    stage.publish(leader, "192.0.2.1\n");
    Path list = stage.lists().getFirst();
    Files.write(list, new byte[(int) Files.size(list)]);
    follower.look();
    String why = stage.text(follower);
    assertTrue(why.contains(list.getFileName().toString()), why);
    for (int i = 0; i < 4; i++) {
      stage.nanos += PublishedStage.EVERY.toNanos();
      stage.publishAgain(leader, "192.0.2.1\n");
      follower.look();
    }
    assertFalse(follower.leads("hosts"));
    stage.publish(leader, "192.0.2.2\n");
    assertTrue(follower.look());
    assertTrue(follower.leads("hosts"));
  }
}
