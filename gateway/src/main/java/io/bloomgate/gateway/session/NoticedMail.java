package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.smtp.RcptCommand;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One message as {@link SpamIntake} gets it: its recipients whose mail says what spam carries
 * (traps, and the address for reports), and the octets of a report, which count in the memory of
 * all messages until {@link #close}. Made by {@link MailTransaction} for its first such recipient;
 * used by its session's thread.
 */
final class NoticedMail implements AutoCloseable {

  private final Session session;
  private Grounds.@Nullable Profile trap;
  private boolean anyForReports;
  private List<String> endingHere = List.of();
  private boolean isReport;

  /** The octets of a report so far; {@code null} for other mail, and when it is too long. */
  private @Nullable ByteArrayOutputStream report;

  /** None yet. */
  NoticedMail(Session session) {
    this.session = session;
  }

  /** Notes a recipient that was answered 250. */
  void take(RcptCommand rcpt, Recipients.@Nullable Own own) {
    anyForReports |= session.isForReports(rcpt);
    if (trap == null && own != null && own.profile().isTrap()) {
      trap = own.named();
    }
  }

  /** The entry of the first trap; {@code null} for none. */
  Grounds.@Nullable Profile trap() {
    return trap;
  }

  /** The mail for a recipient that was answered 250 ends here. */
  void endsHere(RcptCommand rcpt) {
    endingHere = Stream.concat(endingHere.stream(), Stream.of(rcpt.to())).toList();
  }

  /** Recipients that were answered 250, and whose mail no mail server gets. */
  List<String> endingHere() {
    return endingHere;
  }

  private IpAddress client() {
    return session.client().address();
  }

  private SpamIntake intake() {
    return session.services().reading().spam();
  }

  // ---- its content

  /** The content follows. */
  void begin() {
    isReport = anyForReports && intake().isOwn(client());
    report = isReport ? new ByteArrayOutputStream() : null;
  }

  /** Takes content, without the dots that SMTP adds. */
  void put(byte[] octets, int offset, int length) {
    ByteArrayOutputStream kept = report;
    if (kept == null) {
      return;
    }
    long most = session.services().settings().reports().sizeOctets();
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
   * @param from the sender as it was written
   * @param seen all that the mail carries; {@code null} where it is for no trap
   */
  void handOn(String id, String from, @Nullable MailEvidence seen) {
    if (seen != null && trap != null) {
      intake().trapped(new SpamIntake.Trapped(trap.entry(), id, client(), from, seen));
    }
    if (isReport) {
      ByteArrayOutputStream kept = report;
      intake().reported(kept == null ? null : kept.toByteArray(), from + " at " + client(), id);
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
