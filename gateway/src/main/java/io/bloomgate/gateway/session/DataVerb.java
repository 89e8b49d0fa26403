package io.bloomgate.gateway.session;

import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;

/** DATA, RFC 5321 section 4.1.1.4: hands the message over, and ends the transaction. */
final class DataVerb implements Verbs.Verb {

  @Override
  public void run(SessionState session, String argument) throws IOException {
    MailTransaction transaction = session.transaction();
    if (!argument.isEmpty()) {
      session.own(Replies.NO_ARGUMENT);
    } else if (transaction == null) {
      session.own(Replies.MAIL_FIRST);
    } else if (!transaction.hasRecipients()) {
      session.own(withoutRecipients(transaction));
    } else {
      transfer(session, transaction);
    }
  }

  /**
   * RFC 5321 section 3.3 answers 503 or 554. Where a recipient was put off with 4xx, the client
   * must try again, so neither of them is right.
   */
  private static Reply withoutRecipients(MailTransaction transaction) {
    if (transaction.anyPutOff()) {
      return Replies.NO_RECIPIENTS_FOR_NOW;
    }
    return transaction.anyAsked() ? Replies.NO_VALID_RECIPIENTS : Replies.RCPT_FIRST;
  }

  private static void transfer(SessionState session, MailTransaction transaction)
      throws IOException {
    try {
      Reply lost = transaction.lost();
      if (lost != null) {
        session.relayed(lost);
      } else {
        new MessageTransfer(session, transaction).run();
      }
    } finally {
      session.resetTransaction();
    }
  }
}
