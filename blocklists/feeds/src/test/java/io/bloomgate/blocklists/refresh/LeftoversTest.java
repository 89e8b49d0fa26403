package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.config.name.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A crash at each step of a refresh, of an acceptance and of a rollback: the state directory is put
 * together from what was there before and from the files that the step had already written, cut
 * short where they were being written.
 */
class LeftoversTest extends RefreshStories {

  private static final String OLD = "203.0.113.0";
  private static final String NEW = "203.0.113.109";

  /**
   * A state directory before, while and after a generation is built, and the one that a crash
   * leaves.
   */
  private record Trees(Path before, Path during, Path after, Path crashed, Path open) {

    /** The same with its own place for what a crash at this step leaves. */
    Trees crashingAt(String step) throws IOException {
      Path place = before.resolveSibling("d-" + step.replace(' ', '-'));
      DurableFiles.createPrivateDirectory(place);
      return new Trees(before, during, after, place, open);
    }

    /** The state of the feed while a version was read and built. */
    void takeState() throws IOException {
      takeStates(during);
    }

    /** The state after the refresh, as the open file and its log have it. */
    void takeNewState() throws IOException {
      takeStates(open);
    }

    private void takeStates(Path from) throws IOException {
      for (String name : List.of(STATES, STATES_LOG)) {
        copy(from.resolve(name), crashed.resolve(name));
      }
    }

    /** Of the commit that follows the publication, this part of its pages is in the log. */
    void takeBeginOfCommit(int part, int parts) throws IOException {
      takeNewState();
      byte[] all = Files.readAllBytes(open.resolve(STATES_LOG));
      long committed = Files.size(during.resolve(STATES_LOG));
      assertTrue(committed < all.length, "the commit is in the log");
      int length = (int) (committed + (all.length - committed) * part / parts);
      Files.write(crashed.resolve(STATES_LOG), Arrays.copyOf(all, length));
    }

    /** The version as it was stored while it was built: not live yet. */
    void takeVersion() throws IOException {
      copy(during.resolve(VERSION), crashed.resolve(VERSION));
    }

    void takePublished() throws IOException {
      takeVersion();
      take(GENERATION);
      take("snapshots/CURRENT");
    }

    void take(String name) throws IOException {
      copy(after.resolve(name), crashed.resolve(name));
    }

    /** Only the beginning of a file was written. */
    void takeHalf(String name, String as) throws IOException {
      byte[] all = Files.readAllBytes(after.resolve(name));
      Path target = crashed.resolve(as);
      Files.createDirectories(target.getParent());
      Files.write(target, Arrays.copyOf(all, all.length / 2));
    }
  }

  /** What a step leaves. */
  @FunctionalInterface
  private interface Crash {
    void leave(Trees trees) throws IOException;
  }

  private record Step(String name, Crash crash) {}

  private static final String STATES = FeedStates.FILE_NAME;
  private static final String STATES_LOG = STATES + "-wal";
  private static final String FEED = "feeds/bad/";
  private static final String VERSION = FEED + "versions/2";
  private static final String BUILDING = "snapshots/.building-0000000002/";
  private static final String GENERATION = "snapshots/0000000002";

  private static Step step(String name, Crash... crashes) {
    return new Step(
        name,
        trees -> {
          for (Crash crash : crashes) {
            crash.leave(trees);
          }
        });
  }

  /** Leaves the beginning of a file, under another name. */
  private static Crash half(String name, String as) {
    return trees -> trees.takeHalf(name, as);
  }

  private static Crash take(String name) {
    return trees -> trees.take(name);
  }

  private static Crash copyAs(String name, String as) {
    return trees -> copy(trees.after.resolve(name), trees.crashed.resolve(as));
  }

  /** Fetches, judges, keeps; builds, publishes; and commits the record last. */
  private static List<Step> stepsOfARefresh() {
    Crash state = Trees::takeState;
    Crash version = Trees::takeVersion;
    Crash published = Trees::takePublished;
    Crash facts = half(VERSION + "/version.json", FEED + "incoming/version.json");
    Crash factsBegun = half(VERSION + "/version.json", FEED + "incoming/version.json.tmp");
    Crash fetching = half(VERSION + "/part-0000", FEED + "incoming/part-0000");
    Crash index = half(GENERATION + "/network.index", BUILDING + "network.index");
    Crash pointer = half("snapshots/CURRENT", "snapshots/CURRENT.tmp");
    return List.of(
        step("fetching", fetching),
        step("judged", state, copyAs(VERSION, FEED + "incoming"), facts),
        step("writing the version's facts", state, fetching, factsBegun),
        step("kept", state, version),
        step("building", state, version, index),
        step("built", state, version, copyAs(GENERATION, BUILDING)),
        step("renamed", state, version, take(GENERATION)),
        step("writing the pointer", state, version, take(GENERATION), pointer),
        step("published", published, state),
        step("writing the record", published, t -> t.takeBeginOfCommit(1, 2)),
        step("before the last octets of it", published, t -> t.takeBeginOfCommit(99, 100)),
        step("committed", published, Trees::takeNewState),
        step("without the pointer", version, take(GENERATION), Trees::takeNewState));
  }

  @TestFactory
  Stream<DynamicTest> aCrashInARefresh() throws Exception {
    Trees trees = trees("refresh");
    server.serve("/list", ips(0, 100));
    try (RefreshStage s = new RefreshStage(trees.before, START, url("bad", "/list", ""))) {
      s.loop.tick();
      server.serve("/list", ips(10, 110));
      copy(trees.before, trees.after);
    }
    try (RefreshStage s =
        new RefreshStage(trees.after, START.plus(HOUR.multipliedBy(2)), url("bad", "/list", ""))) {
      s.allowed = copying(trees);
      s.loop.tick();
      assertTrue(s.listsIp(NEW));
      copy(trees.after, trees.open);
    }
    return stepsOfARefresh().stream()
        .map(step -> DynamicTest.dynamicTest(step.name, () -> crashInARefresh(step, trees)));
  }

  private void crashInARefresh(Step step, Trees all) throws Exception {
    Trees trees = all.crashingAt(step.name);
    copy(trees.before, trees.crashed);
    Files.createFile(trees.crashed.resolve("snapshots/IN_USE"));
    step.crash.leave(trees);
    recover(trees.crashed, step.name);
  }

  /** The lists are whole at once, and the next refresh puts everything in order. */
  private void recover(Path state, String step) throws Exception {
    try (RefreshStage s =
        new RefreshStage(state, START.plus(Duration.ofMinutes(121)), url("bad", "/list", ""))) {
      assertWhole(s, step);
      s.loop.tick();
      assertWhole(s, step);
      assertEquals(0, s.force("bad").exitCode(), step);
      assertTrue(s.listsIp(NEW), step);
      assertWhole(s, step);
      assertEquals(List.of(), s.alarms, step);
      assertTrue(s.versions("bad").getFirst().endsWith(" live"), s.versions("bad")::toString);
    }
    try (Stream<Path> all = Files.walk(state)) {
      assertEquals(
          List.of(),
          all.map(p -> p.getFileName().toString())
              .filter(n -> n.endsWith(".tmp") || n.startsWith(".building") || n.equals("incoming"))
              .toList(),
          step);
    }
  }

  private static void assertWhole(RefreshStage s, String step) {
    boolean old = s.listsIp(OLD);
    for (int i = 0; i < 110; i++) {
      boolean listed = s.listsIp("203.0.113." + i);
      assertEquals(old ? i < 100 : i >= 10, listed, step + ": 203.0.113." + i);
    }
  }

  private Trees trees(String name) throws IOException {
    Path root = Files.createTempDirectory(stateDir, name);
    Trees trees =
        new Trees(
            root.resolve("a"),
            root.resolve("b"),
            root.resolve("c"),
            root.resolve("d"),
            root.resolve("e"));
    for (Path one : List.of(trees.before, trees.during, trees.after, trees.open)) {
      DurableFiles.createPrivateDirectory(one);
    }
    return trees;
  }

  /** What is asked for good subjects in the midst of a build: copies the state directory then. */
  private static List<Subject> copying(Trees trees) {
    return new AbstractList<>() {
      @Override
      public Subject get(int index) {
        throw new IndexOutOfBoundsException(index);
      }

      @Override
      public int size() {
        try {
          copy(trees.after, trees.during);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        return 0;
      }
    };
  }

  private static List<Step> stepsOfAChoice() {
    String third = "snapshots/0000000003";
    String building = "snapshots/.building-0000000003";
    Crash during = trees -> copy(trees.during, trees.crashed);
    return List.of(
        step("building", during),
        step("built", during, copyAs(third, building)),
        step(
            "published",
            during,
            trees -> DurableFiles.deleteTree(trees.crashed.resolve(building)),
            take(third),
            take("snapshots/CURRENT")));
  }

  /** The operator's choice is on disk before anything is built: a start completes it. */
  private Stream<DynamicTest> crashes(Trees trees, String... versions) {
    return stepsOfAChoice().stream()
        .map(step ->
            DynamicTest.dynamicTest(
                step.name,
                () -> {
                  Trees crashed = trees.crashingAt(step.name);
                  step.crash.leave(crashed);
                  complete(crashed.crashed, step.name, List.of(versions));
                }));
  }

  @TestFactory
  Stream<DynamicTest> aCrashInARollback() throws Exception {
    Trees trees = trees("rollback");
    server.serve("/list", ips(0, 100));
    try (RefreshStage s = new RefreshStage(trees.before, START, url("bad", "/list", ""))) {
      s.loop.tick();
      publish(s, ips(10, 110));
      copy(trees.before, trees.after);
    }
    try (RefreshStage s = new RefreshStage(trees.after, START, url("bad", "/list", ""))) {
      s.allowed = copying(trees);
      ActResult result = s.rollback("bad", 0);
      assertTrue(result instanceof ActResult.Done && s.listsIp(OLD), result::toString);
    }
    return crashes(trees, "2 rolled-back", "1 live");
  }

  @TestFactory
  Stream<DynamicTest> aCrashInAnAcceptance() throws Exception {
    Trees trees = trees("acceptance");
    server.serve("/list", ips(100, 110));
    try (RefreshStage s = new RefreshStage(trees.before, START, url("bad", "/list", ""))) {
      s.loop.tick();
      publish(s, ips(0, 99));
      // One more generation, so that the one of the acceptance has the number 3.
      s.change(url("bad", "/list", ", allow_bogons: true"));
      assertEquals("held", s.state("bad"));
      assertEquals(2, s.live.current().generation());
      copy(trees.before, trees.after);
    }
    try (RefreshStage s =
        new RefreshStage(trees.after, START, url("bad", "/list", ", allow_bogons: true"))) {
      s.allowed = copying(trees);
      assertTrue(s.accept("bad") instanceof ActResult.Done && s.listsIp(OLD));
    }
    return crashes(trees, "2 live", "1 kept");
  }

  /** At the latest when an unfinished build has rested, what the operator chose is live. */
  private void complete(Path state, String step, List<String> versions) throws Exception {
    try (RefreshStage s = new RefreshStage(state, START, url("bad", "/list", ""))) {
      s.loop.tick();
      s.tickAfter(Duration.ofMinutes(6));
      assertTrue(s.listsIp(OLD) && !s.listsIp("203.0.113.105"), step);
      assertEquals(versions, s.versions("bad"), step);
      assertTrue(List.of("fresh", "unchanged").contains(s.state("bad")), s.problem("bad"));
      assertEquals(List.of(), s.alarms, step);
    }
  }
}
