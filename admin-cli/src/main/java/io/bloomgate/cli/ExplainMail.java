package io.bloomgate.cli;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.explain.CarriedText;
import io.bloomgate.blocklists.explain.Explanation;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * {@code explain} of a mail: reads it, asks the lists for what it carries, and prints the answer.
 * The gateway gets keys, never the mail. Used by {@link ExplainCommand}.
 */
final class ExplainMail {

  /** Octets of the keys in one request, 900 KiB; a request has at most 1 MiB. */
  static final int MOST_REQUEST_OCTETS = 900 << 10;

  private final Invocation in;
  private final String file;

  /** Something of the session was said beside the mail. */
  private boolean hasSession;

  /** About a file, or standard input. */
  ExplainMail(Invocation in, String file) {
    this.in = in;
    this.file = file;
  }

  /**
   * Answers and prints; the result is the exit code.
   *
   * @param session makes the request of what is said about the session and of the keys
   */
  int answer(Function<List<String>, ControlRequest.ExplainMail> session) throws CliException {
    ScannedMail mail = ScannedMail.read(in, file);
    ControlRequest.ExplainMail asked = session.apply(List.of());
    hasSession = asked.ip() != null || asked.helo() != null || asked.from() != null;
    return in.askOrRead(() -> online(session, sendable(mail)), () -> offline(asked, mail));
  }

  private int online(Function<List<String>, ControlRequest.ExplainMail> session, ScannedMail mail)
      throws CliException {
    List<JsonObject> items = new ArrayList<>();
    int exitCode =
        in.collect(session.apply(mail.keys().stream().map(CarriedText::of).toList()), items::add);
    return items.isEmpty() ? exitCode : show(mail, items.getFirst());
  }

  /** The mail with as many keys as one request takes. */
  static ScannedMail sendable(ScannedMail mail) {
    int octets = 0;
    int fit = 0;
    for (ContentKey key : mail.keys()) {
      String json = Json.write(JsonValue.of(CarriedText.of(key)));
      octets += json.getBytes(StandardCharsets.UTF_8).length + 1;
      if (octets > MOST_REQUEST_OCTETS) {
        return mail.withKeys(
            mail.keys().subList(0, fit),
            "keys behind the first " + fit + ", which fill one request; --offline asks for all");
      }
      fit++;
    }
    return mail;
  }

  private int offline(ControlRequest.ExplainMail session, ScannedMail mail) throws CliException {
    return OfflineExplain.answer(
        in,
        new ControlRequest.Explain(
            "",
            session.helo(),
            session.from(),
            session.ip(),
            session.to(),
            session.clientName(),
            null),
        (question, lists) -> lists.explainer().explainMail(question, mail.keys()),
        explanation -> show(mail, explanation.toJson()));
  }

  private int show(ScannedMail mail, JsonObject said) {
    JsonObject answer = MailAnswer.of(file, mail, said);
    in.output()
        .item(
            answer,
            (item, out) -> {
              MailText.show(item, out, in.options().verbose, in.options().toThisGateway());
              if (!hasSession) {
                out.line(
                    "  not asked: client, HELO and envelope sender, which are not in the file;"
                        + " --ip, --helo and --from say them");
              }
            });
    return Explanation.refuses(answer) ? ExitCode.NO : ExitCode.OK;
  }
}
