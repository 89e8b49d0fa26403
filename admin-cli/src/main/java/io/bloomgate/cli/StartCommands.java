package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code run} and {@code demo} are in the help; the launcher starts another program for them. If
 * they arrive here, somebody started the small jar by hand.
 */
final class StartCommands {

  private static final String HINT = "start it with the launcher, gateway/bin/bloomgate";

  private StartCommands() {}

  /** {@code bloomgate run}. */
  @Command(
      description = {
        "Start the gateway and stay in the foreground.",
        "On SIGHUP it reads its settings again, as `config reload` does. On SIGTERM idle"
            + " clients get 421, messages in transfer finish (in 40 s at most), and it ends. To"
            + " systemd it reports when it is ready.",
        "Exit code 75: an address of a listener cannot be bound now; a later start may succeed.",
        "Exit code 78: the settings cannot be used, or another gateway uses the state directory."
      },
      footer = {"", "Example:", "  bloomgate run -c /etc/bloomgate/bloomgate.yaml"})
  static final class Run implements Callable<Integer> {
    @Override
    public Integer call() throws CliException {
      throw new CliException(ExitCode.USAGE, "the gateway is not part of this program", HINT);
    }
  }

  /** {@code bloomgate demo}. */
  @Command(
      description = {
        "Show the whole job on this machine: sample feeds, twenty mails, their verdicts.",
        "It listens on 127.0.0.1:2525 and needs no root, no DNS and no network.",
        "Exit code 0 with --once: all twenty mails had the expected verdict."
      },
      footer = {"", "Example:", "  bloomgate demo --once"})
  static final class Demo implements Callable<Integer> {
    @Option(names = "--once", description = "stop after the table of verdicts")
    private boolean once;

    @Override
    public Integer call() throws CliException {
      throw new CliException(
          ExitCode.USAGE, "the demo is not part of this program" + (once ? " (--once)" : ""), HINT);
    }
  }
}
