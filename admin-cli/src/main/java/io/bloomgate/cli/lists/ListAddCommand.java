package io.bloomgate.cli.lists;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.PointInTime;
import io.bloomgate.cli.command.Values.ScopeWord;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.control.ControlRequest.ListName;
import io.bloomgate.config.settings.Check;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code allow add} and {@code block add}: stored and in force when the command answers. */
@Command(
    description = {
      "Add entries; they are stored and in force when the command answers.",
      "An IP or CIDR means the client; a domain means the domain and all names below it."
          + " An entry that exists keeps its expiry and reason unless new ones are given."
    },
    footer = {
      "",
      "Example:",
      "  ${COMMAND-FULL-NAME} 203.0.113.7 --expires 7d --reason \"ticket 4711\""
    })
final class ListAddCommand implements Callable<Integer> {

  private final Invocation in;
  private final ListName list;

  @Parameters(
      paramLabel = "SUBJECT",
      arity = "0..*",
      description = "IP, CIDR, domain or mail address")
  private List<String> subjects = new ArrayList<>();

  @Option(
      names = "--incident",
      paramLabel = "ID",
      completionCandidates = LiveWords.Refusals.class,
      description =
          "what this mail was refused for, only for its client; ID is that of the refusal")
  private @Nullable String incident;

  @Option(
      names = "--from",
      paramLabel = "CIDR",
      description = "for a domain or address: only for clients in this network")
  private @Nullable String fromCidr;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = {
        "when it ends: 7d, 2026-12-01, 2026-12-01T12:00:00Z",
        "or never (the default of a new entry)"
      })
  private @Nullable String expires;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "the reason, for other administrators")
  private String reason = "";

  @Option(
      names = "--scope",
      paramLabel = "KIND",
      converter = ScopeWord.class,
      completionCandidates = ScopeWord.class,
      description =
          "act on this check only: client_ip, helo, sender, sender_domain; any needs --force")
  private @Nullable String scope;

  @Option(
      names = "--force",
      description = "add it even if it is very wide or contradicts another entry")
  private boolean force;

  ListAddCommand(Invocation in, ListName list) {
    this.in = in;
    this.list = list;
  }

  @Override
  public Integer call() throws CliException {
    if (subjects.isEmpty() && incident == null) {
      throw new CliException(
          ExitCode.USAGE, "no subject", "name an IP, CIDR, domain or address, or --incident ID");
    }
    boolean anyScope = ScopeWord.ANY.equals(scope);
    if (anyScope && !force) {
      throw new CliException(
          ExitCode.USAGE,
          "--scope any lifts every check for any client that claims this name",
          "repeat it with --force if you want that, or name the network with --from CIDR");
    }
    Instant end =
        PointInTime.end(expires, in.around().clock().instant(), "name a time in the future");
    return in.ask(
        new ListAdd(
            list,
            subjects,
            incident,
            fromCidr,
            end,
            reason,
            check(),
            anyScope,
            force,
            PointInTime.NEVER.equals(expires)),
        EntryText::change);
  }

  private @Nullable Check check() {
    return Check.WITHOUT_LOOK_UP.stream()
        .filter(c -> c.key().equals(scope))
        .findFirst()
        .orElse(null);
  }
}
