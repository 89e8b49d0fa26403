package io.bloomgate.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/** Runs commands as a user would, at one fixed time, and keeps what they print. */
final class Shell {

  static final Instant NOW = Instant.parse("2026-11-21T07:40:00Z");

  /** What a command left behind. */
  record Result(int exitCode, String out, String err) {}

  private Shell() {}

  static Result run(String... args) {
    return run(Map.of(), "", false, args);
  }

  static Result run(Map<String, String> environment, String in, boolean terminal, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Surroundings around =
        new Surroundings(
            new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            environment,
            InstantSource.fixed(NOW),
            () -> 0,
            task -> Thread.ofVirtual().start(task),
            terminal);
    int exitCode = new BloomgateCli(around).run(args);
    return new Result(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
