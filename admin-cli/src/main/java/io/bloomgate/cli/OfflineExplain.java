package io.bloomgate.cli;

import io.bloomgate.blocklists.OfflineBlocklists;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.blocklists.explain.PastExplainer;
import io.bloomgate.blocklists.explain.Question;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.KeyValueText;
import io.bloomgate.cli.command.OfflineLists;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.sessions.SessionQuestion;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;

/**
 * {@code explain} without a gateway: the last generation and the operator lists are opened for
 * reading, and the same decision code answers. What only the running gateway knows (a mode set by
 * command, addresses of downstream by DNS) is not considered, and the answer says so.
 */
final class OfflineExplain {

  private final Invocation in;

  OfflineExplain(Invocation in) {
    this.in = in;
  }

  /** Answers and prints; the result is the exit code. */
  int answer(ControlRequest.Explain request) throws CliException {
    Optional<String> id = IncidentId.canonical(request.subject());
    if (id.isPresent()) {
      return session(id.get());
    }
    return answer(
        in,
        request,
        (question, lists) -> explain(request, question, lists),
        explanation -> {
          in.output().item(explanation.toJson(), ExplainText::show);
          return explanation.refuses() ? ExitCode.NO : ExitCode.OK;
        });
  }

  /** The question to the lists. */
  @FunctionalInterface
  interface Asked {
    Parsed<Explanation> of(Question question, OfflineBlocklists lists) throws CliException;
  }

  /**
   * Asks the lists of the files; the result is the exit code.
   *
   * @param shown prints the answer, and says its exit code
   */
  static int answer(
      Invocation in, ControlRequest.Explain said, Asked asked, ToIntFunction<Explanation> shown)
      throws CliException {
    Settings settings = in.settings();
    Question question = new Question(said, OwnDomains.of(settings.domains())::contains);
    return OfflineLists.with(
        in,
        settings,
        lists ->
            switch (asked.of(question, lists)) {
              case Parsed.Bad<Explanation>(String reason) ->
                  throw CliException.usage(
                      said.subject().isEmpty() ? reason : "`" + said.subject() + "`: " + reason,
                      said.subject().isEmpty()
                          ? "`bloomgate help explain` shows the options"
                          : "a subject is an IP, a CIDR, a domain, a mail address, a URL or "
                              + IncidentId.FORM);
              case Parsed.Ok<Explanation>(Explanation explanation, var _) -> {
                int exitCode = shown.applyAsInt(explanation);
                Output out = in.output();
                out.warn("warning: offline: the mode is that of the settings");
                lists.problems().forEach(problem -> out.warn("warning: " + problem));
                yield exitCode;
              }
            });
  }

  /**
   * Prints what was kept of the session; only the gateway works out what its mail would get now.
   */
  private int session(String id) throws CliException {
    Output out = in.output();
    AtomicBoolean refused = new AtomicBoolean();
    int exitCode =
        new SessionQuestion(in)
            .read(
                new ControlRequest.SessionsShow(id),
                session -> {
                  refused.set(Explanation.refuses(session));
                  out.item(session, KeyValueText::show);
                });
    out.note(
        "this was kept of the session; the running gateway also says what the same mail would"
            + " meet now, and which command undoes a refusal");
    return exitCode == ExitCode.OK && refused.get() ? ExitCode.NO : exitCode;
  }

  private static Parsed<Explanation> explain(
      ControlRequest.Explain request, Question question, OfflineBlocklists lists)
      throws CliException {
    Instant at = request.at();
    if (at == null) {
      return lists.explainer().explain(question);
    }
    try {
      return switch (lists.explainerAt(at)) {
        case Parsed.Ok<PastExplainer>(PastExplainer past, var _) -> past.explain(question);
        case Parsed.Bad<PastExplainer>(String unknown) ->
            throw CliException.no(unknown, "ask for another time");
      };
    } catch (IOException e) {
      throw CliException.no(
          "the lists of that time cannot be read: " + Faults.words(e),
          "look at the folder snapshots of the state directory",
          e);
    }
  }
}
