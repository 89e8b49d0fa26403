package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

  /** What a command left behind; each word about it fails when it is not so, and shows all. */
  public record Result(int exitCode, String out, String err) {

    public Result exits(int expected) {
      assertEquals(expected, exitCode, toString());
      return this;
    }

    /** Ends with this code, and has each of these texts in its answer. */
    public Result ends(int expected, String... parts) {
      return exits(expected).prints(parts);
    }

    /** Ends with this code, and has each of these texts on standard error. */
    public Result fails(int expected, String... parts) {
      return exits(expected).complains(parts);
    }

    /** Prints exactly this. */
    public Result answers(String expected) {
      assertEquals(expected, out, toString());
      return this;
    }

    public Result printsNothing() {
      return answers("");
    }

    /** Has each of these texts in its answer. */
    public Result prints(String... parts) {
      assertHas(out, parts);
      return this;
    }

    public Result printsNo(String... parts) {
      assertLacks(out, parts);
      return this;
    }

    /** Has each of these texts on standard error. */
    public Result complains(String... parts) {
      assertHas(err, parts);
      return this;
    }

    public Result complainsNo(String... parts) {
      assertLacks(err, parts);
      return this;
    }

    /** Says nothing on standard error. */
    public Result isSilent() {
      assertEquals("", err, toString());
      return this;
    }
  }

  public static void assertHas(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> part + " is not in " + text);
    }
  }

  public static void assertLacks(String text, String... parts) {
    for (String part : parts) {
      assertFalse(text.contains(part), () -> part + " is in " + text);
    }
  }

  private Shell() {}

  public static Result run(String... args) {
    return run(Map.of(), "", false, args);
  }

  /** Runs a command of these words, with further ones behind them. */
  public static Result run(List<String> first, String... more) {
    return run(Stream.concat(first.stream(), Stream.of(more)).toArray(String[]::new));
  }

  /** Runs a command that reads this on standard input. */
  public static Result piped(String in, String... args) {
    return run(Map.of(), in, false, args);
  }

  /** Runs a command of the workbench with these tools. */
  static Result with(WorkbenchTools tools, String... args) {
    return run(Map.of(), new byte[0], false, tools, args);
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
