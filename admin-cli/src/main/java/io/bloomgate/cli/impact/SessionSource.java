package io.bloomgate.cli.impact;

import io.bloomgate.blocklists.impact.PastSessions;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.config.settings.Settings;
import java.time.Instant;

/** Where {@code impact} takes the sessions of a gateway from. Asked once a command. */
@FunctionalInterface
public interface SessionSource {

  /** No gateway keeps sessions yet. */
  SessionSource NONE =
      (settings, from) -> {
        throw new CliException(
            ExitCode.NO,
            "no sessions are kept in " + settings.stateDir(),
            "`bloomgate replay LOG` reads the log of a mail server instead");
      };

  /**
   * The sessions since a time that the gateway of these settings kept.
   *
   * @throws CliException when there are none that can be read
   */
  PastSessions since(Settings settings, Instant from) throws CliException;
}
