package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code filter export}, and {@code query} and {@code inspect} of other libraries' files. */
class ForeignFilterCommandTest {

  @TempDir private Path folder;

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"guava", "redisbloom"})
  void keysAreAskedAsTheyAreWritten(String format) throws Exception {
    String keys = file("keys", "Spam.Example\r\n\nany text, 203.0.113.7\nlast");
    String target = folder.resolve("out").toString();
    Shell.Result made =
        Shell.run("filter", "export", keys, "--format", format, "--to", target, "--fpp", "1e-6");
    assertEquals(0, made.exitCode(), made.err());
    assertTrue(made.out().startsWith(target + ": " + format + " filter, without a checksum\n"));
    Shell.Result asked =
        Shell.run("filter", "query", target, "Spam.Example", "spam.example", "last", "any text");
    assertEquals(
        "maybe  Spam.Example\nno     spam.example\nmaybe  last\nno     any text\n", asked.out());
    assertEquals(1, asked.exitCode());
    Shell.Result shown = Shell.run("filter", "inspect", target, "-o", "json");
    assertTrue(shown.out().contains("\"kind\":\"" + format + "\""), shown.out());
    assertFalse(shown.out().contains("checksum"), shown.out());
  }

  @Test
  void nothingIsOverwrittenAndNothingIsHalfWritten() throws Exception {
    String keys = file("keys", "a\n");
    String there = file("there", "mine\n");
    Shell.Result kept = Shell.run("filter", "export", keys, "--format", "guava", "--to", there);
    assertEquals(2, kept.exitCode());
    assertEquals("mine\n", Files.readString(Path.of(there)));
    String empty = file("empty", "\n\r\n");
    Path out = folder.resolve("out");
    Shell.Result none =
        Shell.run("filter", "export", empty, "--format", "guava", "--to", out.toString());
    assertEquals(1, none.exitCode());
    assertEquals(1, none.err().lines().count(), none.err());
    Shell.Result endless =
        Shell.run(
            "filter",
            "export",
            file("endless", "x".repeat(5000)),
            "--format",
            "guava",
            "--to",
            out.toString());
    assertEquals(1, endless.exitCode());
    assertTrue(endless.err().contains("line 1 of "), endless.err());
    assertFalse(Files.exists(out));
  }

  @Test
  void aFileOfAnotherProgramBesideTheTargetIsLeftAlone() throws Exception {
    String other = file("out.tmp", "another program writes this");
    Path out = folder.resolve("out");
    Shell.Result made =
        Shell.run(
            "filter", "export", file("keys", "a\n"), "--format", "guava", "--to", out.toString());
    assertEquals(0, made.exitCode(), made.err());
    assertEquals("another program writes this", Files.readString(Path.of(other)));
    Path none = folder.resolve("missing").resolve("out");
    Shell.Result failed =
        Shell.run(
            "filter", "export", file("keys", "a\n"), "--format", "guava", "--to", none.toString());
    assertEquals(1, failed.exitCode());
    assertTrue(
        failed.err().startsWith("bloomgate: there is no directory " + folder.resolve("missing")),
        failed.err());
    assertEquals(1, failed.err().lines().count(), failed.err());
  }

  private static void assertRefused(int exitCode, String says, String... args) {
    Shell.Result result = Shell.run(args);
    assertEquals(exitCode, result.exitCode(), result.err());
    assertEquals("", result.out());
    assertEquals(1, result.err().lines().count(), result.err());
    assertTrue(result.err().contains(says), result.err());
  }

  @Test
  void filesOfTheWrongKindAreNamed() throws Exception {
    String list = file("list", "a.example\nb.example\n");
    String filter = folder.resolve("filter").toString();
    String guava = folder.resolve("guava").toString();
    String out = folder.resolve("out").toString();
    assertEquals(0, Shell.run("filter", "build", list, "-o", filter).exitCode());
    Shell.run("filter", "export", list, "--format", "guava", "--to", guava);
    for (String made : List.of(filter, guava)) {
      String what = made.equals(filter) ? "split-block filter" : "filter of Guava";
      String no = made + " is a " + what + ", not a list; name the list";
      assertRefused(2, no, "filter", "export", made, "--format", "redisbloom", "--to", out);
      assertRefused(2, no, "filter", "diff", filter, made);
      assertRefused(2, no, "filter", "compare", filter, filter, "--keys", made);
    }
    assertRefused(2, "not a list", "filter", "build", guava, "-o", out);
    String text = list + " is not a Bloomgate file but text; `bloomgate filter build` makes";
    assertRefused(2, text, "filter", "diff", list, list);
    assertRefused(1, text, "filter", "add", list, "a.example");
    assertRefused(1, text, "filter", "inspect", list);
    Shell.Result verdict = Shell.run("filter", "verify", list);
    assertEquals(1, verdict.exitCode());
    assertEquals("damaged: " + list + " is not a Bloomgate file but text\n", verdict.out());
    assertRefused(1, " file but empty", "filter", "inspect", file("empty", ""));
    Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
    assertRefused(1, "loop cannot be read: Too many levels", "filter", "inspect", loop.toString());
    String foreign = guava + " is a filter of Guava, which this command does not take; ";
    assertRefused(2, foreign, "filter", "add", guava, "a.example");
    assertRefused(2, foreign, "filter", "merge", guava, guava, "-o", out);
    assertRefused(2, foreign, "filter", "estimate", guava);
    assertFalse(Files.exists(Path.of(out)));
  }

  @Test
  void anAddressOfRedisNamesTheCommandForIt() {
    String key = "redis://user:secret@127.0.0.1:1/key";
    String says = "this command takes a file, not a key of Redis; `bloomgate filter query` asks";
    for (String command : List.of("inspect", "verify", "estimate")) {
      assertRefused(2, says, "filter", command, key);
      assertFalse(Shell.run("filter", command, key).err().contains("secret"));
    }
    assertRefused(2, "`bloomgate filter push` writes", "filter", "build", key, "-o", key);
  }

  @Test
  void verifySaysThatThereIsNoChecksum() throws Exception {
    String keys = file("keys", "a\nb\n");
    for (String format : List.of("guava", "redisbloom")) {
      Path made = folder.resolve(format);
      Shell.run("filter", "export", keys, "--format", format, "--to", made.toString());
      Shell.Result checked = Shell.run("filter", "verify", made.toString());
      assertEquals(4, checked.exitCode(), checked.err());
      assertTrue(checked.out().contains("this format has no checksum"), checked.out());
      assertEquals("", checked.err());
      Shell.Result json = Shell.run("filter", "verify", made.toString(), "-o", "json");
      assertTrue(json.out().contains(",\"checksum\":\"none\",\"program\":\""), json.out());
    }
    Path dump = folder.resolve("redisbloom");
    byte[] octets = Files.readAllBytes(dump);
    Files.write(dump, Arrays.copyOf(octets, octets.length - 5));
    Shell.Result cut = Shell.run("filter", "verify", dump.toString());
    assertEquals(1, cut.exitCode());
    assertTrue(cut.out().startsWith("damaged: " + dump + " "), cut.out());
  }

  @Test
  void aDamagedDumpIsOneLine() throws Exception {
    String dump = file("dump", "*2\r\n:1\r\n$4\r\nabcd\r\n");
    Shell.Result result = Shell.run("filter", "inspect", dump);
    assertEquals(1, result.exitCode());
    assertEquals(1, result.err().lines().count(), result.err());
    assertTrue(result.err().contains("a header of 4 octets"), result.err());
  }
}
