package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.cli.command.Surroundings;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The part of the tree that one call needs, and the commands with which Java is trained. */
class SmallTreeTest {

  /** Whatever the launcher trains with must be a command, or Java learns how to refuse it. */
  @Test
  void trainingKnowsItsCommands() {
    CommandLine tree = CommandTree.build(Shell.bare(OutputStream.nullOutputStream()));
    for (String command : Training.COMMANDS) {
      tree.parseArgs(command.split(" "));
    }
  }

  /** A call has only the commands that its words can mean; mistakes are answered by all of them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "feeds lst",
        "-c status versoin",
        "explain --nothing",
        "allow add",
        "sessions show",
        "feeds -h list",
        "feeds list --help",
        "--help",
        "-c list feeds -h",
        "filter --help"
      })
  void aSmallTreeAnswersAsTheWholeOne(String line) {
    String[] words = line.isEmpty() ? new String[0] : line.split(" ");
    assertEquals(answer(words, true), answer(words, false));
  }

  @Test
  void aSmallTreeIsSmall() {
    CommandLine tree =
        CommandTree.build(
            Shell.bare(OutputStream.nullOutputStream()), List.of("allow", "add", "status"));
    assertEquals(Set.of("allow", "status"), tree.getSubcommands().keySet());
    CommandLine allow = Objects.requireNonNull(tree.getSubcommands().get("allow"));
    assertEquals(Set.of("add"), allow.getSubcommands().keySet());
  }

  private static String answer(String[] words, boolean whole) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Surroundings around = Shell.bare(out);
    CommandLine tree =
        whole ? CommandTree.build(around) : CommandTree.build(around, List.of(words));
    int exitCode = tree.execute(words);
    return exitCode + " " + out.toString(StandardCharsets.UTF_8);
  }
}
