package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the help offers, and what a command says when it was understood in another way. */
class HelpTextTest {

  @ParameterizedTest
  @ValueSource(strings = {"explain --help", "help explain", "completion bash", "completion zsh"})
  void everyOptionOfExplainIsOffered(String line) {
    String out = Shell.run(line.split(" ", -1)).out();
    assertTrue(out.contains("--helo"), out);
    assertTrue(out.contains("--at"), out);
    assertFalse(out.contains("not in this release"), out);
  }

  @Test
  void aSignIsNoSubjectOfExplain() {
    Shell.Result result = Shell.run("explain", "no_reverse_name");
    assertEquals(2, result.exitCode());
    assertTrue(result.err().contains("`no_reverse_name` is a sign of the settings"), result.err());
  }

  @Test
  void eachCommandOfAGroupIsDescribedByAWholeSentence() {
    assertTrue(
        Shell.run("feeds", "--help").out().replaceAll("\\s+", " ").contains("or held entries."),
        Shell.run("feeds", "--help").out());
  }
}
