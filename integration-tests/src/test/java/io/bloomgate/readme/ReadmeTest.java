package io.bloomgate.readme;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import io.bloomgate.checkout.ClassArchive;
import io.bloomgate.cli.CommandLineInProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Types what README.md and the handbook tell their reader to type. The two commands of the first
 * screen build and test everything, this test among it, so they are run by {@code .ci/run}.
 */
class ReadmeTest {
  private static final String DEMO = "gateway/bin/bloomgate demo";
  private static final String VERIFY = "mvn verify";
  private static final String START = "config/handbook/start.md";
  private static final List<String> HANDBOOK =
      Stream.of(
              "start",
              "first-week",
              "partner",
              "lists",
              "content",
              "operation",
              "fleet",
              "reference")
          .map(name -> "config/handbook/" + name + ".md")
          .toList();
  private static final List<String> PAGES =
      Stream.concat(
              Stream.of(
                  "README.md",
                  "config/README.md",
                  "config/recipes.md",
                  "blocklists/README.md",
                  "gateway/README.md",
                  "integration-tests/bench/README.md"),
              HANDBOOK.stream())
          .toList();
  private static final int MAX_WORDS = 30;
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final Set<String> STARTS_A_GATEWAY = Set.of("run", "demo");

  @TempDir Path folder;

  @Test
  void firstScreenShowsTheTwoCommandsThatAreRunInCi() throws IOException {
    Readme readme = Readme.load();
    assertEquals(List.of(DEMO + "\n", VERIFY + "\n"), readme.blocks().subList(0, 2));
    assertTrue(readme.lineOf(VERIFY) <= 25, "the second command is on the first screen");
    List<String> ci = Files.readAllLines(Checkout.root().resolve(".ci/run"));
    assertTrue(ci.stream().anyMatch(line -> line.matches("mvn .*verify")), ci::toString);
    assertTrue(ci.contains(DEMO + " --once"), ci::toString);
  }

  /** The rows that the page shows are rows of the demo, whose last column is a time. */
  @Test
  void demoLooksAsShown() throws Exception {
    assertEquals(0, run("sh", "-c", DEMO + " --once"), this::everything);
    List<String> rows = Readme.load().demoRows();
    assertTrue(rows.size() > 3, rows::toString);
    List<String> printed = output().lines().toList();
    for (String row : rows) {
      assertTrue(printed.stream().anyMatch(line -> line.startsWith(row)), () -> row + everything());
    }
  }

  static List<String> otherBlocks() throws IOException {
    List<String> blocks = Readme.load().blocks();
    List<String> others = new ArrayList<>(blocks.subList(2, blocks.size()));
    for (String page : HANDBOOK) {
      others.addAll(Readme.load(page).blocks());
    }
    others.addAll(Readme.load("blocklists/README.md").blocks());
    return others;
  }

  /**
   * Folders of the system are played by a temporary one, and commands that change the system by
   * ones that write down how they were called.
   */
  @ParameterizedTest
  @MethodSource("otherBlocks")
  void blockRuns(String block) throws Exception {
    String here =
        block
            .replace("/tmp/", folder + "/")
            .replace("/etc/", folder + "/etc/")
            .replace("/usr/bin/", folder + "/bin/")
            .replace("sudo ", "");
    Files.createDirectories(folder.resolve("etc/systemd/system"));
    Files.createDirectories(folder.resolve("bin"));
    for (String command : List.of("useradd", "systemctl")) {
      Path program = folder.resolve("bin").resolve(command);
      Files.writeString(program, "#!/bin/sh\necho " + command + " \"$@\"\n");
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    String path = "PATH=" + folder.resolve("bin") + ":$PATH; ";
    assertEquals(0, run("sh", "-e", "-c", path + here), () -> here + everything());
  }

  /** What the unit starts is where the commands of the page put it, and the user comes first. */
  @Test
  void theServiceIsInstalledInTheOrderThatItNeeds() throws IOException {
    String install =
        Readme.load(START).blocks().stream()
            .filter(b -> b.contains("useradd"))
            .findFirst()
            .orElse("");
    String unit =
        Files.readString(Checkout.root().resolve("config/systemd/bloomgate.service"), UTF_8);
    assertTrue(unit.contains("ExecStart=/usr/bin/bloomgate run"), unit);
    assertTrue(unit.contains("User=bloomgate"), unit);
    assertTrue(install.contains(" /usr/bin/bloomgate\n"), install);
    assertTrue(install.indexOf("useradd") < install.indexOf("bloomgate init"), install);
  }

  static Stream<String> commands() throws IOException {
    return PAGES.stream().flatMap(page -> load(page).commands().stream()).distinct();
  }

  /**
   * A renamed or missing command would show the help of what is above it: a group of commands. Only
   * the words that start a gateway are run as programs; {@code LauncherTest} holds which program a
   * word starts, and one Java per word would cost this class half of its time.
   */
  @ParameterizedTest
  @MethodSource("commands")
  void commandExists(String command) throws Exception {
    String help = STARTS_A_GATEWAY.contains(command) ? helpOfProgram(command) : help(command);
    String usage = help.lines().filter(line -> line.startsWith("Usage")).findFirst().orElse("");
    assertTrue(usage.startsWith("Usage: bloomgate " + command.replaceFirst(" .*", "")), help);
    // A group alone does nothing; report does something, and has commands below it.
    assertFalse(usage.contains("[COMMAND]") && !usage.startsWith("Usage: bloomgate report"), help);
    assertFalse(help.contains("Not in this release"), help);
  }

  private String helpOfProgram(String command) throws IOException, InterruptedException {
    assertEquals(
        0, run("sh", "-c", "gateway/bin/bloomgate " + command + " --help"), this::everything);
    return output();
  }

  private static String help(String command) {
    var result = CommandLineInProcess.run((command + " --help").split(" +"));
    assertEquals(0, result.exitCode(), result::toString);
    return result.out();
  }

  private static Readme load(String page) {
    try {
      return Readme.load(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void commandsAreFound() throws IOException {
    List<String> commands =
        HANDBOOK.stream().flatMap(page -> load(page).commands().stream()).toList();
    assertTrue(
        commands.containsAll(List.of("explain", "allow add", "feeds list")), commands::toString);
  }

  static List<String> pages() {
    return PAGES;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void linksLeadToFilesAndSections(String page) throws IOException {
    Path file = Checkout.root().resolve(page);
    for (Readme.Link link : Readme.load(page).links()) {
      Path target = link.file().isEmpty() ? file : file.resolveSibling(link.file());
      assertTrue(Files.exists(target), () -> page + ": " + link);
      if (!link.section().isEmpty()) {
        Readme there = new Readme(Files.readString(target, UTF_8));
        assertTrue(there.sections(2, 3).contains(link.section()), () -> page + ": " + link);
      }
    }
    assertFalse(Readme.load().links().isEmpty());
  }

  static List<String> handbook() {
    return HANDBOOK;
  }

  /** A page of one section needs no list of them. */
  @ParameterizedTest
  @MethodSource("handbook")
  void aPageOfTheHandbookListsItsSections(String page) throws IOException {
    Readme readme = Readme.load(page);
    List<String> sections = readme.sections(2, 2);
    assertEquals(sections.size() == 1 ? List.of() : sections, readme.listedSections());
    assertTrue(Readme.load("config/README.md").text().contains(page.replace("config/", "(")), page);
  }

  /** A table is for looking up; what needs more words is a paragraph below it. */
  @ParameterizedTest
  @MethodSource("handbook")
  void aCellOfATableIsShort(String page) throws IOException {
    List<String> cells = Readme.load(page).cells();
    assertEquals(List.of(), cells.stream().filter(c -> c.split(" +").length > MAX_WORDS).toList());
  }

  @Test
  void theFirstPageIsShort() throws IOException {
    assertTrue(Readme.load().text().lines().count() <= 120);
  }

  private int run(String... command) throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(List.of(command));
    boolean ownGroup = Files.isExecutable(SETSID);
    if (ownGroup) {
      whole.addFirst(SETSID.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(whole).directory(Checkout.root().toFile());
    Map<String, String> environment = builder.environment();
    environment.put(
        "BLOOMGATE_JAVA_OPTS",
        "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dbloomgate.warm_up_mails=0"
            + ClassArchive.GATEWAY.launcherWords());
    environment.put(
        "BLOOMGATE_CLI_JAVA_OPTS", "-XX:+UseSerialGC" + ClassArchive.COMMAND.launcherWords());
    builder.redirectOutput(folder.resolve("output").toFile());
    builder.redirectError(folder.resolve("errors").toFile());
    Process process = builder.start();
    int exit = process.waitFor();
    if (ownGroup) {
      killGroup(process.pid());
    }
    return exit;
  }

  /** A block that failed may have left a gateway running, which would write into the folder. */
  private static void killGroup(long leader) throws IOException, InterruptedException {
    String kill = "kill -s KILL -- -" + leader + " 2>/dev/null || exit 0; sleep 0.1";
    new ProcessBuilder("sh", "-c", "for n in $(seq 20); do " + kill + "; done").start().waitFor();
  }

  private String output() {
    return read("output");
  }

  private String everything() {
    return output() + read("errors");
  }

  private String read(String name) {
    try {
      return Files.readString(folder.resolve(name), UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
