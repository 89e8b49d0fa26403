package io.bloomgate.cli.lists;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.PointInTime;
import io.bloomgate.cli.command.Specs;
import io.bloomgate.config.control.ControlRequest.ListEdit;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Moments;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * {@code allow edit} and {@code block edit}: another reason or expiry for entries that are there.
 */
final class ListEditCommand implements Callable<Integer> {

  private final Invocation in;
  private final ListKind list;

  private final EntryOptions named = new EntryOptions();
  private @Nullable String expires;
  private @Nullable String reason;

  ListEditCommand(Invocation in, ListKind list) {
    this.in = in;
    this.list = list;
  }

  CommandSpec spec() {
    CommandSpec spec = Specs.command(this, "Change reason or expiry of entries, by subject or id.");
    Specs.withExamples(
        spec,
        "203.0.113.7 --expires 2026-12-01 --reason \"ticket 4711\"",
        "--url https://docs.example/form/1 --expires never");
    named.addTo(spec);
    spec.addOption(
        Specs.text("TIME", value -> expires = value, "--expires")
            .description("when it ends: 7d, 2026-12-01, 2026-12-01T12:00:00Z", "or never")
            .build());
    spec.addOption(
        Specs.text("TEXT", value -> reason = value, "--reason")
            .description("the reason, for other administrators")
            .build());
    return spec;
  }

  @Override
  public Integer call() throws CliException {
    if (expires == null && reason == null) {
      throw new CliException(
          ExitCode.USAGE, "nothing to change", "give --expires TIME, --reason TEXT or both");
    }
    boolean never = Moments.NEVER.equals(expires);
    String toEndIt = "to end it now use: bloomgate " + list.key() + " remove " + named.typed();
    Instant end = PointInTime.end(expires, in.around().clock().instant(), toEndIt);
    return named.send(in, list, names -> new ListEdit(list, names, reason, end, never));
  }
}
