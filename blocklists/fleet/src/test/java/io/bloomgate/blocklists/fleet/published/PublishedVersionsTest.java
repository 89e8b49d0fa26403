package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fetch.FetchResult.OfLeader;
import io.bloomgate.blocklists.format.DamagedFeedException;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.config.settings.SecretFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one node publishes and another takes, and what happens when somebody changes it between. */
class PublishedVersionsTest {

  @TempDir Path folder;

  private PublishedStage stage;
  private Publisher leader;

  @BeforeEach
  void begin() throws IOException {
    stage = new PublishedStage(folder);
    leader = stage.leader();
  }

  @AfterEach
  void end() {
    stage.close();
  }

  private void damage(Path file) throws IOException {
    byte[] octets = Files.readAllBytes(file);
    octets[octets.length / 2] ^= 0x11;
    Files.write(file, octets);
  }

  @Test
  void aFollowerGetsEveryVersionAndTakesNothingTwice() throws IOException {
    stage.publish(leader, "192.0.2.1\n");
    Follower follower = stage.follower();
    assertTrue(follower.look());
    assertEquals("192.0.2.1\n", stage.text(follower));
    String mark = PublishedStage.mark(follower);
    stage.publishAgain(leader, "192.0.2.1\n");
    assertFalse(follower.look(), "another number and the same lists");
    assertInstanceOf(FetchResult.NotModified.class, stage.fetch(follower, mark));
    assertFalse(follower.look());
    List<String> answers = List.copyOf(stage.web.answers);
    assertEquals("304 " + ListSums.NAME, answers.getLast());
    assertEquals(1, answers.stream().filter(answer -> answer.endsWith(".gz")).count());
    stage.publish(leader, "192.0.2.1\n192.0.2.2\n");
    assertTrue(follower.look());
    assertEquals("192.0.2.1\n192.0.2.2\n", stage.text(follower));
  }

  @Test
  void aFolderIsReadAsItIs() throws IOException {
    Follower follower = stage.followerOfFolder();
    assertFalse(follower.look(), "there is no folder yet");
    assertTrue(follower.problem().contains("check fleet.generations"), follower.problem());
    assertTrue(follower.isLed(), "the first one is waited for");
    stage.publish(leader, "192.0.2.1\n");
    assertTrue(follower.look());
    assertEquals("192.0.2.1\n", stage.text(follower));
    assertEquals("", follower.problem());
    assertFalse(follower.look());
  }

  @Test
  void partsStaySeparateAndOctetsAreThoseThatTheLeaderFetched() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n", "192.0.2.2", "192.0.2.3\n");
    follower.look();
    assertEquals("192.0.2.1\n|192.0.2.2|192.0.2.3\n", stage.text(follower));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("192.0.2.9\n".getBytes(UTF_8));
    }
    FeedContent content =
        new FeedContent(List.of(Files.write(folder.resolve("list.gz"), packed.toByteArray())));
    stage.publish(stage.leader(), content);
    follower.look();
    var taken = assertInstanceOf(FetchResult.Fetched.class, stage.fetch(follower, ""));
    assertEquals(content.sha256(), taken.content().sha256());
  }

  @Test
  void aDamagedFileGoesNowhere() throws IOException {
    stage.publish(leader, "192.0.2.1\n");
    for (Follower follower : List.of(stage.follower(), stage.followerOfFolder())) {
      follower.look();
      damage(stage.lists().getFirst());
      String message = stage.text(follower);
      assertTrue(message.contains("is not what SHA256SUMS there says"), message);
      damage(stage.lists().getFirst());
      assertEquals("192.0.2.1\n", stage.text(follower));
    }
  }

  @Test
  void whatTheLeaderDidNotSignIsRefusedAtOnce() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    follower.look();
    stage.publish(leader, "192.0.2.2\n");
    damage(stage.sums());
    assertFalse(follower.look());
    assertTrue(follower.problem().contains("is not signed by the key"), follower.problem());
    assertEquals("192.0.2.1\n", stage.text(follower), "the last good one stays");
    stage.key("other");
    Files.delete(stage.sums());
    stage.publish(stage.leader("other"), "192.0.2.3\n");
    assertFalse(follower.look());
    assertFalse(follower.look());
    assertEquals(1, stage.alarms.size(), stage.alarms::toString);
    assertTrue(stage.alarms.getFirst().contains("is not signed by the key"));
    stage.publish(leader, "192.0.2.4\n");
    assertTrue(follower.look());
    assertEquals("", follower.problem());
  }

  @Test
  void anOldOneIsRefusedAlsoAfterARestart() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    byte[] old = Files.readAllBytes(stage.sums());
    stage.publish(leader, "192.0.2.2\n");
    assertTrue(follower.look());
    Files.write(stage.sums(), old);
    for (Follower one : List.of(follower, stage.follower())) {
      one.look();
      assertTrue(one.problem().contains("was seen before: it is old"), one.problem());
      assertEquals("192.0.2.2\n", stage.text(one));
    }
  }

  @Test
  void aLeaderThatLostItsStateOrMovedIsAboveWhatWasSeen() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    stage.publish(leader, "192.0.2.2\n");
    follower.look();
    stage.publish(stage.leader("key"), "192.0.2.3\n");
    assertTrue(follower.look());
    assertEquals("192.0.2.3\n", stage.text(follower));
  }

  @Test
  void aLeaderThatIsAwayForADayIsGoneAndThatIsSaidOnce() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    follower.look();
    stage.nanos += Duration.ofSeconds(89).toNanos();
    assertFalse(follower.look());
    stage.nanos += Duration.ofSeconds(2).toNanos();
    assertTrue(follower.look());
    assertFalse(follower.isLed());
    stage.nanos += Duration.ofDays(1).toNanos();
    assertFalse(follower.look());
    assertEquals(1, stage.alarms.size(), stage.alarms::toString);
    assertTrue(
        stage.alarms.getFirst().contains("fetches its feeds itself"), stage.alarms::toString);
    stage.publishAgain(leader, "192.0.2.1\n");
    assertTrue(follower.look());
    assertTrue(follower.isLed());
    assertEquals(1, stage.alarms.size(), stage.alarms::toString);
  }

  @Test
  void aFeedThatTheLeaderCannotReachIsNoSuccessHere() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    follower.look();
    String mark = PublishedStage.mark(follower);
    assertInstanceOf(FetchResult.NotModified.class, stage.fetch(follower, mark));
    stage.checked = PublishedStage.NOW.minus(Duration.ofDays(2));
    stage.publishAgain(leader, "192.0.2.1\n");
    follower.look();
    FetchResult.Failed failed =
        assertInstanceOf(FetchResult.Failed.class, stage.fetch(follower, mark));
    assertTrue(failed.message().contains("mx1 has had no success"), failed::message);
  }

  @Test
  void whatTheLeaderDecidedTravelsWithAVersion() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    follower.look();
    String mark = PublishedStage.mark(follower);
    assertNull(decided(follower, "").accepted());
    stage.accepted = new Acceptance("root", PublishedStage.NOW, true);
    stage.publishAgain(leader, "192.0.2.1\n");
    assertTrue(follower.look());
    assertEquals(stage.accepted, decided(follower, mark).accepted());
    stage.accepted = null;
    stage.held = Optional.of(Files.writeString(folder.resolve("held"), "numbers"));
    stage.publish(leader, "192.0.2.1\n");
    assertTrue(follower.look(), "other entries of the same octets are held back");
    Path held = decided(follower, mark).held().orElseThrow();
    assertEquals("numbers", Files.readString(held));
    assertEquals("192.0.2.1\n", stage.text(follower));
  }

  private OfLeader decided(Follower follower, String mark) throws IOException {
    return Objects.requireNonNull(
        assertInstanceOf(FetchResult.Fetched.class, stage.fetch(follower, mark)).leader());
  }

  @Test
  void whatNobodyNamesAnyMoreIsRemoved() throws IOException {
    for (int i = 0; i < 20; i++) {
      stage.publish(leader, "192.0.2." + i + "\n");
    }
    assertEquals(3, stage.lists().size());
    stage.publish(stage.leader(), "192.0.2.99\n");
    assertEquals(2, stage.lists().size(), "also by a leader that was restarted");
  }

  @Test
  void whatIsSignedAndNoListOfListsIsRefused() throws IOException {
    stage.publish(leader, "192.0.2.1\n");
    String good = Files.readString(stage.sums());
    assertEquals(1, ListSums.read(good.getBytes(UTF_8), (text, signed) -> true).feeds().size());
    String name = stage.lists().getFirst().getFileName().toString();
    String head = good.lines().findFirst().orElseThrow();
    String feed = head.substring(head.indexOf("[") + 1, head.lastIndexOf("]"));
    for (String bad :
        List.of(
            good.replace(name, "../../../etc/passwd"),
            good.replace(name, "hosts.gz"),
            good.replace(name, "other" + name.substring(5)),
            good.replace(feed, feed.replaceFirst("\\[.*]", "[]")),
            good.replace(name, name.replace(".gz", ".held.gz")),
            good.replace(feed, feed + "," + feed),
            good.replace("\"hosts\"", "\"\\u001b[2J\""),
            good.replace("lists 3:", "lists 2:"),
            good.replace("\"number\":1", "\"number\":9999999999999"),
            good.replace("\"number\":", "\"number\":-"),
            good.replaceFirst("2026-11-25", "2026-99-99"),
            good + "more",
            good.replace("# signed ", "# signed !"),
            head,
            "")) {
      assertThrows(
          DamagedFeedException.class,
          () -> ListSums.read(bad.getBytes(UTF_8), (text, signed) -> true),
          bad);
    }
  }

  @Test
  void keysThatAreNoneAreNamed() throws IOException {
    Files.writeString(folder.resolve("key.pub"), "no key");
    IOException e = assertThrows(SecretFile.UnusableException.class, () -> stage.follower());
    assertTrue(String.valueOf(e.getMessage()).contains("key.pub"), e::toString);
    Files.setPosixFilePermissions(
        folder.resolve("key"), PosixFilePermissions.fromString("rw-r--r--"));
    e = assertThrows(SecretFile.UnusableException.class, () -> stage.leader());
    assertTrue(String.valueOf(e.getMessage()).contains("chmod"), e::toString);
  }

  /** The commands of the handbook. */
  @Test
  void sha256sumAndOpensslFindItRightAndKeysOfOpensslAreRead() throws Exception {
    Assumptions.assumeTrue(run("openssl version") == 0, "openssl is not installed");
    stage.publish(leader, "192.0.2.1\n", "192.0.2.2\n");
    assertEquals(0, run("cd published && sha256sum --strict -c SHA256SUMS"));
    String verify =
        "sed '$d' published/SHA256SUMS > text && sed -n 's/^# signed //p' published/SHA256SUMS |"
            + " base64 -d > signature && openssl pkeyutl -verify -rawin -pubin -inkey key.pub"
            + " -in text -sigfile signature";
    assertEquals(0, run(verify));
    damage(stage.sums());
    assertTrue(run(verify) != 0, "openssl looks at it");
    Files.delete(folder.resolve("key"));
    assertEquals(0, run("openssl genpkey -algorithm ed25519 -out key"));
    assertEquals(0, run("openssl pkey -in key -pubout -out key.pub"));
    Files.setPosixFilePermissions(
        folder.resolve("key"), PosixFilePermissions.fromString("rw-------"));
    Files.delete(stage.sums());
    stage.publish(stage.leader(), "192.0.2.2\n");
    assertTrue(stage.follower().look());
  }

  private int run(String command) throws Exception {
    List<String> words = new ArrayList<>(List.of("sh", "-c", command));
    Process process =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("command.out").toFile())
            .start();
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    return process.exitValue();
  }
}
