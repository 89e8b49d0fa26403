package io.bloomgate.cli.sessions;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.command.Template;
import io.bloomgate.config.control.ControlRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bloomgate traps}: addresses that nobody uses. */
@Command(
    description = {
      "Show what traps got, and find addresses that could be traps.",
      "The setting traps.addresses names the traps."
    },
    addMethodSubcommands = false)
@Example("suggest")
public final class TrapsCommands extends Group {

  /** The group with its commands. */
  public static Subcommands tree() {
    return new Subcommands(new TrapsCommands()).add("list", "suggest");
  }

  @Command(description = "Show the traps with the mails that they got.")
  @Example("--since 7d")
  int list(
      @Option(
              names = "--since",
              paramLabel = "TIME",
              defaultValue = "30d",
              description = "mails since 7d or 2026-12-01 (default: 30d)")
          String since)
      throws CliException {
    return in.table(
        new ControlRequest.Traps(in.past("--since", since), 0, Long.MAX_VALUE),
        "TRAP|MAILS|NETWORKS|LAST",
        trap -> Template.cells("{trap}|{mails}|{networks}|{@last}", trap, in.output().now()),
        "no traps");
  }

  @Command(
      description = {
        "Name addresses that the mail server does not know and that many networks ask for.",
        "Addresses whose local part got mail in that time are left out. Look at FIRST: an address"
            + " that the mail server has refused for 90 days belongs to nobody. Who puts an address"
            + " into traps.addresses must be sure that nobody waits for its mail."
      })
  @Example("--networks 20")
  int suggest(
      @Option(
              names = "--since",
              paramLabel = "TIME",
              defaultValue = "90d",
              description = "mails since 30d or 2026-12-01 (default: 90d)")
          String since,
      @Option(
              names = "--networks",
              paramLabel = "N",
              defaultValue = "5",
              description = "asked for by at least N networks (default: 5)")
          long networks,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "50",
              description = "at most N addresses (default: 50)")
          long limit)
      throws CliException {
    CliException.refuseIf(
        networks < 1 || limit < 1, "--networks or --limit is below 1", "give numbers from 1 on");
    return in.table(
        new ControlRequest.Traps(in.past("--since", since), networks, limit),
        "ADDRESS|NETWORKS|MAILS|FIRST|LAST",
        one -> Template.cells("{trap}|{networks}|{mails}|{@first}|{@last}", one, in.output().now()),
        "no unknown address was asked for by that many networks");
  }
}
