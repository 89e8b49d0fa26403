package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.MailParameters;
import io.bloomgate.gateway.smtp.RcptParameters;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** MAIL, RFC 5321 section 4.1.1.2: begins a transaction. */
final class MailVerb implements Verbs.Verb {

  @Override
  public void run(SessionState session, String argument) {
    SessionState.ClientHello hello = session.hello();
    if (hello == null) {
      session.own(Replies.HELO_FIRST);
    } else if (session.transaction() != null) {
      session.own(Replies.NESTED_MAIL);
    } else if (!session.client().known()) {
      session.own(Replies.CLIENT_UNKNOWN);
    } else {
      switch (MailCommand.parse(argument)) {
        case Argument.Invalid<MailCommand>(Reply reply) ->
            session.own(reply, attempt(MailCommand.pathOf(argument), false));
        case Argument.Valid<MailCommand>(MailCommand mail) -> begin(session, hello, mail);
      }
    }
  }

  private static void begin(
      SessionState session, SessionState.ClientHello hello, MailCommand mail) {
    MailParameters parameters = mail.parameters();
    DecisionReporter.Attempt attempt = attempt(mail.from().text(), parameters.smtpUtf8());
    if (Extensions.lacking(parameters, RcptParameters.NONE, hello.offered()) != null) {
      session.own(Replies.UNKNOWN_PARAMETER, attempt);
      return;
    }
    long limit = Extensions.sizeLimit(session.limits().messageSizeOctets(), hello.offered());
    // RFC 1870 section 6.1.
    if (parameters.sizeOctets() > limit) {
      session.environment().telemetry().limitReached(Limit.MESSAGE_SIZE);
      session.own(Replies.TOO_LARGE, attempt);
      return;
    }
    Limit rate =
        session
            .environment()
            .mailLimits()
            .mail(session.environment(), session.factsOf(mail.from()));
    if (rate != null) {
      session.environment().telemetry().limitReached(rate);
      session.own(tooMuch(rate), attempt);
      return;
    }
    session.begin(new MailTransaction(session, mail));
    session.own(Replies.SENDER_OK);
  }

  private static DecisionReporter.Attempt attempt(@Nullable String from, boolean smtpUtf8) {
    return new DecisionReporter.Attempt(Stage.MAIL, from, List.of(), smtpUtf8);
  }

  private static Reply tooMuch(Limit rate) {
    return rate == Limit.NETWORK_RATE
        ? Replies.TOO_MUCH_FROM_NETWORK
        : Replies.TOO_MUCH_FROM_CLIENT;
  }
}
