package io.bloomgate.cli;

import io.bloomgate.blocklists.workbench.WorkbenchTools;
import io.bloomgate.cli.command.AnswerStream;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Surroundings;
import io.bloomgate.config.notation.TerminalText;
import java.io.Console;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The program {@code bloomgate} for every command but {@code run} and {@code demo}; the composition
 * root of this module. Started by the launcher.
 */
public final class BloomgateCli {

  private final Surroundings around;

  BloomgateCli(Surroundings around) {
    this.around = around;
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    leaveJarsClosed();
    AtomicBoolean running = new AtomicBoolean(true);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().unstarted(() -> endPrograms(running.get())));
    int exitCode = ofProcess().run(args);
    running.set(false);
    end(exitCode);
  }

  /**
   * Names what Java and the parser would otherwise look for in all jars: to open them takes more
   * CPU than most commands do.
   */
  private static void leaveJarsClosed() {
    System.setProperty("picocli.disable.closures", "true");
    try {
      String ofLinux = Class.forName("sun.nio.ch.EPollSelectorProvider").getName();
      System.setProperty("java.nio.channels.spi.SelectorProvider", ofLinux);
    } catch (ClassNotFoundException e) {
      // Another system: Java looks for its own.
    }
  }

  /**
   * Ends the process. A usual exit looks for a logger in all jars. It is needed only where the
   * launcher does not name the library of SQLite: then SQLite unpacks it, and removes it at the
   * exit.
   */
  private static void end(int exitCode) {
    if (System.getProperty("org.sqlite.lib.path") == null) {
      System.exit(exitCode);
    }
    Runtime.getRuntime().halt(exitCode);
  }

  /** Makes the program with the streams and the environment of this process. */
  static BloomgateCli ofProcess() {
    boolean terminal = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    return new BloomgateCli(
        new Surroundings(
            System.in,
            AnswerStream.standardOutput(),
            err,
            System.getenv(),
            InstantSource.system(),
            System::nanoTime,
            task -> Thread.ofVirtual().start(task),
            terminal,
            new WorkbenchTools(
                SecureRandom::new, System::nanoTime, Runtime.getRuntime().maxMemory())));
  }

  /** A fetch by rsync would go on after a signal has ended the command. */
  private static void endPrograms(boolean commandRuns) {
    if (commandRuns) {
      ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** {@code help feeds add} means {@code feeds add --help}, as with other programs. */
  private static String[] helpAsOption(String... args) {
    if (args.length == 0 || !args[0].equals("help")) {
      return args;
    }
    String[] asked = Arrays.copyOfRange(args, 1, args.length + 1);
    asked[args.length - 1] = "--help";
    return asked;
  }

  /** Runs one command; the result is its exit code, never {@code OK} for half an answer. */
  int run(String... args) {
    int exitCode =
        args.length > 0 && args[0].equals(Completion.NAME)
            ? new Completion(around).print(List.of(args).subList(1, args.length))
            : execute(helpAsOption(args));
    around.out().flush();
    Optional<String> failure = around.out().failure();
    failure.ifPresent(reason ->
        around
            .err()
            .print(
                "bloomgate: the answer was not written to its end: "
                    + TerminalText.safe(reason)
                    + "\n"));
    around.err().flush();
    return failure.isPresent() && exitCode == ExitCode.OK ? ExitCode.NO : exitCode;
  }

  private int execute(String... words) {
    return CommandTree.build(around, List.of(words)).execute(words);
  }
}
