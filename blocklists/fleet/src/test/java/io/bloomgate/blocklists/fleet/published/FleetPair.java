package io.bloomgate.blocklists.fleet.published;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.refresh.RefreshStage;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.FleetSettings.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A leader and a follower with everything real but the clock: their own stores, keys, a web server.
 * Both have the feed {@code hosts}, a file {@code mx1.txt} or {@code mx2.txt} in the folder.
 */
final class FleetPair implements AutoCloseable {

  static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  static final String LOOSE = "guard: {max_turnover: none, max_shrink: 100%, max_growth: 100000%}";
  private static final Duration EVERY = Duration.ofSeconds(30);

  private final Path folder;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final FeedSources sources = new FeedSources(executor, System::nanoTime, () -> NOW);
  private final ServedFolder web;
  private long nanos;

  /** Of both nodes' fleets. */
  final List<String> alarms = new ArrayList<>();

  final Fleet leading;
  final Fleet following;
  final RefreshStage leader;
  final RefreshStage follower;

  /**
   * @param leaderGuard the key {@code guard} of the leader's feed
   */
  FleetPair(Path folder, String leaderGuard, String followerGuard) throws IOException {
    this.folder = folder;
    FleetKeys.Made made = FleetKeys.make();
    write("key", made.privateKey());
    write("key.pub", made.publicKey());
    write("key.secret", made.secret());
    web = new ServedFolder(folder.resolve("published"));
    leading = fleet("mx1", Role.LEADER);
    following = fleet("mx2", Role.FOLLOWER);
    leader = stage("mx1", leading, leaderGuard);
    follower = stage("mx2", following, followerGuard);
    leading.serve(leader.loop.reports()::liveVersions, () -> {});
  }

  private void write(String name, String text) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** A node with this role; who may do both has all keys. */
  Fleet fleet(String name, Role role) throws IOException {
    boolean leads = role != Role.FOLLOWER;
    boolean follows = role != Role.LEADER;
    @Nullable Path published = leads ? folder.resolve("published") : null;
    return Fleet.open(
        new FleetSettings(
            name,
            role,
            null,
            "test:",
            published,
            leads ? folder.resolve("key") : null,
            follows ? web.address() : null,
            follows ? folder.resolve("key.pub") : null,
            folder.resolve("key.secret"),
            EVERY,
            true),
        Files.createDirectories(folder.resolve(name)),
        sources,
        () -> NOW,
        () -> nanos,
        alarms::add);
  }

  private RefreshStage stage(String name, Fleet fleet, String guard) throws IOException {
    return new RefreshStage(
        folder.resolve(name),
        NOW,
        Duration.ofMinutes(1),
        new SnapshotBuilder(FleetSecret.read(folder.resolve("key.secret")).seed()),
        fleet,
        "hosts: {file: %s, format: lines, checks: [client_ip, sender_domain], every: 1h, %s}"
            .formatted(folder.resolve(name + ".txt"), guard));
  }

  /** The leader's list becomes this, and the follower looks. */
  void list(List<String> lines) throws Exception {
    Files.writeString(folder.resolve("mx1.txt"), String.join("\n", lines) + "\n");
    refresh(leader);
    follow();
  }

  /** The leader publishes, and the follower takes what is due. */
  void follow() throws Exception {
    leading.step();
    look();
  }

  /** The follower looks alone, this time later. */
  void later(Duration time) throws Exception {
    nanos += time.toNanos();
    look();
  }

  private void look() throws Exception {
    following.step();
    refresh(follower);
  }

  private static void refresh(RefreshStage stage) throws InterruptedException {
    stage.refresh(List.of("hosts"), false, true);
  }

  static String id(RefreshStage stage) {
    return stage.live.current().manifest().id();
  }

  void assertEqual(String when) {
    assertEquals(id(leader), id(follower), when);
    assertEquals("fresh", follower.state("hosts"), when);
  }

  @Override
  public void close() throws IOException {
    leader.close();
    follower.close();
    leading.close();
    following.close();
    web.close();
    sources.close();
    executor.close();
  }
}
