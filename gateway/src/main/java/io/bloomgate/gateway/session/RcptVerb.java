package io.bloomgate.gateway.session;

import io.bloomgate.gateway.session.SessionUpstream.Answer;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.MailParameters;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;

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
      case Argument.Invalid<RcptCommand>(Reply reply) -> session.own(reply);
      case Argument.Valid<RcptCommand>(RcptCommand rcpt) -> {
        boolean offered =
            Extensions.lacking(MailParameters.NONE, rcpt.parameters(), hello.offered()) == null;
        session.answer(offered ? transaction.rcpt(rcpt) : Answer.own(Replies.UNKNOWN_PARAMETER));
      }
    }
  }
}
