package io.bloomgate.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import io.bloomgate.launcher.Sandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts the launcher on machines that lack things, and looks at what it starts where it can. */
class LauncherTest {
  private static final String GATEWAY = "io.bloomgate.gateway.Main";
  private static final String CLI = "io.bloomgate.cli.BloomgateCli";

  @TempDir Path folder;
  private Sandbox machine;

  @BeforeEach
  void open() throws IOException {
    machine = new Sandbox(folder.toRealPath());
  }

  /** An older or newer JDK is none for the sources, and neither is one without a compiler. */
  @Test
  void whatIsMissingForABuildIsSaidInOneLine() throws Exception {
    Path launcher = machine.layOutSources();
    Outcome outcome = machine.run(launcher, "demo");
    assertRefused(outcome, "no JDK 25 found; install");
    String line = outcome.err().getFirst();
    assertTrue(line.contains("Adoptium") && line.contains("README.md"), line);
    machine.addJava("java-17", "17.0.15", true);
    assertRefused(machine.run(launcher, "demo"), "no JDK 25 found; install");
    machine.addJava("java-26", "26", true);
    machine.addJava("java-25-jre", "25.0.3", false);
    assertRefused(machine.run(launcher, "demo"), "no JDK 25 found; install");
    machine.addJava("jdk-25", "25.0.3", true);
    assertRefused(machine.run(launcher, "status"), "Maven is needed");
  }

  @Test
  void packageRunsOnNewerJavaOnly() throws Exception {
    Path launcher = machine.layOutPackage();
    machine.addJava("java-24", "24.0.2", true);
    assertRefused(machine.run(launcher, "status"), "no Java 25 or newer found; install");
    machine.addJava("java-26", "26", false);
    Outcome outcome = machine.run(launcher, "status");
    assertEquals("java-26", outcome.out().getFirst());
    assertEquals(7, outcome.exit());
  }

  @Test
  void javaWithoutReleaseFileIsAsked() throws Exception {
    Path home = machine.addJava("jdk-25", "25.0.3", true);
    Files.delete(home.resolve("release"));
    Path java = home.resolve("bin/java");
    String asked =
        "if [ \"$1\" = -version ]; then echo 'openjdk version \"25.0.3\" 2026' >&2; exit; fi\n";
    Files.writeString(java, Files.readString(java).replace("#!/bin/sh\n", "#!/bin/sh\n" + asked));
    assertEquals("jdk-25", machine.run(machine.layOutPackage(), "status").out().getFirst());
  }

  @Test
  void versionIsReadWhereTheLinkOfAJavaLeads() throws Exception {
    Path java = machine.addJava("jdk-25", "25.0.3", true).resolve("bin/java");
    Path launcher = machine.layOutPackage();
    Files.createSymbolicLink(machine.top().resolve("usr/bin/java"), java);
    machine.set("JAVA_HOME", machine.top().resolve("usr").toString());
    assertEquals(List.of(), versionQuestions(launcher));
  }

  @Test
  void withoutJavaHomeTheRootFolderIsNoJavaHome() throws Exception {
    machine.addJava("jdk-25", "25.0.3", true);
    assertEquals(List.of(), versionQuestions(machine.layOutPackage()));
  }

  /** The calls of any {@code java -version}, from the shell's own trace. */
  private List<String> versionQuestions(Path launcher) throws Exception {
    Path shell = machine.top().resolve("path/sh");
    Outcome outcome = machine.run(shell, "-x", launcher.toString(), "status");
    assertEquals("jdk-25", outcome.out().getFirst(), outcome::toString);
    return outcome.err().stream().filter(line -> line.endsWith("/java -version")).toList();
  }

  @Test
  void javaHomeIsPreferred() throws Exception {
    machine.addJava("a-jdk", "25.0.1", true);
    Path preferred = machine.addJava("b-jdk", "25.0.3", true);
    machine.set("JAVA_HOME", preferred.toString());
    assertEquals("b-jdk", machine.run(machine.layOutPackage(), "status").out().getFirst());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          run                           | io.bloomgate.gateway.Main
          demo --once                   | io.bloomgate.gateway.Main
          -c a.yaml run                 | io.bloomgate.gateway.Main
          --config a.yaml -q run        | io.bloomgate.gateway.Main
          --config=a.yaml run           | io.bloomgate.gateway.Main
          -qc a.yaml run                | io.bloomgate.gateway.Main
          status                        | io.bloomgate.cli.BloomgateCli
          -c run status                 | io.bloomgate.cli.BloomgateCli
          -o json --timeout 1s status   | io.bloomgate.cli.BloomgateCli
          explain run                   | io.bloomgate.cli.BloomgateCli
          --help                        | io.bloomgate.cli.BloomgateCli
          ''                            | io.bloomgate.cli.BloomgateCli
          -c                            | io.bloomgate.cli.BloomgateCli
          """)
  void firstWordChoosesTheProgram(String arguments, String main) throws Exception {
    machine.addJava("jdk-25", "25.0.3", true);
    String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ");
    List<String> out = machine.run(machine.layOutPackage(), words).out();
    assertEquals(List.of(words), out.subList(out.indexOf(main) + 1, out.size()), out::toString);
  }

  @Test
  void optionsOfTheOperatorComeLastAndStayOutOfTheSettings() throws Exception {
    machine.addJava("jdk-25", "25.0.3", true);
    machine.set("BLOOMGATE_JAVA_OPTS", "-Xmx2g -Da=*");
    machine.set("BLOOMGATE_MODE", "enforce");
    List<String> out = machine.run(machine.layOutPackage(), "run").out();
    assertTrue(out.indexOf("-Xmx512m") < out.indexOf("-Xmx2g"), out::toString);
    assertTrue(out.contains("-Da=*") && out.contains("--enable-native-access=ALL-UNNAMED"));
    assertEquals("BLOOMGATE_MODE=enforce", out.getLast());
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "demo", "status"})
  void theLibraryOfSqliteIsNamedWhereItIsBesideTheJars(String command) throws Exception {
    machine.addJava("jdk-25", "25.0.3", true);
    Path launcher = machine.layOutPackage();
    Path library = machine.top().resolve("usr/lib/bloomgate/native");
    String named = "-Dorg.sqlite.lib.path=" + library;
    assertFalse(machine.run(launcher, command).out().contains(named));
    Files.createDirectory(library);
    Files.createFile(library.resolve("libsqlitejdbc.so"));
    assertTrue(machine.run(launcher, command).out().contains(named));
  }

  /**
   * Java passes over what it does not know everywhere or nowhere; a mistyped option must be said.
   */
  @Test
  void unknownOptionsAreIgnoredOnlyWhereAllAreOurs() throws Exception {
    machine.addJava("jdk-25", "25.0.3", true);
    Path launcher = machine.layOutPackage();
    String ignore = "-XX:+IgnoreUnrecognizedVMOptions";
    assertTrue(machine.run(launcher, "status").out().contains(ignore));
    machine.set("BLOOMGATE_CLI_JAVA_OPTS", "-XX:+UseSerialGCC");
    List<String> out = machine.run(launcher, "status").out();
    assertTrue(out.contains("-XX:+UseSerialGCC") && out.contains("-XX:+UseSerialGC"));
    assertTrue(
        out.stream().noneMatch(word -> word.equals(ignore) || word.contains("AOTRecord")),
        out::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "java.base jdk.incubator.vector jdk.net,run,true",
    "jdk.incubator.vector,run,true",
    "java.base jdk.incubator.vectors,run,false",
    "java.base jdk.incubator.vector jdk.net,demo,false",
    "java.base jdk.incubator.vector jdk.net,status,false"
  })
  void onlyTheServiceGetsVectorsAndOnlyWhereTheyAre(String modules, String word, boolean gets)
      throws Exception {
    machine.addModules(machine.addJava("jdk-25", "25.0.3", true), modules);
    List<String> out = machine.run(machine.layOutPackage(), word).out();
    assertEquals(gets, out.contains("--add-modules=jdk.incubator.vector"), out::toString);
  }

  @Test
  void pathsWithSpacesLinksAndOddArgumentsSurvive() throws Exception {
    machine.addJava("jdk-25", "25.0.3", true);
    Path launcher = machine.layOutSources();
    machine.layOutJars();
    Path near = Files.createSymbolicLink(launcher.resolveSibling("bg"), Path.of("bloomgate"));
    Path far = Files.createSymbolicLink(machine.top().resolve("path/bg"), near);
    Outcome outcome = machine.run(far, "explain", "a b", "*", "");
    Path admin = machine.sources().resolve("admin-cli/target");
    assertEquals(admin + "/bloomgate-admin-cli.jar:" + admin + "/lib/*", outcome.out().get(1));
    List<String> end = List.of(CLI, "explain", "a b", "*", "");
    assertEquals(
        end, outcome.out().subList(outcome.out().size() - end.size(), outcome.out().size()));
    assertEquals(7, outcome.exit());
    assertEquals(List.of(), outcome.err());
  }

  @Test
  void aCacheIsUsedWhenItIsNotOlderThanAnyJar() throws Exception {
    machine.addModules(machine.addJava("jdk-25", "25.0.3", true), "java.base jdk.incubator.vector");
    Path launcher = machine.layOutSources();
    machine.layOutJars();
    Path cache = Sandbox.write(machine.sources().resolve("gateway/target/gateway.aot"), "x");
    String used = "-XX:AOTCache=" + cache;
    List<String> without = machine.run(launcher, "run").out();
    assertFalse(without.contains(used));
    assertTrue(without.contains("-Dbloomgate.start_cache="), "which `doctor` reads");
    Files.setLastModifiedTime(cache, FileTime.from(Instant.now().plusSeconds(120)));
    List<String> out = machine.run(launcher, "run").out();
    assertTrue(out.contains(used), out::toString);
    assertTrue(out.contains("-Dbloomgate.start_cache=" + cache), out::toString);
    assertFalse(out.contains("--add-modules=jdk.incubator.vector"), out::toString);
    assertTrue(machine.run(launcher, "demo").out().contains(used));
    assertFalse(machine.run(launcher, "status").out().toString().contains("AOTCache"));
    Path jar = Sandbox.write(machine.sources().resolve("gateway/target/lib/a.jar"), "");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(180)));
    assertFalse(machine.run(launcher, "run").out().contains(used));
  }

  @Test
  void trainingMakesBothCachesOfAPackage() throws Exception {
    Path home = machine.addJava("jdk-25", "25.0.3", true);
    Path launcher = machine.layOutPackage();
    Outcome failed = machine.run(launcher, "--train");
    assertEquals(69, failed.exit());
    assertEquals(1, failed.err().size(), failed::toString);
    // Writes each file that one of its arguments names, as the two processes of a real one do.
    Sandbox.write(
        home.resolve("bin/java"),
        """
        #!/bin/sh
        echo noise; echo noise >&2
        for word; do
          case $word in -XX:AOTCacheOutput=*) echo "$*" >"${word#*=}" ;; esac
        done
        """);
    Outcome made = machine.run(launcher, "--train");
    assertEquals(new Outcome(0, List.of(), List.of()), made);
    Path lib = machine.top().resolve("usr/lib/bloomgate");
    String words = Files.readString(lib.resolve("gateway.aot"));
    assertTrue(words.contains(GATEWAY + " train ") && words.contains(".cli.Training"), words);
    assertTrue(Files.exists(lib.resolve("cli.aot")));
  }

  /** A cache fits one collector only, so it is made with the one that the service has. */
  @Test
  void trainingHasTheOptionsOfTheService() throws Exception {
    Path home = machine.addJava("jdk-25", "25.0.3", true);
    Path launcher = machine.layOutPackage();
    Path words = machine.top().resolve("words");
    Sandbox.write(home.resolve("bin/java"), "#!/bin/sh\necho \"$*\" >'" + words + "'\n");
    Path units = machine.top().resolve("usr/lib/systemd/system");
    Files.createDirectories(units);
    Files.copy(
        Checkout.root().resolve("config/systemd/bloomgate.service"),
        units.resolve("bloomgate.service"));
    assertEquals(69, machine.run(launcher, "--train").exit());
    assertTrue(Files.readString(words).contains(" -XX:+UseZGC "), Files.readString(words));
    Path file = machine.top().resolve("etc/default/bloomgate");
    Sandbox.write(file, "#BLOOMGATE_JAVA_OPTS=-Xa\nBLOOMGATE_JAVA_OPTS=\"-XX:+UseG1GC -Xmx2g\"\n");
    assertEquals(69, machine.run(launcher, "--train").exit());
    String changed = Files.readString(words);
    assertTrue(changed.contains(" -XX:+UseG1GC -Xmx2g ") && !changed.contains("ZGC"), changed);
    machine.set("BLOOMGATE_JAVA_OPTS", "-XX:+UseSerialGC");
    assertEquals(69, machine.run(launcher, "--train").exit());
    assertFalse(Files.readString(words).contains("G1GC"), Files.readString(words));
  }

  /**
   * What Java has begun to write when it is ended, for example because an upgrade waits no more.
   */
  @Test
  void trainingThatIsEndedLeavesNothing() throws Exception {
    Path home = machine.addJava("jdk-25", "25.0.3", true);
    Path launcher = machine.layOutPackage();
    Sandbox.write(
        home.resolve("bin/java"),
        """
        #!/bin/sh
        for word; do
          case $word in -XX:AOTCacheOutput=*) echo half >"${word#*=}"; echo >"${word#*=}.config" ;; esac
        done
        kill -s TERM $PPID
        """);
    assertEquals(69, machine.run(launcher, "--train").exit());
    try (Stream<Path> left = Files.list(machine.top().resolve("usr/lib/bloomgate"))) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void signalsReachJava() throws Exception {
    Path home = machine.addJava("jdk-25", "25.0.3", true);
    Sandbox.write(
        home.resolve("bin/java"),
        "#!/bin/sh\ntrap 'echo ended; exit 143' TERM\necho ready\nwhile :; do sleep 0.05; done\n");
    Process process = machine.start(machine.layOutPackage(), "run");
    assertEquals('r', process.getInputStream().read());
    process.toHandle().destroy(); // unlike Process.destroy leaves the streams open
    Outcome outcome = Sandbox.finish(process);
    assertEquals(143, outcome.exit());
    assertEquals("ended", outcome.out().getLast());
  }

  @Test
  void gatewayIsStartedFromSources() throws Exception {
    machine.addJava("jdk-25", "25.0.3", true);
    Path launcher = machine.layOutSources();
    machine.layOutJars();
    List<String> out = machine.run(launcher, "demo", "--once").out();
    Path target = machine.sources().resolve("gateway/target");
    assertEquals(target + "/bloomgate-gateway.jar:" + target + "/lib/*", out.get(1));
    assertEquals(List.of(GATEWAY, "demo", "--once"), out.subList(out.size() - 3, out.size()));
    assertTrue(out.stream().skip(2).noneMatch(word -> word.contains(".jar")), out::toString);
  }

  private static void assertRefused(Outcome outcome, String reason) {
    assertEquals(69, outcome.exit(), outcome::toString);
    assertEquals(List.of(), outcome.out());
    assertEquals(1, outcome.err().size(), outcome::toString);
    assertTrue(outcome.err().getFirst().startsWith("bloomgate: " + reason), outcome::toString);
  }
}
