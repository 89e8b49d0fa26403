package io.bloomgate.blocklists.refresh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refreshes in real processes that are killed, or that find the disk full. */
class RefreshCrashTest {

  private static final long SEED = 0x10ad_ed5e_ed08L;
  private static final Instant START = Instant.parse("2026-11-21T07:00:00Z");
  private static final int ENTRIES = 3000;

  @TempDir private Path directory;

  /** Refreshes a file feed again and again, saying so before and after each. */
  static final class Child {
    private Child() {}

    /**
     * Arguments: directory, rounds, whether to write another list before each, and the most octets
     * that a file may have after the start, 0 for any number.
     */
    public static void main(String[] arguments) throws Exception {
      Path directory = Path.of(arguments[0]);
      try (RefreshStage stage = RefreshCrashTest.stage(directory)) {
        if (!arguments[3].equals("0")) {
          limitFiles(arguments[3]);
        }
        for (int round = 0; round < Integer.parseInt(arguments[1]); round++) {
          if (Boolean.parseBoolean(arguments[2])) {
            write(directory, round);
          }
          System.out.println("refreshing " + round);
          stage.refresh(List.of("own"), false, true);
          System.out.println(stage.state("own") + " " + stage.problem("own"));
        }
      }
    }

    private static void limitFiles(String octets) throws Exception {
      String self = Long.toString(ProcessHandle.current().pid());
      Process limiting =
          new ProcessBuilder("prlimit", "--pid", self, "--fsize=" + octets).inheritIO().start();
      assertEquals(0, limiting.waitFor());
    }
  }

  private static RefreshStage stage(Path directory) throws IOException {
    return new RefreshStage(
        Files.createDirectories(directory.resolve("state")),
        START,
        "own: {file: \""
            + directory.resolve("list.txt")
            + "\", every: 1h, guard: {max_turnover: none}}");
  }

  /** Even rounds list 198.18.0.0 and on, odd ones 198.19.0.0; packed, so that a copy is small. */
  private static void write(Path directory, int round) throws IOException {
    String list =
        IntStream.range(0, ENTRIES)
            .mapToObj(i -> "198." + (18 + round % 2) + "." + i / 256 + "." + i % 256 + "\n")
            .collect(Collectors.joining());
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(directory.resolve("list.txt")))) {
      out.write(list.getBytes(UTF_8));
    }
  }

  private Process start(long mostOctets, int rounds, boolean writing) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.addAll(
        List.of(
            directory.toString(),
            Integer.toString(rounds),
            Boolean.toString(writing),
            Long.toString(mostOctets)));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  @Test
  void killedAtAnyStepTheListsAreOneVersionOrTheOther() throws Exception {
    Random random = new Random(SEED);
    for (int attempt = 0; attempt < 3; attempt++) {
      Process child = start(0, 1000, true);
      try (BufferedReader answers = child.inputReader(UTF_8)) {
        int lines = 3 + random.nextInt(5);
        for (int i = 0; i < lines; i++) {
          answers.readLine();
        }
        // Somewhere within the next refresh.
        spin(random.nextInt(20_000_000));
        child.destroyForcibly().waitFor();
      }
      check("seed " + SEED + " attempt " + attempt);
    }
  }

  private static void spin(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  private void check(String what) throws Exception {
    try (RefreshStage stage = stage(directory)) {
      assertTrue(stage.live.current().generation() > 0, what);
      assertWhole(stage, what);
      stage.loop.tick();
      assertWhole(stage, what);
      write(directory, 0);
      stage.refresh(List.of("own"), false, true);
      assertTrue(List.of("fresh", "unchanged").contains(stage.state("own")), what);
      assertTrue(stage.listsIp("198.18.0.1"), what);
      assertEquals(List.of(), stage.alarms, what);
    }
  }

  private static void assertWhole(RefreshStage stage, String what) {
    boolean first = stage.listsIp("198.18.0.0");
    for (int i = 0; i < ENTRIES; i++) {
      String rest = "." + i / 256 + "." + i % 256;
      assertEquals(first, stage.listsIp("198.18" + rest), what);
      assertEquals(!first, stage.listsIp("198.19" + rest), what);
    }
  }

  /** A file-size limit stands for a full disk: the copy fails, or the build. */
  @ParameterizedTest
  @CsvSource({"4096, cannot be written", "28672, could not be built"})
  void aFullDiskLeavesTheLiveLists(int mostOctets, String problem) throws Exception {
    write(directory, 0);
    try (RefreshStage stage = stage(directory)) {
      stage.loop.tick();
      assertTrue(stage.listsIp("198.18.0.1"));
    }
    write(directory, 1);
    Process child = start(mostOctets, 1, false);
    List<String> answers;
    try (BufferedReader lines = child.inputReader(UTF_8)) {
      answers = lines.lines().toList();
    }
    assertEquals(0, child.waitFor(), answers.toString());
    assertEquals("refreshing 0", answers.getFirst());
    assertTrue(answers.getLast().startsWith("cached"), answers.toString());
    assertTrue(answers.getLast().contains(problem), answers.toString());
    try (RefreshStage stage = stage(directory)) {
      assertWhole(stage, "after a full disk");
      assertTrue(stage.listsIp("198.18.0.1"));
    }
  }
}
