package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.allow;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Durability against real processes: one is killed, one runs out of disk. */
class OperatorCrashTest {

  private static final InstantSource CLOCK = InstantSource.fixed(NOW);

  @TempDir private Path directory;

  /** Adds entries one by one and says so after each; what the tests kill. */
  static final class Child {
    private Child() {}

    /** Arguments: the database, how many entries. */
    public static void main(String[] arguments) throws Exception {
      try (OperatorLists lists = OperatorLists.open(Path.of(arguments[0]), noFiles(), CLOCK)) {
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
          try {
            lists.add(List.of(allow(name(i) + " # " + "x".repeat(400))), new Origin("c", "add"));
          } catch (OperatorListsException e) {
            System.out.println("failed " + e.userMessage());
            break;
          }
          System.out.println("added " + i);
        }
        System.in.read();
      }
    }
  }

  private static String name(int number) {
    return "host" + number + ".example";
  }

  private static ListFiles noFiles() {
    return new ListFiles(
        List.of(), List.of(), new WidthRules(List.of(), List.of(), ignored -> false), CLOCK);
  }

  private Process start(String limit, int entries) throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", limit + "exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.add(directory.resolve(OperatorLists.FILE_NAME).toString());
    command.add(Integer.toString(entries));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private List<String> stored() throws OperatorListsException {
    try (OperatorLists lists =
        OperatorLists.open(directory.resolve(OperatorLists.FILE_NAME), noFiles(), CLOCK)) {
      return Entries.all(lists).stream().map(e -> e.subject().toString()).toList();
    }
  }

  @Test
  void whatWasAnsweredSurvivesKill9() throws Exception {
    Process child = start("", 3);
    List<String> expected = new ArrayList<>();
    try (BufferedReader answers = child.inputReader(UTF_8)) {
      for (int i = 0; i < 3; i++) {
        assertEquals("added " + i, answers.readLine());
        expected.add(name(i));
      }
      child.destroyForcibly().waitFor();
    }
    assertEquals(expected, stored());
  }

  /** A file-size limit stands for a full disk: SQLite's write fails in the middle of a commit. */
  @Test
  void aDiskErrorLosesNothingThatWasAnswered() throws Exception {
    Process child = start("ulimit -f 6000; ", 10_000);
    List<String> expected = new ArrayList<>();
    String last;
    try (BufferedReader answers = child.inputReader(UTF_8)) {
      while ((last = answers.readLine()) != null && last.startsWith("added")) {
        expected.add(name(expected.size()));
      }
      child.destroyForcibly().waitFor();
    }
    assertNotNull(last, "the limit was never reached");
    assertTrue(last.startsWith("failed") && last.contains("nothing was changed"), last);
    assertTrue(expected.size() > 10, "entries before the limit: " + expected.size());
    assertEquals(expected, stored());
  }
}
