package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.allow;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Durability in a real process that runs out of disk. */
class OperatorCrashTest {

  @TempDir private Path directory;

  /** Adds entries one by one and says so after each. */
  static final class Child {
    private Child() {}

    /** The argument is the folder. */
    public static void main(String[] arguments) throws Exception {
      try (OperatorLists lists = Entries.open(Path.of(arguments[0]))) {
        for (int i = 0; i < 10_000; i++) {
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

  private Process start() throws IOException {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "ulimit -f 6000; exec \"$@\"", "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.add(directory.toString());
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private List<String> stored() throws OperatorListsException {
    try (OperatorLists lists = Entries.open(directory)) {
      return Entries.all(lists).stream().map(e -> e.subject().toString()).toList();
    }
  }

  /** A file-size limit stands for a full disk: SQLite's write fails in the middle of a commit. */
  @Test
  void aDiskErrorLosesNothingThatWasAnswered() throws Exception {
    Process child = start();
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
