package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.command.RawColumns;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

/** The whole tree: help with an example everywhere, global options anywhere, usage mistakes. */
class CommandTreeTest {

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

  @Test
  void versionIsPrintedEverywhere() {
    assertTrue(Shell.run("version").out().startsWith("bloomgate "));
    assertTrue(Shell.run("--version").out().startsWith("bloomgate "));
    assertTrue(Shell.run("version", "-o", "json").out().startsWith("{\"version\":\""));
    assertTrue(Shell.run("version", "-v").out().contains("TLS of the gateway: "));
  }

  @Test
  void helpIsACommandToo() {
    assertEquals(Shell.run("--help").out(), Shell.run("help").out());
    assertEquals(
        Shell.run("feeds", "add", "--help").out(), Shell.run("help", "feeds", "add").out());
  }
}
