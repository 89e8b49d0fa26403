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
import java.util.ArrayList;
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

  private static List<Step> stepsOfARefresh() {
    List<Step> steps = new ArrayList<>(stepsOfAnIntake());
    steps.addAll(stepsOfAPublish());
    steps.addAll(stepsOfTheRecord());
    return steps;
  }

  private static List<Step> stepsOfAnIntake() {
    List<Step> steps = new ArrayList<>();
    steps.add(
        new Step("fetching", t -> t.takeHalf(VERSION + "/part-0000", FEED + "incoming/part-0000")));
    steps.add(
        new Step(
            "judged",
            t -> {
              t.takeState();
              copy(t.after.resolve(VERSION), t.crashed.resolve(FEED + "incoming"));
              t.takeHalf(VERSION + "/version.json", FEED + "incoming/version.json");
            }));
    steps.add(
        new Step(
            "writing the version's facts",
            t -> {
              t.takeState();
              t.takeHalf(VERSION + "/part-0000", FEED + "incoming/part-0000");
              t.takeHalf(VERSION + "/version.json", FEED + "incoming/version.json.tmp");
            }));
    steps.add(
        new Step(
            "kept",
            t -> {
              t.takeState();
              t.takeVersion();
            }));
    return steps;
  }

  private static List<Step> stepsOfAPublish() {
    List<Step> steps = new ArrayList<>();
    steps.add(
        new Step(
            "building",
            t -> {
              t.takeState();
              t.takeVersion();
              t.takeHalf(GENERATION + "/network.index", BUILDING + "network.index");
            }));
    steps.add(
        new Step(
            "built",
            t -> {
              t.takeState();
              t.takeVersion();
              copy(t.after.resolve(GENERATION), t.crashed.resolve(BUILDING));
            }));
    steps.add(
        new Step(
            "renamed",
            t -> {
              t.takeState();
              t.takeVersion();
              t.take(GENERATION);
            }));
    steps.add(
        new Step(
            "writing the pointer",
            t -> {
              t.takeState();
              t.takeVersion();
              t.take(GENERATION);
              t.takeHalf("snapshots/CURRENT", "snapshots/CURRENT.tmp");
            }));
    return steps;
  }

  /** The manifest is published; the commit of the record follows. */
  private static List<Step> stepsOfTheRecord() {
    return List.of(
        new Step(
            "published",
            t -> {
              t.takePublished();
              t.takeState();
            }),
        new Step(
            "writing the record",
            t -> {
              t.takePublished();
              t.takeBeginOfCommit(1, 2);
            }),
        new Step(
            "before the last octets of the commit",
            t -> {
              t.takePublished();
              t.takeBeginOfCommit(99, 100);
            }),
        new Step(
            "committed",
            t -> {
              t.takePublished();
              t.takeNewState();
            }),
        new Step(
            "committed and the pointer is lost",
            t -> {
              t.takeVersion();
              t.take(GENERATION);
              t.takeNewState();
            }));
  }

  @TestFactory
  Stream<DynamicTest> aCrashInARefresh() {
    return stepsOfARefresh().stream()
        .map(step -> DynamicTest.dynamicTest(step.name, () -> crashInARefresh(step)));
  }

  private void crashInARefresh(Step step) throws Exception {
    Trees trees = trees(step.name);
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
      assertEquals(0, s.refresh(List.of("bad"), false, true).exitCode(), step);
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
    Path root = Files.createTempDirectory(stateDir, name.replace(' ', '-'));
    Trees trees =
        new Trees(
            root.resolve("a"),
            root.resolve("b"),
            root.resolve("c"),
            root.resolve("d"),
            root.resolve("e"));
    for (Path one : List.of(trees.before, trees.during, trees.after, trees.crashed, trees.open)) {
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
    return List.of(
        new Step("building", t -> copy(t.during, t.crashed)),
        new Step(
            "built",
            t -> {
              copy(t.during, t.crashed);
              copy(
                  t.after.resolve("snapshots/0000000003"),
                  t.crashed.resolve("snapshots/.building-0000000003"));
            }),
        new Step(
            "published",
            t -> {
              copy(t.during, t.crashed);
              DurableFiles.deleteTree(t.crashed.resolve("snapshots/.building-0000000003"));
              t.take("snapshots/0000000003");
              t.take("snapshots/CURRENT");
            }));
  }

  /** The operator's choice is on disk before anything is built: a start completes it. */
  @TestFactory
  Stream<DynamicTest> aCrashInARollback() {
    return stepsOfAChoice().stream()
        .map(step -> DynamicTest.dynamicTest(step.name, () -> crashInARollback(step)));
  }

  private void crashInARollback(Step step) throws Exception {
    Trees trees = trees("rollback " + step.name);
    server.serve("/list", ips(0, 100));
    try (RefreshStage s = new RefreshStage(trees.before, START, url("bad", "/list", ""))) {
      s.loop.tick();
      server.serve("/list", ips(10, 110));
      s.refresh(List.of("bad"), false, true);
      copy(trees.before, trees.after);
    }
    try (RefreshStage s = new RefreshStage(trees.after, START, url("bad", "/list", ""))) {
      s.allowed = copying(trees);
      ActResult result = s.rollback("bad", 0);
      assertTrue(result instanceof ActResult.Done && s.listsIp(OLD), result::toString);
    }
    step.crash.leave(trees);
    complete(trees.crashed, step.name, List.of("2 rolled-back", "1 live"));
  }

  @TestFactory
  Stream<DynamicTest> aCrashInAnAcceptance() {
    return stepsOfAChoice().stream()
        .map(step -> DynamicTest.dynamicTest(step.name, () -> crashInAnAcceptance(step)));
  }

  private void crashInAnAcceptance(Step step) throws Exception {
    Trees trees = trees("acceptance " + step.name);
    server.serve("/list", ips(100, 110));
    try (RefreshStage s = new RefreshStage(trees.before, START, url("bad", "/list", ""))) {
      s.loop.tick();
      server.serve("/list", ips(0, 99));
      s.refresh(List.of("bad"), false, true);
      // One more generation, so that the one of the acceptance has the number 3.
      s.settings = RefreshStage.settings(url("bad", "/list", ", allow_bogons: true"));
      s.loop.settingsChanged();
      s.loop.tick();
      assertEquals("held", s.state("bad"));
      assertEquals(2, s.live.current().generation());
      copy(trees.before, trees.after);
    }
    try (RefreshStage s =
        new RefreshStage(trees.after, START, url("bad", "/list", ", allow_bogons: true"))) {
      s.allowed = copying(trees);
      assertTrue(s.accept("bad") instanceof ActResult.Done && s.listsIp(OLD), step.name);
    }
    step.crash.leave(trees);
    complete(trees.crashed, step.name, List.of("2 live", "1 kept"));
  }

  /** At the latest when an unfinished build has rested, what the operator chose is live. */
  private void complete(Path state, String step, List<String> versions) throws Exception {
    try (RefreshStage s = new RefreshStage(state, START, url("bad", "/list", ""))) {
      s.loop.tick();
      s.pass(Duration.ofMinutes(6));
      s.loop.tick();
      assertTrue(s.listsIp(OLD) && !s.listsIp("203.0.113.105"), step);
      assertEquals(versions, s.versions("bad"), step);
      assertTrue(List.of("fresh", "unchanged").contains(s.state("bad")), s.problem("bad"));
      assertEquals(List.of(), s.alarms, step);
    }
  }
}
