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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refreshes in real processes that find the disk full. */
class RefreshCrashTest {

  private static final Instant START = Instant.parse("2026-11-21T07:00:00Z");
  private static final int ENTRIES = 3000;

  @TempDir private Path directory;

  /** Refreshes a file feed once. */
  static final class Child {
    private Child() {}

    /** Arguments: directory, and the most octets that a file may have after the start. */
    public static void main(String[] arguments) throws Exception {
      try (RefreshStage stage = RefreshCrashTest.stage(Path.of(arguments[0]))) {
        limitFiles(arguments[1]);
        stage.refresh(List.of("own"), false, true);
        System.out.println(stage.state("own") + " " + stage.problem("own"));
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

  private Process start(long mostOctets) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Child.class.getName()));
    command.addAll(List.of(directory.toString(), Long.toString(mostOctets)));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
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
    Process child = start(mostOctets);
    List<String> answers;
    try (BufferedReader lines = child.inputReader(UTF_8)) {
      answers = lines.lines().toList();
    }
    assertEquals(0, child.waitFor(), answers.toString());
    assertTrue(answers.getLast().startsWith("cached"), answers.toString());
    assertTrue(answers.getLast().contains(problem), answers.toString());
    try (RefreshStage stage = stage(directory)) {
      assertWhole(stage, "after a full disk");
      assertTrue(stage.listsIp("198.18.0.1"));
    }
  }
}
