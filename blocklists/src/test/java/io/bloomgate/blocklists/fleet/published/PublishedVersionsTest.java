package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fleet.published.Follower.Looked;
import io.bloomgate.config.settings.SecretFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

  private static String list(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append("host").append(i * 7919).append(".example\n");
    }
    return text.toString();
  }

  private void damage(Path file) throws IOException {
    byte[] octets = Files.readAllBytes(file);
    octets[octets.length / 2] ^= 0x11;
    Files.write(file, octets);
  }

  private Path only(String kind) throws IOException {
    List<Path> all = stage.published(kind);
    assertEquals(1, all.size(), all::toString);
    return all.getFirst();
  }

  @Test
  void aFollowerGetsEveryVersionAndTakesDeltasWhereItCan() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, list(0, 2000));
    assertEquals(Looked.NEWS, follower.look());
    assertEquals(list(0, 2000), stage.text(follower));
    stage.publish(leader, list(1, 2003));
    stage.publish(leader, list(2, 2009));
    assertEquals(2, stage.published("deltas").size());
    for (Path blob : stage.published("blobs")) {
      Files.delete(blob);
    }
    assertEquals(Looked.NEWS, follower.look());
    assertEquals(list(2, 2009), stage.text(follower), "over two deltas, without the whole");
  }

  @Test
  void partsStaySeparateAndPackedListsTravelAsText() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n", "192.0.2.2", "192.0.2.3\n");
    follower.look();
    assertEquals("192.0.2.1\n|192.0.2.2|192.0.2.3\n", stage.text(follower));
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("192.0.2.9\n".getBytes(UTF_8));
    }
    Path file = Files.write(folder.resolve("list.gz"), packed.toByteArray());
    leader.publish(
        List.of(
            new LiveVersion(
                "hosts",
                99,
                1,
                PublishedStage.NOW,
                PublishedStage.NOW,
                null,
                () ->
                    java.util.Optional.of(
                        new io.bloomgate.blocklists.format.FeedContent(List.of(file))))),
        0,
        "mx1",
        PublishedStage.NOW,
        PublishedStage.EVERY);
    follower.look();
    assertEquals("192.0.2.9\n", stage.text(follower));
  }

  @Test
  void aDamagedDeltaCostsTheWholeAndADamagedBlobGoesNowhere() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, list(0, 2000));
    follower.look();
    stage.text(follower);
    stage.publish(leader, list(1, 2001));
    follower.look();
    damage(only("deltas"));
    assertEquals(list(1, 2001), stage.text(follower));
    stage.stored.clear();
    for (Path blob : stage.published("blobs")) {
      damage(blob);
    }
    String message = stage.text(follower);
    assertTrue(message.contains("is not what the manifest there says"), message);
  }

  @Test
  void aManifestThatIsNotTheLeadersIsRefused() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    follower.look();
    stage.publish(leader, "192.0.2.2\n");
    damage(stage.published.resolve(FleetManifest.NAME));
    assertEquals(Looked.AGAIN_SOON, follower.look(), "the leader may be writing");
    assertEquals(Looked.NOTHING_NEW, follower.look());
    assertTrue(follower.problem().contains("is not signed by the key"), follower.problem());
    assertEquals("192.0.2.1\n", stage.text(follower), "the last good one stays");
    stage.key("other");
    Files.delete(stage.published.resolve(FleetManifest.NAME));
    stage.publish(stage.leader("thief", "other"), "192.0.2.3\n");
    follower.look();
    assertTrue(follower.problem().contains("is not signed by the key"), follower.problem());
    stage.publish(leader, "192.0.2.4\n");
    assertEquals(Looked.NEWS, follower.look());
    assertEquals("", follower.problem());
  }

  @Test
  void anOldManifestIsRefusedAlsoAfterARestart() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    byte[] manifest = Files.readAllBytes(stage.published.resolve(FleetManifest.NAME));
    byte[] signature = Files.readAllBytes(stage.published.resolve(FleetManifest.SIGNATURE));
    stage.publish(leader, "192.0.2.2\n");
    assertEquals(Looked.NEWS, follower.look());
    Files.write(stage.published.resolve(FleetManifest.NAME), manifest);
    Files.write(stage.published.resolve(FleetManifest.SIGNATURE), signature);
    for (Follower one : List.of(follower, stage.follower())) {
      one.look();
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
    stage.publish(stage.leader("other", "key"), "192.0.2.3\n");
    assertEquals(Looked.NEWS, follower.look());
    assertEquals("192.0.2.3\n", stage.text(follower));
  }

  @Test
  void withoutANewManifestTheLeaderIsGoneAndThatIsSaidOnce() throws IOException {
    Follower follower = stage.follower();
    assertTrue(follower.isLed(), "the first one is waited for");
    stage.publish(leader, "192.0.2.1\n");
    follower.look();
    stage.nanos += Duration.ofSeconds(89).toNanos();
    assertEquals(Looked.NOTHING_NEW, follower.look());
    stage.nanos += Duration.ofSeconds(2).toNanos();
    assertEquals(Looked.NEWS, follower.look());
    assertFalse(follower.isLed());
    assertEquals(Looked.NOTHING_NEW, follower.look());
    assertEquals(1, stage.alarms.size(), stage.alarms::toString);
    assertTrue(
        stage.alarms.getFirst().contains("fetches its feeds itself"), stage.alarms::toString);
    stage.publishAgain(leader, "192.0.2.1\n");
    assertEquals(Looked.NEWS, follower.look());
    assertTrue(follower.isLed());
    assertEquals(1, stage.alarms.size(), stage.alarms::toString);
  }

  @Test
  void aFeedThatTheLeaderCannotReachIsNoSuccessHere() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    follower.look();
    String mark = follower.manifest().orElseThrow().feed("hosts").orElseThrow().mark();
    assertInstanceOf(FetchResult.NotModified.class, stage.fetch(follower, mark));
    stage.checked = PublishedStage.NOW.minus(Duration.ofDays(2));
    stage.publishAgain(leader, "192.0.2.1\n");
    follower.look();
    FetchResult.Failed failed =
        assertInstanceOf(FetchResult.Failed.class, stage.fetch(follower, mark));
    assertTrue(failed.message().contains("mx1 has had no success"), failed::message);
  }

  @Test
  void whoAcceptedAVersionTravelsWithIt() throws IOException {
    Follower follower = stage.follower();
    stage.publish(leader, "192.0.2.1\n");
    follower.look();
    String mark = follower.manifest().orElseThrow().feed("hosts").orElseThrow().mark();
    stage.accepted = new Acceptance("root", PublishedStage.NOW, true);
    stage.publishAgain(leader, "192.0.2.1\n");
    assertEquals(Looked.NEWS, follower.look());
    FetchResult.Fetched taken =
        assertInstanceOf(FetchResult.Fetched.class, stage.fetch(follower, mark));
    assertEquals(stage.accepted, taken.accepted());
  }

  @Test
  void whatNobodyNamesAnyMoreIsRemoved() throws IOException {
    for (int i = 0; i < 20; i++) {
      stage.publish(leader, list(i, 2000 + i));
    }
    assertTrue(stage.published("blobs").size() <= 3, () -> folder.toString());
    assertTrue(stage.published("deltas").size() <= 8 + 2);
    stage.publish(stage.leader(), list(20, 2020));
    assertTrue(stage.published("deltas").size() <= 8 + 2, "also by a leader that was restarted");
  }

  @Test
  void manifestsWithPathsOrBeyondLimitsAreRefused() throws IOException {
    stage.publish(leader, list(0, 20));
    stage.publish(leader, list(1, 21));
    String good = Files.readString(stage.published.resolve(FleetManifest.NAME));
    assertEquals(1, FleetManifest.read(good.getBytes(UTF_8)).feeds().size());
    String sha256 = firstDigest(good);
    for (String bad :
        List.of(
            good.replace(sha256, "../../../etc/passwd"),
            good.replace(sha256, sha256.substring(1)),
            good.replace("\"format\":1", "\"format\":2"),
            good.replaceFirst("\"parts\":\\[[0-9]+]", "\"parts\":[2147483648]"),
            good.replaceFirst("\"parts\":\\[[0-9]+]", "\"parts\":[]"),
            good.replaceFirst("\"packed\":[0-9]+", "\"packed\":9999999999"),
            good.replace("\"name\":\"hosts\"", "\"name\":\"\\u001b[2J\""),
            "[]",
            "{",
            "\u00ff")) {
      assertThrows(
          FleetManifest.UnusableException.class,
          () -> FleetManifest.read(bad.getBytes(UTF_8)),
          bad);
    }
  }

  private static String firstDigest(String manifest) {
    var m = java.util.regex.Pattern.compile("\"sha256\":\"([0-9a-f]{64})\"").matcher(manifest);
    assertTrue(m.find());
    return m.group(1);
  }

  @Test
  void keysThatAreNoneAreNamed() throws IOException {
    Files.writeString(folder.resolve("key.pub"), "no key");
    IOException e = assertThrows(SecretFile.UnusableException.class, () -> stage.follower());
    assertTrue(String.valueOf(e.getMessage()).contains("key.pub"), e::toString);
    Files.setPosixFilePermissions(
        folder.resolve("key"),
        java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
    e = assertThrows(SecretFile.UnusableException.class, () -> stage.leader());
    assertTrue(String.valueOf(e.getMessage()).contains("chmod"), e::toString);
  }

  @Test
  void opensslFindsTheSignatureRightAndMakesKeysThatWeRead() throws Exception {
    Assumptions.assumeTrue(openssl("version") == 0, "openssl is not installed");
    stage.publish(leader, "192.0.2.1\n");
    String verify =
        "pkeyutl -verify -rawin -pubin -inkey key.pub -in published/manifest.json"
            + " -sigfile published/manifest.sig";
    assertEquals(0, openssl(verify.split(" ")));
    damage(stage.published.resolve(FleetManifest.NAME));
    assertTrue(openssl(verify.split(" ")) != 0, "openssl looks at it");
    Files.delete(folder.resolve("key"));
    assertEquals(0, openssl("genpkey", "-algorithm", "ed25519", "-out", "key"));
    assertEquals(0, openssl("pkey", "-in", "key", "-pubout", "-out", "key.pub"));
    Files.setPosixFilePermissions(
        folder.resolve("key"),
        java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    Files.delete(stage.published.resolve(FleetManifest.NAME));
    stage.publish(stage.leader(), "192.0.2.2\n");
    assertEquals(Looked.NEWS, stage.follower().look());
  }

  private int openssl(String... words) throws Exception {
    List<String> command = new java.util.ArrayList<>(List.of("openssl"));
    command.addAll(List.of(words));
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("openssl.out").toFile())
              .start();
      assertTrue(process.waitFor(1, TimeUnit.MINUTES));
      return process.exitValue();
    } catch (IOException e) {
      return -1;
    }
  }
}
