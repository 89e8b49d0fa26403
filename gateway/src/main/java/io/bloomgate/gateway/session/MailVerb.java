package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.MailParameters;
import io.bloomgate.gateway.smtp.RcptParameters;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;

/** MAIL, RFC 5321 section 4.1.1.2: begins a transaction. */
final class MailVerb implements Verb {

  @Override
  public void run(SessionState dialog, String argument) {
    ClientHello greeting = dialog.greeting();
    if (greeting == null) {
      dialog.own(Replies.HELO_FIRST);
    } else if (dialog.transaction() != null) {
      dialog.own(Replies.NESTED_MAIL);
    } else if (!dialog.client().known()) {
      dialog.own(Replies.CLIENT_UNKNOWN);
    } else {
      switch (MailCommand.parse(argument)) {
        case Argument.Invalid<MailCommand>(Reply reply) -> dialog.own(reply);
        case Argument.Valid<MailCommand>(MailCommand mail) -> begin(dialog, greeting, mail);
      }
    }
  }

  private static void begin(SessionState dialog, ClientHello greeting, MailCommand mail) {
    MailParameters parameters = mail.parameters();
    if (Extensions.lacking(parameters, RcptParameters.NONE, greeting.offered()) != null) {
      dialog.own(Replies.UNKNOWN_PARAMETER);
      return;
    }
    long limit = Extensions.sizeLimit(dialog.limits().messageSizeOctets(), greeting.offered());
    // RFC 1870 section 6.1.
    if (parameters.sizeOctets() > limit) {
      dialog.environment().telemetry().limitReached(Limit.MESSAGE_SIZE);
      dialog.own(Replies.TOO_LARGE);
      return;
    }
    dialog.begin(new MailTransaction(dialog, mail));
    dialog.own(Replies.SENDER_OK);
  }
}
