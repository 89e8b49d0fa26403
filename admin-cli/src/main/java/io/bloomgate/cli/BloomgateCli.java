package io.bloomgate.cli;

import io.bloomgate.blocklists.offline.Means;
import java.io.Console;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/**
 * The program {@code bloomgate} for every command but {@code run} and {@code demo}; the composition
 * root of this module. Started by the launcher; tests start {@link #run}.
 */
public final class BloomgateCli {

  private final Surroundings around;

  BloomgateCli(Surroundings around) {
    this.around = around;
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    boolean terminal = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    System.exit(new BloomgateCli(around(System.in, out, err, System.getenv(), terminal)).run(args));
  }

  /**
   * Runs one command; output is not taken for a terminal.
   *
   * @return the exit code (contract, section 1)
   */
  public static int run(
      String[] args, PrintStream out, PrintStream err, Map<String, String> environment) {
    return new BloomgateCli(around(InputStream.nullInputStream(), out, err, environment, false))
        .run(args);
  }

  private static Surroundings around(
      InputStream in,
      PrintStream out,
      PrintStream err,
      Map<String, String> environment,
      boolean terminal) {
    return new Surroundings(
        in,
        out,
        err,
        environment,
        InstantSource.system(),
        System::nanoTime,
        task -> Thread.ofVirtual().start(task),
        terminal,
        new Means(SecureRandom::new, System::nanoTime, Runtime.getRuntime().maxMemory()));
  }

  int run(String... args) {
    CommandLine tree = CommandTree.build(around);
    int exitCode = tree.execute(args);
    around.out().flush();
    around.err().flush();
    return exitCode;
  }
}
