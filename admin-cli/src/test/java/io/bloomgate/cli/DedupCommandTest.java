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
    run(false, "", "dedup", file.toString(), "--window", "1h")
        .answers("x\ny\n")
        .isSilent()
        .exits(0);
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
    Shell.Result result =
        run(false, tooLong + tooLong, "dedup").answers(tooLong + tooLong).exits(4);
    assertEquals(
        "warning: lines of more than 1048576 octets, passed without being compared: 2\n",
        result.err());
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 30; i++) {
      many.append(i).append('\n');
    }
    Shell.Result small =
        run(false, many.toString(), "dedup", "--entries", "7").answers(many.toString()).exits(0);
    assertTrue(small.err().startsWith("warning: more than 7 different lines; "), small.err());
    assertEquals(1, small.err().lines().count());
  }

  @Test
  void aMissingFileIsOneLine() {
    Shell.Result missing = run(false, "", "dedup", folder.resolve("none").toString()).exits(2);
    assertEquals(1, missing.err().lines().count(), missing.err());
    run(false, "", "dedup", folder.toString()).fails(2, "is a directory");
    run(false, "", "dedup", "--entries", "500000000").fails(1, "-Xmx");
    run(false, "", "dedup", "--entries", "0").fails(2, "--entries is between 1 and ");
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
    run(false, "", "dedup", "--state", state, "--entries", "100")
        .fails(2, "another --entries, --fpp or --window");
    run(false, "", "dedup", "--forget").exits(2);
  }
}
