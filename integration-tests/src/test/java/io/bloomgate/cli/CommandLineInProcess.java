package io.bloomgate.cli;

import io.bloomgate.blocklists.workbench.WorkbenchTools;
import io.bloomgate.cli.command.AnswerStream;
import io.bloomgate.cli.command.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Runs {@code bloomgate} commands in the test's own process, beside a gateway that it started. */
public final class CommandLineInProcess {

  /** Filter files that a command makes have the same seed in every run. */
  private static final long SEED = 20261121;

  private static final long HEAP_OCTETS = 1L << 28;

  /** What a command left behind. */
  public record Result(int exitCode, String out, String err) {}

  private CommandLineInProcess() {}

  /** Runs one command to its end. */
  public static Result run(String... args) {
    return run(Map.of(), args);
  }

  /** The same with more variables of the environment. */
  public static Result run(Map<String, String> more, String... args) {
    Map<String, String> environment = new HashMap<>(Map.of("COLUMNS", "1000")); // long paths
    environment.putAll(more);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Surroundings around =
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            AnswerStream.to(out),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment,
            InstantSource.system(),
            System::nanoTime,
            task -> Thread.ofVirtual().start(task),
            false,
            new WorkbenchTools(() -> new SplittableRandom(SEED), () -> 0, HEAP_OCTETS));
    int exitCode = new BloomgateCli(around).run(args);
    return new Result(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
