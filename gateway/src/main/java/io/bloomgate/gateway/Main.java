package io.bloomgate.gateway;

import io.bloomgate.blocklists.generation.FilterCounters;
import io.bloomgate.blocklists.generation.FilterCounters.Outcome;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.gateway.demo.Demo;
import io.bloomgate.gateway.demo.DemoGateway;
import io.bloomgate.gateway.demo.DemoGateway.DemoException;
import io.bloomgate.gateway.demo.Training;
import io.bloomgate.gateway.linux.NativeFunctions;
import io.bloomgate.gateway.linux.Signals;
import io.bloomgate.gateway.log.OwnLog;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code bloomgate run} and {@code bloomgate demo}. Exit codes as in {@code man bloomgate}; a
 * failed start is reported in one line on standard error, with a stack trace only with {@code -v}.
 */
public final class Main {

  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  /** Set by the launcher: how many mails warm the service up before it is ready. */
  private static final String WARM_UP = "bloomgate.warm_up_mails";

  /** Enough for the classes of the warm-up to be in the cache. */
  private static final int WARM_UP_OF_TRAINING = 50;

  private Main() {}

  /** Runs the command and ends the process. */
  public static void main(String[] words) {
    StandardError.restore();
    System.exit(run(List.of(words)));
  }

  private static int run(List<String> words) {
    return switch (Arguments.parse(words)) {
      case Arguments.Help() -> {
        System.out.print(Arguments.USAGE);
        yield OK;
      }
      case Arguments.Wrong(String line) -> {
        System.err.println("bloomgate: " + line);
        yield USAGE;
      }
      case Arguments.Run(Path file, boolean verbose) -> run(file, verbose);
      case Arguments.Demo(boolean once, boolean verbose) -> demo(once, verbose);
      case Arguments.Train(List<String> then) -> train(then);
    };
  }

  private static int run(Path settingsFile, boolean verbose) {
    prepareLog(verbose ? "DEBUG" : "INFO");
    int warmUpMails = Integer.getInteger(WARM_UP, 0);
    try (Gateway gateway = Gateway.start(settingsFile, System.getenv(), warmUpMails)) {
      awaitEnd(gateway::reload, gateway::closeNow);
      return OK;
    } catch (StartFailure e) {
      return failed(e, verbose);
    } catch (RuntimeException e) {
      return failed(
          new StartFailure(FAILED, "bloomgate: failed unexpectedly: " + Faults.words(e), e),
          verbose);
    }
  }

  /** Waits for the first TERM or INT; a second one does not wait for mail in flight. */
  private static void awaitEnd(Runnable reload, Runnable closeNow) {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    Runnable stop =
        () -> {
          if (asked.incrementAndGet() > 1) {
            closeNow.run();
          }
          end.countDown();
        };
    Signals.on("HUP", reload);
    Signals.on("TERM", stop);
    Signals.on("INT", stop);
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Demo.Surroundings world() {
    return new Demo.Surroundings(
        Thread.ofVirtual().factory(),
        InstantSource.system(),
        System::nanoTime,
        () -> awaitEnd(() -> {}, () -> {}));
  }

  /** Runs the training with the log of {@code run}, because Java learns what the log costs, too. */
  private static int train(List<String> then) {
    prepareLog("INFO");
    try {
      new Training(file -> start(file, WARM_UP_OF_TRAINING), world(), Training.Size.FULL).run(then);
      return OK;
    } catch (DemoException e) {
      return failed(e, false);
    }
  }

  private static int demo(boolean once, boolean verbose) {
    prepareLog(verbose ? "INFO" : "ERROR");
    try {
      return new Demo(Main::startForDemo, System.out, world()).run(once) ? OK : FAILED;
    } catch (DemoException e) {
      return failed(e, verbose);
    }
  }

  static DemoGateway startForDemo(Path settingsFile) throws DemoException {
    return start(settingsFile, 0);
  }

  private static DemoGateway start(Path settingsFile, int warmUpMails) throws DemoException {
    try {
      return new GatewayOfDemo(Gateway.start(settingsFile, Map.of(), warmUpMails));
    } catch (StartFailure e) {
      throw new DemoException(e.exitCode(), String.join("\n", e.lines()), e);
    }
  }

  /** The demo's view of the gateway; the demo's package must not know this one. */
  private record GatewayOfDemo(Gateway gateway) implements DemoGateway {
    @Override
    public int port(String listener) {
      return gateway.port(listener);
    }

    @Override
    public ListSnapshot snapshot() {
      return gateway.blocklists().snapshot();
    }

    @Override
    public Lookups lookups() {
      FilterCounters counters = gateway.blocklists().filters();
      return new Lookups(
          counters.count(Outcome.CONFIRMED)
              + counters.count(Outcome.OUT_OF_REACH)
              + counters.count(Outcome.FALSE_POSITIVE),
          counters.count(Outcome.CONFIRMED),
          counters.count(Outcome.FALSE_POSITIVE));
    }

    @Override
    public void close() {
      gateway.close();
    }
  }

  private static int failed(DemoException e, boolean verbose) {
    System.err.println("bloomgate: " + e.getMessage());
    if (verbose) {
      e.printStackTrace();
    }
    return e.exitCode();
  }

  private static int failed(StartFailure e, boolean verbose) {
    e.lines().forEach(line -> System.err.println(line));
    if (verbose) {
      e.printStackTrace();
    }
    return e.exitCode();
  }

  /** Sets the level before the first logger is made: {@link OwnLog} reads it. */
  private static void prepareLog(String level) {
    System.setProperty(OwnLog.LEVEL, level);
  }

  /**
   * Restores the standard error that the launcher saved: while Java starts, it writes there that a
   * module is incubating, which no option suppresses and no operator can use. Called once by {@link
   * Main}, before any output.
   */
  static final class StandardError {

    /** Set by the launcher to the descriptor that it saved; absent when it saved none. */
    private static final String KEPT = "bloomgate.stderr";

    private static final int STANDARD_ERROR = 2;

    private StandardError() {}

    /** Does nothing when the launcher saved nothing. */
    static void restore() {
      Integer kept = Integer.getInteger(KEPT);
      if (kept == null) {
        return;
      }
      try {
        int _ =
            (int) NativeFunctions.ofInts("dup2", 2).invokeExact(kept.intValue(), STANDARD_ERROR);
        int _ = (int) NativeFunctions.ofInts("close", 1).invokeExact(kept.intValue());
      } catch (Throwable e) {
        // A method handle declares everything. Standard output is what is left.
        System.setErr(System.out);
        System.err.println("bloomgate: standard error is lost: " + e);
      }
    }
  }
}
