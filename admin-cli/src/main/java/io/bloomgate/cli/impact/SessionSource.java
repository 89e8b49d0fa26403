package io.bloomgate.cli.impact;

import io.bloomgate.blocklists.impact.PastSessions;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** The source of the sessions of a gateway for {@code impact}. Asked once a command. */
@FunctionalInterface
public interface SessionSource {

  /**
   * The sessions since a time that the gateway of these settings kept.
   *
   * @throws CliException when there are none that can be read
   */
  PastSessions since(Settings settings, Instant from) throws CliException;

  /** The files in the state directory, beside a running gateway or without one. */
  static SessionSource files(Invocation in) {
    return (settings, from) -> {
      SessionDays days = new SessionDays(settings.stateDir());
      Path directory = days.directory();
      Invocation.requireReadableState(settings.stateDir());
      Invocation.requireReadableState(directory);
      if (Files.notExists(directory)) {
        throw CliException.no(
            "no sessions are kept in " + settings.stateDir(),
            "`bloomgate replay LOG` reads the log of a mail server instead");
      }
      Instant now = in.around().clock().instant();
      Instant oldest = now.minus(settings.sessions().retain());
      return new SessionSearch(days, problem -> in.output().warn("warning: " + problem))
          .past(SessionQuery.of(from.isBefore(oldest) ? oldest : from, now.plusSeconds(1)));
    };
  }
}
