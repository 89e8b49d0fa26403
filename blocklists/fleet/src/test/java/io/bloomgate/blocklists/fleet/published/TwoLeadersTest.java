package io.bloomgate.blocklists.fleet.published;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes that both think that they lead: the numbers of a lease are above those of the leases
 * before, whatever clock the one has that was replaced.
 */
class TwoLeadersTest {

  /** Leases are numbered by the clock of Redis, in milliseconds. */
  private static final long LEASE = 1_795_974_112_700L;

  @TempDir Path folder;

  private PublishedStage stage;
  private Publisher first;
  private Publisher second;

  @BeforeEach
  void begin() throws IOException {
    stage = new PublishedStage(folder);
    first = stage.leader("key");
    second = stage.leader("key");
  }

  @AfterEach
  void end() {
    stage.close();
  }

  private void publish(Publisher leader, long term, String text) throws IOException {
    stage.term = term;
    stage.publish(leader, text);
  }

  @Test
  void aLeaderThatWasReplacedPublishesNothingOverTheNewOne() throws IOException {
    Follower follower = stage.follower();
    publish(first, LEASE, "192.0.2.1\n");
    follower.look();
    publish(second, LEASE + 15_000, "192.0.2.2\n");
    follower.look();
    stage.clock = stage.clock.plus(Duration.ofDays(1));
    IOException why = assertThrows(IOException.class, () -> publish(first, LEASE, "192.0.2.3\n"));
    assertTrue(
        String.valueOf(why.getMessage()).contains("lease 1795974112700 of this node has ended"));
    assertFalse(follower.look());
    assertEquals("192.0.2.2\n", stage.text(follower));
    publish(first, LEASE + 30_000, "192.0.2.4\n");
    follower.look();
    assertEquals("192.0.2.4\n", stage.text(follower), "it leads again");
  }

  /** Both wrote at the same moment, or a copy of the folder is late. */
  @Test
  void aFollowerRefusesWhatAReplacedLeaderWroteWithALaterCounter() throws IOException {
    Follower follower = stage.follower();
    publish(first, LEASE, "192.0.2.1\n");
    follower.look();
    stage.clock = stage.clock.plus(Duration.ofDays(1));
    publish(first, LEASE, "192.0.2.3\n");
    Path late = Files.move(stage.sums(), folder.resolve("late"));
    stage.clock = PublishedStage.NOW;
    publish(second, LEASE + 15_000, "192.0.2.2\n");
    assertTrue(follower.look(), "its clock is a day behind, its lease is later");
    assertEquals("192.0.2.2\n", stage.text(follower));
    Files.copy(late, stage.sums(), StandardCopyOption.REPLACE_EXISTING);
    for (Follower one : List.of(follower, stage.follower())) {
      one.look();
      assertTrue(one.problem().contains("number 1795974127700 was seen before"), one.problem());
      assertEquals("192.0.2.2\n", stage.text(one), "also after a restart");
    }
    for (Path list : stage.lists()) {
      Files.delete(list);
    }
    stage.publishAgain(second, "192.0.2.2\n");
    follower.look();
    assertEquals("192.0.2.2\n", stage.text(follower), "what the other one removed is there again");
  }

  @Test
  void aLeaderOfTheSettingsIsTakenByItsCounter() throws IOException {
    Follower follower = stage.follower();
    publish(first, LEASE, "192.0.2.1\n");
    follower.look();
    publish(second, 0, "192.0.2.2\n");
    follower.look();
    assertEquals("192.0.2.2\n", stage.text(follower), "fleet.role became leader");
    publish(first, LEASE + 15_000, "192.0.2.3\n");
    follower.look();
    assertEquals("192.0.2.3\n", stage.text(follower), "and auto again");
  }
}
