package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the help offers, and what a command says when it was understood in another way. */
class HelpTextTest {

  /** Every command that a user can see, the whole tree. */
  private static List<CommandLine> commands() {
    List<CommandLine> all =
        new ArrayList<>(List.of(CommandTree.build(Shell.bare(OutputStream.nullOutputStream()))));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).getSubcommands().values());
    }
    return all.stream().filter(c -> !c.getCommandSpec().usageMessage().hidden()).toList();
  }

  /** The help of a group shows the first text of each description, and no more. */
  @Test
  void everyCommandIsSummedUpInOneShortSentence() {
    List<String> bad =
        commands().stream()
            .map(CommandLine::getCommandSpec)
            .filter(spec -> {
              String[] description = spec.usageMessage().description();
              return description.length == 0 || !description[0].matches("[A-Z].{10,98}[.]");
            })
            .map(spec ->
                spec.qualifiedName() + ": " + Arrays.toString(spec.usageMessage().description()))
            .toList();
    assertEquals(List.of(), bad);
  }

  /** An example can be copied as it is, and a time is in one piece. */
  @Test
  void noExampleAndNoTimeIsWrapped() {
    List<String> bad = new ArrayList<>();
    for (CommandLine command : commands()) {
      String name = command.getCommandSpec().qualifiedName();
      List<String> help = command.getUsageMessage().lines().toList();
      int example = help.indexOf("Example:");
      int lines = command.getCommandSpec().usageMessage().footer().length - 2;
      for (String line : help) {
        if (line.matches(".*[0-9](?:T[0-9:]*:|-)")) {
          bad.add(name + ": " + line);
        }
      }
      int wanted = name.equals("bloomgate") ? 1 : lines;
      if (example < 0 || help.size() - example - 1 != wanted) {
        bad.add(name + ": " + help.subList(Math.max(0, example), help.size()));
      }
    }
    assertEquals(List.of(), bad);
  }

  /** It is an error there, and what is no option of a command does not belong in its help. */
  @Test
  void offlineIsOfferedWhereItHasAnEffect() {
    for (String line : List.of("", "explain", "sessions", "sessions list", "top", "feeds diff")) {
      assertTrue(
          Shell.run((line + " --help").strip().split(" ")).out().contains("--offline"), line);
    }
    for (String line :
        List.of("status", "allow add", "feeds refresh", "config", "impact", "init")) {
      assertFalse(Shell.run((line + " --help").split(" ")).out().contains("--offline"), line);
    }
  }

  /** From the checks that there are: some were missing once. */
  @Test
  void helpNamesEachCheckOfAFeed() {
    String help = Shell.run("feeds", "add", "--help").out().replaceAll("\\s+", " ");
    for (Check check : Check.values()) {
      assertTrue(help.matches(".*--check=CHECK[^=]*\\b" + check.key() + "\\b.*"), help);
    }
  }

  /** The columns REFUSED and PUT OFF are read as replies where nothing says what they are. */
  @ParameterizedTest
  @ValueSource(strings = {"stats", "report"})
  void helpSaysWhatTheAnswersOfModeSoftCountAs(String command) {
    String help = Shell.run(command, "--help").out().replaceAll("\\s+", " ");
    assertTrue(
        help.contains("a 451 that mode soft gave in place of a 554 is refused")
            || help.contains("a 451 that mode soft gave in place of a 554 is REFUSED"),
        help);
  }
}
