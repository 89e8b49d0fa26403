package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.PointInTime;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.settings.Sign;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate explain}: what would happen to a subject, why, and how to undo it. Asks the
 * gateway; where none answers it reads the last snapshot and runs the same decision.
 */
@Command(
    description = {
      "Say what happens to a client, sender or domain, why, and how to undo it.",
      "Exit code 0: mail passes, 1: it is refused."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} 203.0.113.7 --from bob@partner.example"})
final class ExplainCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(
      paramLabel = "SUBJECT",
      completionCandidates = LiveWords.Refusals.class,
      description = "IP, CIDR, domain, mail address, or the id in a refusal")
  private String subject = "";

  @Option(
      names = "--helo",
      paramLabel = "NAME",
      description = "when the client says this HELO name")
  private @Nullable String helo;

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      description = "when this is the envelope sender")
  private @Nullable String from;

  @Option(names = "--ip", paramLabel = "IP", description = "when it comes from this client")
  private @Nullable String ip;

  @Option(
      names = "--client-name",
      paramLabel = "NAME",
      description = "when this is the host name of the client's address, and leads back to it")
  private @Nullable String clientName;

  @Option(names = "--to", paramLabel = "ADDRESS", description = "when this is the recipient")
  private @Nullable String to;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = {
        "by the lists of that time: 2026-11-20T10:00 (UTC),",
        "2026-11-20T10:00+01:00, 2026-11-20, 2h or \"2h ago\""
      })
  private @Nullable String at;

  ExplainCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    if (subject.endsWith(".eml") || subject.equals("-")) {
      throw new CliException(
          ExitCode.USAGE,
          "explaining a message is not in this release",
          "name an IP, CIDR, domain, address or incident");
    }
    if (Arrays.stream(Sign.values()).anyMatch(sign -> sign.key().equals(subject))) {
      throw new CliException(
          ExitCode.USAGE,
          "`" + subject + "` is a sign of the settings (section signs), and no subject",
          "name a client: `bloomgate explain 192.0.2.7` says which signs it shows");
    }
    Instant time = at == null ? null : PointInTime.past("--at", at, in.around().clock().instant());
    ControlRequest.Explain request =
        new ControlRequest.Explain(subject, helo, from, ip, to, clientName, time);
    if (in.options().offline) {
      return offline(request);
    }
    try {
      return in.ask(request, ExplainText::show);
    } catch (CliException e) {
      if (e.kind() != CliException.Kind.NO_GATEWAY) {
        throw e;
      }
      in.output().warn("warning: " + e.line() + "; answering from the files");
      return offline(request);
    }
  }

  private int offline(ControlRequest.Explain request) throws CliException {
    return new OfflineExplain(in).answer(request);
  }
}
