package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.command.RawColumns;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The whole tree: help with an example everywhere, global options anywhere, usage mistakes. */
class CommandTreeTest {

  @TempDir Path folder;

  /** Every command that a user can see, as the words to type. */
  private static List<List<String>> commands() {
    List<List<String>> all = new ArrayList<>();
    collect(CommandTree.build(Shell.bare(OutputStream.nullOutputStream())), List.of(), all);
    return all;
  }

  private static void collect(CommandLine command, List<String> path, List<List<String>> all) {
    all.add(path);
    command
        .getSubcommands()
        .forEach((name, sub) -> {
          if (!sub.getCommandSpec().usageMessage().hidden()) {
            List<String> below = new ArrayList<>(path);
            below.add(name);
            collect(sub, below, all);
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> everyCommandHasHelpWithOneExample() {
    return commands().stream()
        .map(path ->
            DynamicTest.dynamicTest(
                "bloomgate " + String.join(" ", path),
                () -> {
                  List<String> args = new ArrayList<>(path);
                  args.add("--help");
                  Shell.Result help = Shell.run(args.toArray(String[]::new));
                  assertEquals(0, help.exitCode(), help.err());
                  assertEquals("", help.err());
                  String[] parts = help.out().split("Example:\n", -1);
                  assertEquals(2, parts.length, help.out());
                  String own =
                      String.join(
                          " ", Stream.concat(Stream.of("  bloomgate"), path.stream()).toList());
                  assertTrue(parts[1].startsWith(own), parts[1]);
                  assertTrue(help.out().contains("--socket"), help.out());
                  assertFalse(help.out().contains("${"), help.out());
                }));
  }

  @Test
  void theTreeHasTheseCommandsAndNoOthers() {
    StringBuilder tree = new StringBuilder();
    for (List<String> path : commands()) {
      switch (path.size()) {
        case 0 -> {}
        case 1 -> tree.append('\n').append(path.getFirst());
        case 2 -> tree.append(' ').append(path.getLast());
        default -> tree.append(" (").append(String.join(" ", path)).append(')');
      }
    }
    assertEquals(
        """
        run
        demo
        init
        status
        health
        explain
        impact
        replay
        feeds list show refresh test formats catalogue diff overlap score promote accept rollback \
        enable disable add update-protected remove
        allow add list remove edit check import export
        block add list remove edit check import export
        recipient set list remove check import export
        audit
        import
        filter build inspect query add remove merge intersect estimate diff size compare verify pack push
        dedup
        tail
        sessions list show
        top
        stats
        report spam good
        traps list suggest
        fleet status key
        config validate show diff reload
        backup
        restore
        support dump
        mode
        doctor
        drain
        resume
        alarms test seen
        completion
        version
        """,
        tree.substring(1) + "\n");
  }

  /** The options of all commands are explained there, and only named elsewhere. */
  @Test
  void theHelpOfTheProgramHasEveryCommandInAGroup() {
    String help = Shell.run("--help").out();
    Shell.assertHas(help, "\nSee what happens:\n  status ");
    for (List<String> path : commands()) {
      if (path.size() == 1) {
        String begin = "  " + path.getFirst() + " ";
        assertEquals(1, help.lines().filter(line -> line.startsWith(begin)).count(), begin);
      }
    }
    String explained = "show stack traces";
    Shell.assertHas(help, explained);
    assertFalse(Shell.run("status", "--help").out().contains(explained));
  }

  @Test
  void commandsWithoutColumnsOfRawAreTheseAlone() {
    List<String> all = commands().stream().map(path -> String.join(" ", path)).toList();
    assertEquals(
        "run, demo, init, impact, replay, feeds overlap, feeds update-protected, filter build,"
            + " filter add, filter remove, filter merge, filter intersect, filter estimate,"
            + " filter diff, filter size, filter compare, filter pack, filter push, fleet"
            + " key, restore, completion",
        all.stream()
            .filter(name -> all.stream().noneMatch(other -> other.startsWith(name + " ")))
            .filter(name -> !name.isEmpty() && RawColumns.of(name).isEmpty())
            .collect(Collectors.joining(", ")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"incidents list"})
  void commandsOfLaterReleasesSaySo(String line) {
    Shell.Result result = Shell.run(line.split(" ", -1)).fails(2, "not in this release");
    assertEquals(1, result.err().lines().count(), result.err());
    result.printsNothing();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "status --what",
        "allow add",
        "allow add example.com --expires soon",
        "allow add example.com --scope ip",
        "allow add example.com --scope any",
        "mode loud",
        "tail --verdict spam",
        "status --timeout 5",
        "config show --default --changed",
        "feeds refresh a --all",
        "explain",
        "run",
        "status --offline",
        "filter build a -o out --kind bloom",
        "filter build a -o out --fpp 0",
        "filter build a -o out --fpp NaN",
        "filter build a -o out --bits-per-entry NaN",
        "filter build a -o out --bits-per-entry 10 --fpp 0.01",
        "filter build a -o out --bits-per-entry 10 --kind fuse8",
        "filter build a -o out --like b --kind classic",
        "filter query f",
        "filter compare a",
        "dedup --fpp 2",
        "dedup --window soon",
        "filter add f",
        "filter merge a -o out",
        "filter intersect a b",
        "filter estimate",
        "filter diff a",
        "filter size",
        "filter size --entries 10",
        "filter size --entries 10 --fpp 0.1 --memory 1MiB",
        "filter size --entries 10 --memory 0B",
        "filter size --entries 10 --fpp 0.1 --hashes 65"
      })
  void mistakesAreUsageErrorsWithoutTrace(String line) {
    Shell.Result result = Shell.run(line.isEmpty() ? new String[0] : line.split(" ", -1));
    result.exits(2);
    assertTrue(result.err().startsWith("bloomgate: "), result.err());
    assertTrue(result.err().lines().count() <= 2, result.err());
    result.complainsNo("Exception").printsNothing();
  }

  @Test
  void whatTheUserTypedCannotPaintTheTerminal() {
    String nasty = "\u001b[31m\u202ex";
    for (String[] args :
        List.of(
            new String[] {nasty},
            new String[] {"mode", nasty},
            new String[] {"-o", nasty, "status"},
            new String[] {"--socket", "/none/" + nasty, "status"},
            new String[] {"config", "validate", nasty},
            new String[] {"feeds", "test", "/none", "--format", nasty})) {
      Shell.Result result = Shell.run(args);
      String all = result.out() + result.err();
      assertFalse(all.contains("\u001b") || all.contains("\u202e"), all);
    }
  }

  @Test
  void versionIsPrintedEverywhere() {
    assertTrue(Shell.run("version").out().startsWith("bloomgate "));
    assertTrue(Shell.run("--version").out().startsWith("bloomgate "));
    assertTrue(Shell.run("version", "-o", "json").out().startsWith("{\"version\":\""));
    assertTrue(Shell.run("version", "-v").out().contains("TLS of the gateway: "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nosuch", "allow nosuch", "feeds nosuch --offline"})
  void aCommandThatDoesNotExistIsAnsweredWithThoseThatDo(String line) {
    Shell.Result result = Shell.run(line.split(" ")).exits(2);
    String first =
        line.startsWith("allow")
            ? "add, list, "
            : line.startsWith("feeds") ? "list, show, " : "run, demo, ";
    result.complains("`nosuch` is not a command", " knows " + first);
    assertFalse(result.err().contains("incidents"), "hidden commands");
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "health", "explain 192.0.2.1", "feeds list", "allow list"})
  void aSettingsFileThatIsNotThereIsNamed(String line) {
    Path none = folder.resolve("none.yaml");
    List<String> args = new ArrayList<>(List.of("-c", none.toString()));
    args.addAll(List.of(line.split(" ")));
    Shell.run(args.toArray(String[]::new))
        .fails(78, none.toString())
        .complainsNo("no gateway answers");
  }

  @ParameterizedTest
  @CsvSource({
    "statuss, status",
    "feeds lits, list",
    "feeds catalogue opnphish, openphish",
    "allow rm x, remove",
    "block delete x, remove",
    "feeds ls, list",
    "feeds delete x, remove",
    "config check, validate",
    "validate, bloomgate config validate",
    "reload, bloomgate config reload",
    "refresh, bloomgate feeds refresh",
    "enforce, bloomgate mode enforce",
    "feeds validate, bloomgate config validate",
    "allow add x --form 192.0.2.0/24, --from",
    "feeds add spamhaus-dorp, spamhaus-drop",
    "mode enforced, enforce"
  })
  void aWordOfOtherProgramsLeadsToOurs(String typed, String meant) {
    Shell.run(typed.split(" ")).fails(2, "; did you mean `" + meant + "`?\n");
  }

  @Test
  void anAddressThatIsAFileLeadsToTheOptionForFiles() {
    for (String path : List.of("/var/lists/drop.txt", "file:///var/lists/drop.txt")) {
      Shell.Result result = Shell.run("feeds", "add", "mine", "--url", path).exits(2);
      assertEquals(
          "bloomgate: --url "
              + path
              + " is a file, not a web address; for a file use --file /var/lists/drop.txt\n",
          result.err());
    }
    assertTrue(Shell.run("feeds", "add", "--help").out().contains("observe, tag, greylist"));
  }

  @Test
  void aWrongValueOfANewFeedNamesItsOption() {
    String[] feed = {"feeds", "add", "mine", "--url", "https://lists.example/a"};
    for (String option : List.of("--check", "--action")) {
      String[] args = Arrays.copyOf(feed, feed.length + 2);
      args[feed.length] = option;
      args[feed.length + 1] = "nope";
      Shell.run(args).fails(2, option, "`nope` is not one of: ");
    }
  }

  @Test
  void helpIsACommandToo() {
    assertEquals(Shell.run("--help").out(), Shell.run("help").out());
    assertEquals(
        Shell.run("feeds", "add", "--help").out(), Shell.run("help", "feeds", "add").out());
  }

  @Test
  void aSettingsFileThatIsNotThereIsNamedWithTheWayToOne() {
    Shell.run("config", "validate", "/nowhere/bloomgate.yaml")
        .exits(2)
        .answers(
            "/nowhere/bloomgate.yaml: there is no such file; check the path, or write the file with"
                + " `bloomgate init`\n1 error, 0 warnings\n");
  }
}
