package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.workbench.WorkbenchTools;
import io.bloomgate.blocklists.workbench.dedup.Dedup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What commands do with octets and files that a transcript cannot hold. */
class FilterFilesTest {

  private static final int KEYS = 2000;

  @TempDir Path folder;
  private Path list = Path.of("");

  @BeforeEach
  void writeKeys() throws IOException {
    list = Files.write(folder.resolve("list"), keys("a"));
  }

  /** Names that nobody else makes. */
  private static List<String> keys(String tag) {
    return IntStream.range(0, KEYS).mapToObj(i -> "host" + i + "." + tag + ".example").toList();
  }

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private static Shell.Result run(String... words) {
    return Shell.run(List.of("filter"), words);
  }

  private String[] build(String out, String... more) {
    return Stream.of(List.of("filter", "build", list.toString(), "-o", at(out)), List.of(more))
        .flatMap(List::stream)
        .toArray(String[]::new);
  }

  private static void assertFails(int exitCode, String says, Shell.Result result) {
    result.fails(exitCode, says).complainsNo("Exception").printsNothing();
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void everyKindHoldsItsKeysAndIsRead(FilterKind kind) throws IOException {
    Path good = Files.write(folder.resolve("good"), keys("good"));
    boolean cascade = kind == FilterKind.CASCADE;
    String[] asked =
        cascade
            ? new String[] {"--kind", kind.word(), "--known-good", good.toString()}
            : new String[] {"--kind", kind.word()};
    Shell.run(build("f", asked)).ends(0, ": " + kind.word() + " filter", "entries    2,000 of ");
    assertLittleMemoryMakesTheSame(asked);
    run("verify", at("f")).exits(0);
    run("inspect", at("f"), "-o", "json").prints("{\"kind\":\"" + kind.word() + "\",");
    List<String> query = List.of("filter", "query", at("f"));
    Shell.run(query, keys("a").toArray(String[]::new)).ends(0, "maybe").printsNo("no ");
    if (cascade) {
      Shell.run(query, keys("good").toArray(String[]::new)).exits(1).printsNo("maybe");
    }
  }

  /** The first hashes that no longer fit go to a file; the filter is the same, octet for octet. */
  private void assertLittleMemoryMakesTheSame(String... asked) throws IOException {
    WorkbenchTools little =
        new WorkbenchTools(() -> new SplittableRandom(Shell.SEED), () -> 0, 24 * (KEYS / 20));
    Shell.with(little, build("little", asked)).exits(0);
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("f")), Files.readAllBytes(folder.resolve("little")));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(0, files.filter(f -> f.getFileName().toString().startsWith(".")).count());
    }
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
    Shell.run(build("f")).exits(0);
    String[] query = {"filter", "query", at("f"), "-", "-o", "json"};
    Shell.Result result =
        Shell.run(Map.of(), garbage, false, Shell.MEANS, query)
            .ends(
                4,
                "\"problem\":\"longer than 4096 octets\"",
                "\"maybe\":null,\"problem\":\"not UTF-8\"");
    assertEquals(lines, result.out().lines().count());
    assertEquals(lines, result.err().lines().count());
    assertFalse(
        (result.out() + result.err())
            .chars()
            .anyMatch(c -> c != '\n' && Character.isISOControl(c)));
  }

  @Test
  void linesThatAreTooLongPassDedupWithoutBeingCompared() {
    String tooLong = "z".repeat(Dedup.MAX_LINE_OCTETS + 1) + "\n";
    Shell.Result result = Shell.piped(tooLong + tooLong, "dedup").answers(tooLong + tooLong);
    assertEquals(4, result.exitCode());
    assertEquals(
        "warning: lines of more than 1048576 octets, passed without being compared: 2\n",
        result.err());
  }

  @Test
  void aListThatWasCutInsideItsCompressionIsNotBuilt() throws IOException {
    Files.write(list, new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2});
    assertFails(1, "cannot be trusted", Shell.run(build("f")));
    assertTrue(Files.notExists(folder.resolve("f")));
  }

  /** Java says the same of a name with letters beyond ASCII in the locale C. */
  @Test
  void aNameThatTheLocaleDoesNotHaveIsSaid() {
    String name = "x\0y";
    assertFails(2, "set LC_ALL=C.UTF-8", run("query", name, "a.example"));
    run("inspect", name).fails(2, "set LC_ALL=C.UTF-8");
  }

  @Test
  void aPipeIsNotWaitedForTwice() throws Exception {
    String pipe = at("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe).start();
    assertTrue(made.waitFor(60, TimeUnit.SECONDS) && made.exitValue() == 0, "mkfifo");
    String says = pipe + " is a pipe or a device";
    for (String command : List.of("inspect", "verify", "estimate")) {
      assertFails(1, says, run(command, pipe));
    }
    assertFails(2, says, run("query", pipe, "a.example"));
    assertFails(1, says, run("add", pipe, "a.example"));
    assertFails(2, says, run("push", pipe, "redis://127.0.0.1:1/k"));
    assertFails(2, "its format cannot be found", run("build", pipe, "-o", at("out")));
  }

  @Test
  void aFilterThatTheCallerMayNotReadIsAPermission() throws IOException {
    Shell.run(build("f")).exits(0);
    Path filter =
        Files.setPosixFilePermissions(
            folder.resolve("f"), PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(filter), "root may read everything");
    for (String command : List.of("inspect", "verify", "estimate")) {
      run(command, filter.toString()).exits(5);
    }
    run("query", filter.toString(), "a.example").exits(5);
  }
}
