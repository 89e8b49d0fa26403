package io.bloomgate.cli.lists;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.PointInTime;
import io.bloomgate.config.control.ControlRequest.ListEdit;
import io.bloomgate.config.control.ControlRequest.ListName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code allow edit} and {@code block edit}: another reason or expiry for entries that are there.
 */
@Command(
    description = "Change reason or expiry of entries, by subject or id.",
    footer = {
      "",
      "Example:",
      "  ${COMMAND-FULL-NAME} 203.0.113.7 --expires 2026-12-01 --reason \"until May\""
    })
final class ListEditCommand implements Callable<Integer> {

  private final Invocation in;
  private final ListName list;

  @Parameters(
      paramLabel = "SUBJECT",
      arity = "1..*",
      completionCandidates = LiveWords.Entries.class,
      description = "subjects or ids as listed")
  private List<String> subjects = new ArrayList<>();

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = {"when it ends: 7d, 2026-12-01, 2026-12-01T12:00:00Z", "or never"})
  private @Nullable String expires;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "the reason, for other administrators")
  private @Nullable String reason;

  ListEditCommand(Invocation in, ListName list) {
    this.in = in;
    this.list = list;
  }

  @Override
  public Integer call() throws CliException {
    if (expires == null && reason == null) {
      throw new CliException(
          ExitCode.USAGE, "nothing to change", "give --expires TIME, --reason TEXT or both");
    }
    boolean never = PointInTime.NEVER.equals(expires);
    String toEndIt =
        "to end it now use: bloomgate "
            + list.name().toLowerCase(Locale.ROOT)
            + " remove "
            + String.join(" ", subjects);
    Instant end = PointInTime.end(expires, in.around().clock().instant(), toEndIt);
    return in.ask(new ListEdit(list, subjects, reason, end, never), EntryText::change);
  }
}
