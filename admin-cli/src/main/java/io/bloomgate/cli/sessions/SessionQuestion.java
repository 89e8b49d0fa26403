package io.bloomgate.cli.sessions;

import io.bloomgate.blocklists.sessions.SessionAnswers;
import io.bloomgate.blocklists.sessions.SessionAnswers.Refusal;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.OfSessions;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asks one question about kept sessions: the gateway, or its files where none runs. */
public final class SessionQuestion {

  /** The list of entries that were made by commands. */
  private static final String OPERATOR = "operator";

  private final Invocation in;

  public SessionQuestion(Invocation in) {
    this.in = in;
  }

  /** Checks a number of rows. */
  static long limit(long typed) throws CliException {
    CliException.refuseIf(typed < 1, "--limit is below 1", "give a number of rows");
    return typed;
  }

  /** Asks and prints; the result is the exit code. */
  <R extends ControlRequest & OfSessions> int ask(R question, Output.View view)
      throws CliException {
    return in.askOrRead(() -> in.ask(question, view), () -> read(question, view));
  }

  /** Asks for rows and prints them as a table of any length, and the time that it is about. */
  <R extends ControlRequest & OfSessions> int table(
      R question,
      Instant since,
      @Nullable Instant end,
      String titles,
      Function<JsonObject, List<String>> cells)
      throws CliException {
    TextTable table = new TextTable(titles);
    int exitCode = ask(question, (row, out) -> table.row(cells.apply(row), out));
    Output out = in.output();
    if (!table.isEmpty()) {
      table.print(out);
    }
    if (out.human() && exitCode == ExitCode.OK) {
      out.line(
          (table.isEmpty() ? "no sessions since " : "since ")
              + minute(since)
              + (end == null ? "" : ", before " + minute(end)));
    }
    return exitCode;
  }

  private OffsetDateTime minute(Instant time) {
    return time.truncatedTo(ChronoUnit.MINUTES).atZone(in.options().zone()).toOffsetDateTime();
  }

  /** Advice about a list that the settings do not name; empty when they do, or are not known. */
  Optional<String> unknownList(String name) {
    return !name.equals("*")
            && !name.equals(OPERATOR)
            && SettingsFile.load(in.options().configFile(), in.around().environment())
                instanceof SettingsResult.Loaded loaded
            && !loaded.settings().feeds().names().contains(name)
            && NoFeed.of(loaded.settings(), name).isEmpty()
        ? Optional.of(
            "the settings have no list `%s`%s; `bloomgate feeds list` names them"
                .formatted(name, NoFeed.meant(loaded.settings(), name)))
        : Optional.empty();
  }

  private int read(OfSessions question, Output.View view) throws CliException {
    Output out = in.output();
    return read(question, item -> out.item(item, view));
  }

  /** Asks the files; the result is the exit code. */
  public int read(OfSessions question, Consumer<JsonObject> items) throws CliException {
    Settings settings = in.settings();
    SessionDays days = new SessionDays(settings.stateDir());
    Path directory = days.directory();
    Invocation.requireReadableState(settings.stateDir());
    Invocation.requireReadableState(directory);
    List<String> problems = new ArrayList<>();
    Instant now = in.around().clock().instant();
    Output out = in.output();
    try {
      Optional<Refusal> refusal =
          new SessionAnswers(
                  new SessionSearch(days, problems::add),
                  now.minus(settings.sessions().retain()),
                  now)
              .answer(question, items::accept);
      problems.forEach(problem -> out.warn("warning: " + problem));
      if (refusal.isPresent()) {
        Refusal why = refusal.get();
        throw new CliException(
            why.usage() ? ExitCode.USAGE : ExitCode.NO, why.message(), why.hint());
      }
      return problems.isEmpty() ? ExitCode.OK : ExitCode.PARTLY;
    } catch (IOException e) {
      throw CliException.no(
          "the sessions in " + directory + " cannot be read: " + e.getMessage(),
          "become root or the user of the gateway",
          e);
    }
  }
}
