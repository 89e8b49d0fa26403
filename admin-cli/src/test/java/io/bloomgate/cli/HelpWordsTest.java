package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.Check;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the help of single commands must say. */
class HelpWordsTest {

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
