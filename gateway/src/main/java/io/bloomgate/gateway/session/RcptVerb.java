package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.gateway.session.SessionUpstream.Answer;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.MailParameters;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** RCPT, RFC 5321 section 4.1.1.3: by default the command whose reply is the verdict. */
final class RcptVerb implements Verbs.Verb {

  @Override
  public void run(SessionState session, String argument) {
    MailTransaction transaction = session.transaction();
    SessionState.ClientHello hello = session.hello();
    if (transaction == null || hello == null) {
      session.own(Replies.MAIL_FIRST);
      return;
    }
    switch (RcptCommand.parse(argument, transaction.mail().parameters().smtpUtf8())) {
      case Argument.Invalid<RcptCommand>(Reply reply) ->
          session.own(reply, attempt(transaction, RcptCommand.pathOf(argument)));
      case Argument.Valid<RcptCommand>(RcptCommand rcpt) -> {
        boolean offered =
            Extensions.lacking(MailParameters.NONE, rcpt.parameters(), hello.offered()) == null;
        session.answer(
            offered ? transaction.rcpt(rcpt) : Answer.own(Replies.UNKNOWN_PARAMETER),
            attempt(transaction, rcpt.to().text()));
      }
    }
  }

  private static DecisionReporter.Attempt attempt(MailTransaction open, @Nullable String to) {
    return new DecisionReporter.Attempt(
        Stage.RCPT,
        open.mail().from().text(),
        to == null ? List.of() : List.of(to),
        open.mail().parameters().smtpUtf8());
  }
}
