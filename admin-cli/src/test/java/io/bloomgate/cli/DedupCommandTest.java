package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.workbench.dedup.Dedup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bloomgate dedup} as a user runs it. */
class DedupCommandTest {

  @TempDir private Path folder;

  private static Shell.Result run(boolean terminal, String in, String... args) {
    return Shell.run(Map.of(), in, terminal, args);
  }

  @Test
  void newLinesOrRepeats() throws Exception {
    assertEquals("a\nb\n", run(false, "a\nb\na\n", "dedup").out());
    assertEquals("a\n", run(false, "a\nb\na\n", "dedup", "-", "--repeated").out());
    Path file = Files.writeString(folder.resolve("lines"), "x\nx\ny");
    Shell.Result result = run(false, "", "dedup", file.toString(), "--window", "1h");
    assertEquals("x\ny\n", result.out());
    assertEquals("", result.err());
    assertEquals(0, result.exitCode());
  }

  /** A pipe gets octets, a terminal gets nothing that could move its cursor, JSON gets objects. */
  @Test
  void linesOfOthersDoNoHarmOnATerminal() {
    String escape = "\u001b[2Jx\ny\n\u001b[2Jx\n";
    assertEquals("\u001b[2Jx\ny\n", run(false, escape, "dedup").out());
    assertEquals("\u001b[2Jx\ny\n", run(true, escape, "dedup", "-o", "raw").out());
    assertEquals("\\u001b[2Jx\ny\n", run(true, escape, "dedup").out());
    assertEquals(
        "{\"line\":\"\\u001b[2Jx\"}\n{\"line\":\"y\"}\n",
        run(true, escape, "dedup", "-o", "json").out());
  }

  @Test
  void whatIsNotComparedAndWhatIsForgottenIsReported() {
    String tooLong = "z".repeat(Dedup.MAX_LINE_OCTETS + 1) + "\n";
    Shell.Result result = run(false, tooLong + tooLong, "dedup");
    assertEquals(tooLong + tooLong, result.out());
    assertEquals(4, result.exitCode());
    assertEquals(
        "warning: lines of more than 1048576 octets, passed without being compared: 2\n",
        result.err());
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      many.append(i).append('\n');
    }
    Shell.Result small = run(false, many.toString(), "dedup", "--entries", "7");
    assertEquals(many.toString(), small.out());
    assertEquals(0, small.exitCode());
    assertTrue(small.err().startsWith("warning: more than 7 different lines; "), small.err());
    assertEquals(1, small.err().lines().count());
  }

  @Test
  void aMissingFileIsOneLine() {
    Shell.Result missing = run(false, "", "dedup", folder.resolve("none").toString());
    assertEquals(2, missing.exitCode());
    assertEquals(1, missing.err().lines().count(), missing.err());
    Shell.Result directory = run(false, "", "dedup", folder.toString());
    assertEquals(2, directory.exitCode());
    assertTrue(directory.err().contains("is a directory"), directory.err());
    Shell.Result much = run(false, "", "dedup", "--entries", "500000000");
    assertEquals(1, much.exitCode());
    assertTrue(much.err().contains("-Xmx"), much.err());
    Shell.Result few = run(false, "", "dedup", "--entries", "0");
    assertEquals(2, few.exitCode());
    assertTrue(few.err().contains("--entries is between 1 and "), few.err());
  }

  @Test
  void whatWasSeenIsKeptInAFile() {
    String state = folder.resolve("state").toString();
    String[] keep = {"dedup", "--state", state, "--window", "7d", "--entries", "100"};
    assertEquals("a\nb\n", run(false, "a\nb\n", keep).out());
    assertEquals("c\n", run(false, "b\nc\na\n", keep).out());
    String[] forget = Arrays.copyOf(keep, keep.length + 1);
    forget[keep.length] = "--forget";
    assertEquals(new Shell.Result(0, "", ""), run(false, "b\n", forget));
    assertEquals("b\n", run(false, "a\nb\nc\n", keep).out());
    Shell.Result other = run(false, "", "dedup", "--state", state, "--entries", "100");
    assertEquals(2, other.exitCode());
    assertTrue(other.err().contains("another --entries, --fpp or --window"), other.err());
    assertEquals(2, run(false, "", "dedup", "--forget").exitCode());
  }
}
