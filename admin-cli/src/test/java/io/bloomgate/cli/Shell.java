package io.bloomgate.cli;

import io.bloomgate.blocklists.workbench.WorkbenchTools;
import io.bloomgate.cli.command.AnswerStream;
import io.bloomgate.cli.command.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Runs commands as a user would, at one fixed time, and keeps what they print. */
public final class Shell {

  static final long SEED = 20261121;

  static final Instant NOW = Instant.parse("2026-11-21T07:40:00Z");

  /** The clock does not move, and every run gets the same random numbers. */
  static final WorkbenchTools MEANS =
      new WorkbenchTools(() -> new SplittableRandom(SEED), () -> 0, 1L << 28);

  /** What a command left behind. */
  public record Result(int exitCode, String out, String err) {}

  private Shell() {}

  public static Result run(String... args) {
    return run(Map.of(), "", false, args);
  }

  /** Runs a command line in which each {@code %s} is one of these words. */
  public static Result line(String line, Object... words) {
    Iterator<Object> next = List.of(words).iterator();
    return run(
        Stream.of(line.split(" "))
            .map(word -> word.equals("%s") ? next.next().toString() : word)
            .toArray(String[]::new));
  }

  public static Result run(
      Map<String, String> environment, String in, boolean terminal, String... args) {
    return run(environment, in.getBytes(StandardCharsets.UTF_8), terminal, MEANS, args);
  }

  public static Result run(
      Map<String, String> environment,
      byte[] in,
      boolean terminal,
      WorkbenchTools means,
      String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Result result = runInto(out, environment, in, terminal, means, args);
    return new Result(result.exitCode(), out.toString(StandardCharsets.UTF_8), result.err());
  }

  /** Writes settings with these lines besides what every file needs. */
  static String settings(Path folder, String more) throws IOException {
    String head =
        """
        domains: [example.com]
        hostname: mx.example.com
        state_dir: state
        downstream: {host: 192.0.2.25}
        """;
    return Files.writeString(folder.resolve("bloomgate.yaml"), head + more).toString();
  }

  /** Runs a command that prints on this stream, in its place nothing is in the result. */
  static Result runInto(OutputStream out, String in, String... args) {
    return runInto(out, Map.of(), in.getBytes(StandardCharsets.UTF_8), false, MEANS, args);
  }

  /** Surroundings without input and settings, where this stream gets everything. */
  static Surroundings bare(OutputStream everything) {
    return new Surroundings(
        InputStream.nullInputStream(),
        AnswerStream.to(everything),
        new PrintStream(everything, true, StandardCharsets.UTF_8),
        Map.of(),
        InstantSource.fixed(NOW),
        () -> 0,
        Runnable::run,
        false,
        MEANS);
  }

  private static Result runInto(
      OutputStream out,
      Map<String, String> environment,
      byte[] in,
      boolean terminal,
      WorkbenchTools means,
      String... args) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Map<String, String> wide = new HashMap<>(Map.of("COLUMNS", "1000")); // paths of tests are long
    wide.putAll(environment);
    Surroundings around =
        new Surroundings(
            new ByteArrayInputStream(in),
            AnswerStream.to(out),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            wide,
            InstantSource.fixed(NOW),
            () -> 0,
            task -> Thread.ofVirtual().start(task),
            terminal,
            means);
    int exitCode = new BloomgateCli(around).run(args);
    return new Result(exitCode, "", err.toString(StandardCharsets.UTF_8));
  }
}
