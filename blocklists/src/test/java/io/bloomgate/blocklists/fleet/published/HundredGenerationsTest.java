package io.bloomgate.blocklists.fleet.published;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.refresh.RefreshStage;
import io.bloomgate.config.settings.FleetSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader and a follower with their own stores: after each of 100 random changes one id. */
class HundredGenerationsTest {

  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final Duration EVERY = Duration.ofSeconds(30);
  private static final int GENERATIONS = 100;

  @TempDir Path folder;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  private void write(String name, String text) throws Exception {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private Fleet fleet(String name, FleetSettings.Role role, FeedSources sources) throws Exception {
    boolean leads = role == FleetSettings.Role.LEADER;
    @Nullable Path published = leads ? folder.resolve("published") : null;
    return Fleet.open(
            new FleetSettings(
                name,
                role,
                null,
                "test:",
                published,
                leads ? folder.resolve("key") : null,
                leads ? null : folder.resolve("published").toString(),
                leads ? null : folder.resolve("key.pub"),
                folder.resolve("key.secret"),
                EVERY,
                true),
            Files.createDirectories(folder.resolve(name)),
            sources,
            () -> NOW,
            System::nanoTime,
            text -> {})
        .orElseThrow();
  }

  private RefreshStage stage(String name, Fleet fleet) throws Exception {
    String guard = "guard: {max_turnover: none, max_shrink: 100%, max_growth: 100000%}";
    return new RefreshStage(
        folder.resolve(name),
        NOW,
        Duration.ofMinutes(1),
        new SnapshotBuilder(FleetSeed.of(folder.resolve("key.secret"))),
        fleet,
        "hosts: {file: %s, format: lines, checks: [client_ip, sender_domain], every: 1h, %s}"
            .formatted(folder.resolve(name + ".txt"), guard));
  }

  /** Some lines go, some come, and now and then the order changes. */
  private void change(List<String> lines) {
    for (int i = random.nextInt(20); i > 0 && !lines.isEmpty(); i--) {
      lines.remove(random.nextInt(lines.size()));
    }
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      String line =
          random.nextBoolean()
              ? "host" + random.nextInt(1_000_000) + ".example"
              : "198.18." + random.nextInt(256) + "." + random.nextInt(256);
      lines.add(random.nextInt(lines.size() + 1), line);
    }
  }

  @Test
  void equalIdsAfterEachOfAHundredRandomChanges() throws Exception {
    FleetKeys.Made made = FleetKeys.make();
    write("key", made.privateKey());
    write("key.pub", made.publicKey());
    write("key.secret", made.secret());
    List<String> lines = new ArrayList<>();
    try (FeedSources sources = new FeedSources(Runnable::run, System::nanoTime, () -> NOW);
        Fleet leading = fleet("mx1", FleetSettings.Role.LEADER, sources);
        Fleet following = fleet("mx2", FleetSettings.Role.FOLLOWER, sources);
        RefreshStage leader = stage("mx1", leading);
        RefreshStage follower = stage("mx2", following)) {
      leading.serve(leader.refresher::liveVersions, () -> {});
      String before = "";
      for (int i = 0; i < GENERATIONS; i++) {
        change(lines);
        Files.writeString(folder.resolve("mx1.txt"), String.join("\n", lines) + "\n");
        leader.refresher.refreshHere(List.of("hosts"), false, true);
        leading.step();
        following.step();
        follower.refresher.refreshHere(List.of("hosts"), false, true);
        String id = leader.live.current().manifest().id();
        assertTrue(!id.equals(before), () -> "nothing changed; seed " + seed);
        assertEquals(id, follower.live.current().manifest().id(), "number " + i + ", seed " + seed);
        before = id;
      }
    }
  }
}
