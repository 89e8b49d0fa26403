package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.config.name.IpAddress;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One message as {@link SpamIntake} gets it: what a mail for a trap carries, and the octets of a
 * report, which count in the memory of all messages until {@link #close}. Used by {@link
 * MessageTransfer} on its session's thread.
 */
final class NoticedMail implements AutoCloseable {

  private final Session session;
  private final MailTransaction transaction;
  private final boolean isReport;

  /** The octets of a report so far; {@code null} for other mail, and when it is too long. */
  private @Nullable ByteArrayOutputStream report;

  NoticedMail(Session session, MailTransaction transaction) {
    this.session = session;
    this.transaction = transaction;
    this.isReport = transaction.spam().isReport();
    this.report = isReport ? new ByteArrayOutputStream() : null;
  }

  /** Takes content, without the dots that SMTP adds. */
  void put(byte[] octets, int offset, int length) {
    ByteArrayOutputStream kept = report;
    if (kept == null) {
      return;
    }
    long most = session.rules().settings().reports().sizeOctets();
    if (kept.size() + length <= most && !session.contentBudget().exhausted()) {
      kept.write(octets, offset, length);
      session.contentBudget().take(length);
    } else {
      close();
    }
  }

  /**
   * Hands it on; the client has its answer.
   *
   * @param seen all that the mail carries; {@code null} where it is for no trap
   */
  void handOn(String id, @Nullable MailEvidence seen) {
    SpamIntake spam = session.services().reading().spam();
    String from = transaction.mail().from().text();
    IpAddress client = session.client().connection().address();
    Grounds.Profile trap = transaction.spam().trap();
    if (seen != null && trap != null) {
      spam.trapped(new SpamIntake.Trapped(trap.entry(), id, client, from, seen));
    }
    if (isReport) {
      ByteArrayOutputStream kept = report;
      spam.reported(kept == null ? null : kept.toByteArray(), from + " at " + client, id);
    }
  }

  /** Gives the memory back. */
  @Override
  public void close() {
    ByteArrayOutputStream kept = report;
    report = null;
    session.contentBudget().give(kept == null ? 0 : kept.size());
  }
}
