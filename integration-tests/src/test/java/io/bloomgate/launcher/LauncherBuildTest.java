package io.bloomgate.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.launcher.Sandbox.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches when the launcher builds, and that two of them build once. */
class LauncherBuildTest {
  @TempDir Path folder;
  private Sandbox machine;
  private Path launcher;
  private Path jdk;

  @BeforeEach
  void open() throws IOException {
    machine = new Sandbox(folder.toRealPath());
    jdk = machine.addJava("jdk-25", "25.0.3", true);
    launcher = machine.layOutSources();
  }

  @Test
  void missingJarsAreBuiltOnceByTheSameJdk() throws Exception {
    machine.addMaven("");
    Outcome first = machine.run(launcher, "status");
    assertEquals(7, first.exit());
    assertEquals("jdk-25", first.out().getFirst(), "stdout is the program's alone");
    assertEquals(2, first.err().size(), first::toString);
    assertTrue(first.err().getLast().contains("learning from test traffic"), first::toString);
    assertEquals(List.of(), machine.run(launcher, "status").err());
    assertEquals(1, machine.mavenCalls().size());
    String call = machine.mavenCalls().getFirst();
    assertTrue(call.startsWith(jdk + " ") && call.contains("-pl gateway,admin-cli -am"), call);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pom.xml",
        "config/pom.xml",
        "blocklists/pom.xml",
        "blocklists/lists/pom.xml",
        "blocklists/lists/src/main/java/A.java",
        "gateway/src/main/java/A.java",
        "admin-cli/src/main/java/A.java"
      })
  void newerSourceIsBuilt(String source) throws Exception {
    machine.addMaven("");
    machine.layOutJars();
    machine.run(launcher, "status");
    assertEquals(List.of(), machine.mavenCalls());
    FileTime later = FileTime.from(Instant.now().plusSeconds(120));
    Files.setLastModifiedTime(machine.sources().resolve(source), later);
    machine.run(launcher, "status");
    assertEquals(1, machine.mavenCalls().size());
  }

  @Test
  void aServiceStartsWhatIsBuiltAndSaysThatSourcesAreNewer() throws Exception {
    machine.addMaven("");
    Outcome missing = machine.run(launcher, "run");
    assertEquals(69, missing.exit());
    assertTrue(missing.err().getLast().contains("not built yet"), missing::toString);
    machine.layOutJars();
    assertEquals(List.of(), machine.run(launcher, "run").err());
    FileTime later = FileTime.from(Instant.now().plusSeconds(120));
    Files.setLastModifiedTime(machine.sources().resolve("gateway/src/main/java/A.java"), later);
    Outcome started = machine.run(launcher, "run");
    assertEquals(7, started.exit());
    assertTrue(started.err().getLast().contains("the sources are newer"), started::toString);
    assertEquals(List.of(), machine.mavenCalls());
  }

  /** As the user of the service, who reloads: everybody may read the sources, their owner write. */
  @Test
  void whoMayNotWriteToTheSourcesUsesWhatIsBuilt() throws Exception {
    machine.addMaven("");
    machine.layOutJars();
    FileTime later = FileTime.from(Instant.now().plusSeconds(120));
    Files.setLastModifiedTime(machine.sources().resolve("pom.xml"), later);
    // A folder that cannot be made or written to, for root neither.
    Sandbox.write(machine.sources().resolve("target"), "");
    Outcome started = machine.run(launcher, "config", "reload");
    assertEquals(7, started.exit());
    assertTrue(started.err().getLast().contains("the sources are newer"), started::toString);
    assertEquals(List.of(), machine.mavenCalls());
  }

  @Test
  void removedSourceIsNoticed() throws Exception {
    machine.addMaven("");
    machine.layOutJars();
    Path java = machine.sources().resolve("gateway/src/main/java");
    Files.delete(java.resolve("A.java"));
    Files.setLastModifiedTime(java, FileTime.from(Instant.now().plusSeconds(120)));
    machine.run(launcher, "status");
    assertEquals(1, machine.mavenCalls().size());
  }

  @Test
  void failedBuildStartsNothing() throws Exception {
    machine.addMaven("echo 'A.java: no' >&2; exit 1");
    Outcome outcome = machine.run(launcher, "status");
    assertEquals(69, outcome.exit());
    assertEquals(List.of(), outcome.out());
    assertTrue(outcome.err().contains("A.java: no"), outcome::toString);
    assertEquals(
        "bloomgate: the build failed; all that Maven said is in "
            + machine.sources().resolve("target/build.log"),
        outcome.err().getLast());
  }

  @Test
  void aFailedBuildShowsItsErrorsWhereverTheyAre() throws Exception {
    machine.addMaven(
        "echo '[INFO] compiling'; echo '[ERROR] A.java:[3,4] no such class';"
            + " i=0; while [ $i -lt 50 ]; do echo '[INFO] more'; i=$((i+1)); done;"
            + " echo 'src/C.java:3: error: package x does not exist';"
            + " echo '[WARNING] B.java:[5,6] old'; echo '[ERROR] '; exit 1");
    Outcome outcome = machine.run(launcher, "status");
    assertEquals(69, outcome.exit());
    List<String> shown = outcome.err().subList(1, outcome.err().size() - 1);
    assertEquals(
        List.of(
            "[ERROR] A.java:[3,4] no such class",
            "src/C.java:3: error: package x does not exist",
            "[WARNING] B.java:[5,6] old"),
        shown);
    Path log = machine.sources().resolve("target/build.log");
    assertTrue(Files.readString(log).contains("[INFO] more"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void secondLauncherWaitsForTheBuildOfTheFirst(boolean flock) throws Exception {
    if (flock) {
      machine.addTool("flock");
    }
    Path started = fifo("started");
    Path go = fifo("go");
    machine.addMaven("echo yes >'" + started + "'; read line <'" + go + "'");
    Process first = machine.start(launcher, "status");
    assertEquals("yes\n", Files.readString(started), "waits until Maven runs");
    Process second = machine.start(launcher, "explain");
    BufferedReader errors =
        new BufferedReader(new InputStreamReader(second.getErrorStream(), UTF_8));
    assertEquals("bloomgate: waiting for another build", errors.readLine());
    Files.writeString(go, "go\n");
    assertEquals(7, Sandbox.finish(first).exit());
    Outcome waited = Sandbox.finish(second);
    assertEquals(7, waited.exit());
    assertEquals("explain", waited.out().getLast());
    assertEquals(1, machine.mavenCalls().size());
  }

  @Test
  void lockOfDeadBuildIsTakenAway() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Path lock = machine.sources().resolve("target/build.lock");
    Sandbox.write(lock.resolve("pid"), dead.pid() + "\n");
    machine.addMaven("");
    assertEquals(7, machine.run(launcher, "status").exit());
    assertEquals(1, machine.mavenCalls().size());
    assertTrue(Files.notExists(lock), "the lock is given back");
  }

  private Path fifo(String name) throws Exception {
    Path path = machine.top().resolve(name);
    assertEquals(0, new ProcessBuilder("mkfifo", path.toString()).start().waitFor());
    return path;
  }
}
