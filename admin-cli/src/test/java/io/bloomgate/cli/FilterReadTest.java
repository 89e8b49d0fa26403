package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.workbench.WorkbenchTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looking at filter files, asking them, and putting two side by side. */
class FilterReadTest {

  @TempDir Path folder;

  private String filter = "";

  @BeforeEach
  void build() throws IOException {
    filter =
        built("f", "203.0.113.7\n198.51.100.0/24\n2001:db8::/32\n*.bad.example\nA@b.example\n");
  }

  private String built(String name, String list, String... more) throws IOException {
    Path source = Files.writeString(folder.resolve(name + ".list"), list);
    String target = folder.resolve(name).toString();
    Shell.run(List.of("filter", "build", source.toString(), "-o", target), more).exits(0);
    return target;
  }

  @Test
  void keysAreNormalisedAsTheListsWereAndNeitherParentsNorNetworksAreAsked() {
    Shell.line(
            "filter query %s 203.0.113.7 ::ffff:203.0.113.7 198.51.100.77/24 2001:DB8:0::/32"
                + " BAD.example. *.bad.example a@B.Example 198.51.100.7 www.bad.example",
            filter)
        .exits(1)
        .answers(
            """
            maybe  203.0.113.7
            maybe  ::ffff:203.0.113.7
            maybe  198.51.100.77/24
            maybe  2001:DB8:0::/32
            maybe  BAD.example.
            maybe  *.bad.example
            maybe  a@B.Example
            no     198.51.100.7
            no     www.bad.example
            """);
  }

  @Test
  void aKeyThatIsNoneIsNamed() {
    Shell.Result result =
        Shell.run("filter", "query", filter, "203.0.113.7", "localhost", "x\u001b[2J.example")
            .exits(2)
            .answers("maybe  203.0.113.7\n?      localhost\n?      x\\u001b[2J.example\n");
    assertEquals(2, result.err().lines().count(), result.err());
    assertTrue(result.err().startsWith("bloomgate: key 2 is not a key: "), result.err());
  }

  private Shell.Result queryLines(byte[] lines, String... options) {
    String[] args = new String[options.length + 4];
    List.of("filter", "query", filter, "-").toArray(args);
    System.arraycopy(options, 0, args, 4, options.length);
    return Shell.run(Map.of(), lines, false, Shell.MEANS, args);
  }

  @Test
  void aStreamIsAnsweredLineByLine() {
    Shell.Result result =
        queryLines(
            "bad.example\r\n203.0.113.8\n a@b.example \n203.0.113.7"
                .getBytes(StandardCharsets.UTF_8),
            "-o",
            "json");
    assertEquals(
        new Shell.Result(
            0,
            """
            {"key":"bad.example","maybe":true}
            {"key":"203.0.113.8","maybe":false}
            {"key":" a@b.example ","maybe":true}
            {"key":"203.0.113.7","maybe":true}
            """,
            ""),
        result);
    assertEquals(new Shell.Result(0, "", ""), queryLines(new byte[0]));
  }

  @Test
  void everyLineHasAnAnswerWhateverItHolds() {
    byte[] garbage = new byte[200_000];
    new SplittableRandom(Shell.SEED).nextBytes(garbage);
    int lines = 1;
    for (int i = 0; i < garbage.length; i++) {
      // Also lines longer than any key.
      if (garbage[i] == '\n' && i > 100_000) {
        garbage[i] = ' ';
      }
      lines += garbage[i] == '\n' ? 1 : 0;
    }
    Shell.Result result = queryLines(garbage, "-o", "json").exits(4);
    assertEquals(lines, result.out().lines().count());
    assertEquals(lines, result.err().lines().count());
    result.prints(
        "\"problem\":\"longer than 4096 octets\"", "\"maybe\":null,\"problem\":\"not UTF-8\"");
    assertFalse(
        (result.out() + result.err())
            .chars()
            .anyMatch(c -> c != '\n' && Character.isISOControl(c)));
    Shell.Result mixed =
        queryLines("bad.example\n\nno\n".getBytes(StandardCharsets.UTF_8))
            .answers("maybe  bad.example\n?\n?      no\n")
            .exits(4);
    assertEquals(1, mixed.err().lines().count(), mixed.err());
    assertTrue(mixed.err().startsWith("bloomgate: line 3 is not a key: "), mixed.err());
    Shell.Result blank = queryLines("\nbad.example\n \n".getBytes(StandardCharsets.UTF_8));
    assertEquals(new Shell.Result(0, "?\nmaybe  bad.example\n?\n", ""), blank);
  }

  @Test
  void verifySaysWholeOrWhatIsDamaged() throws IOException {
    assertEquals(
        new Shell.Result(0, filter + " is whole\n", ""), Shell.run("filter", "verify", filter));
    byte[] octets = Files.readAllBytes(Path.of(filter));
    octets[520] ^= 1;
    Files.write(Path.of(filter), octets);
    Shell.run("filter", "verify", filter)
        .exits(1)
        .answers("damaged: " + filter + " is damaged in page 0 (octets from 0 of its body)\n");
    Shell.Result json = Shell.run("filter", "verify", filter, "-o", "json");
    assertTrue(
        json.out()
            .startsWith("{\"file\":\"" + filter + "\",\"checksum\":\"damaged\",\"reason\":\""),
        json.out());
    json.exits(1);
  }

  @Test
  void aFilterLargerThanTheMemoryCanStillBeVerified() throws IOException {
    WorkbenchTools little = new WorkbenchTools(() -> new SplittableRandom(1), () -> 0, 600);
    Shell.with(little, "filter", "verify", filter).exits(0);
    Shell.with(little, "filter", "inspect", filter).fails(1, "give it more");
    byte[] octets = Files.readAllBytes(Path.of(filter));
    octets[520] ^= 1;
    Files.write(Path.of(filter), octets);
    Shell.with(little, "filter", "verify", filter).exits(1);
  }

  /** Where 1 is an answer, a script must not take a broken file for it. */
  private static int noAnswer(String command) {
    return command.equals("query") || command.equals("compare") ? 2 : 1;
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "verify", "query", "compare"})
  void filesThatAreNoneAreNamed(String command) throws IOException {
    String[] more = command.equals("query") ? new String[] {"a.example"} : new String[] {filter};
    if (command.equals("inspect") || command.equals("verify")) {
      more = new String[0];
    }
    run(command, folder.resolve("none"), more).fails(2, "there is no file");
    assertNo("is a directory", command, folder, more);
    Shell.Result text = run(command, folder.resolve("f.list"), more);
    assertEquals(noAnswer(command), text.exitCode());
    assertTrue((text.out() + text.err()).contains("is not a Bloomgate file"), text.err());
    Path nasty = Files.writeString(folder.resolve("x\u001b[31m\u202e"), "x");
    Shell.Result shown = run(command, nasty, more);
    assertFalse((shown.out() + shown.err()).contains("\u001b"), shown.err());
    Path secret = Path.of(built("secret", "a.example\n"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(secret), "root may read everything");
    run(command, secret, more).exits(5);
  }

  private static void assertNo(String says, String command, Path file, String... more) {
    Shell.Result result = run(command, file, more);
    assertEquals(noAnswer(command), result.exitCode(), result.err());
    result.complains(says).printsNothing();
  }

  private static Shell.Result run(String command, Path file, String... more) {
    return Shell.run(List.of("filter", command, file.toString()), more);
  }

  @Test
  void twoFiltersStandSideBySide() throws IOException {
    String other = built("g", "203.0.113.7\nbad.example\nnew.example\n", "--kind", "classic");
    // One seed for both in this shell; the same keys have the same hashes.
    Shell.Result result = Shell.run("filter", "compare", filter, other).exits(0);
    assertTrue(result.out().matches("(?s).*\nkind +split-block +classic\n.*"), result.out());
    assertTrue(
        result.out().matches("(?s).*\nThey answer alike for 9[0-9.]+ % of 1,000,000 .*"),
        result.out());
    result.printsNo("seeds differ");
    Path keys =
        Files.writeString(
            folder.resolve("keys"), "203.0.113.7\nnew.example\nbad.example\na@b.example\n");
    Shell.Result onKeys = Shell.run("filter", "compare", filter, other, "--keys", keys.toString());
    assertEquals(1, onKeys.exitCode(), "they differ for keys of the list");
    assertTrue(
        onKeys
            .out()
            .endsWith(
                "Of 4 keys of "
                    + keys
                    + ": both maybe 2, only the first 1, only the second 1, neither 0.\n"),
        onKeys.out());
  }

  @Test
  void filtersOfDifferentSeedsNeedKeys() throws IOException {
    String other = folder.resolve("other").toString();
    WorkbenchTools random = new WorkbenchTools(() -> new SplittableRandom(7), () -> 0, 1L << 28);
    Shell.with(random, "filter", "build", filter + ".list", "-o", other);
    Shell.run("filter", "compare", filter, other).ends(0, "Their seeds differ");
    Shell.Result json =
        Shell.run(
                "filter", "compare", filter, other, "--keys", filter + ".list", "--output", "json")
            .ends(0, "\"same_seed\":false", "\"both\":5,\"only_a\":0,\"only_b\":0,\"neither\":0");
    assertEquals(1, json.out().lines().count());
  }
}
