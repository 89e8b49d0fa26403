package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.smtp.RcptCommand;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The recipients of one transaction whose mail says what spam carries: traps, and the address for
 * reports. Made by {@link MailTransaction}; used by its session's thread.
 */
final class SpamRecipients {

  private final Session session;
  private Grounds.@Nullable Profile trap;
  private boolean anyForReports;
  private List<String> endingHere = List.of();

  /** None yet. */
  SpamRecipients(Session session) {
    this.session = session;
  }

  static boolean isTrap(Recipients.@Nullable Own own) {
    return own != null && own.profile().isTrap();
  }

  /** Notes a recipient that was answered 250. */
  void take(RcptCommand rcpt, Recipients.@Nullable Own own) {
    anyForReports |= isForReports(rcpt);
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
    endingHere = Stream.concat(endingHere.stream(), Stream.of(rcpt.to().text())).toList();
  }

  /** Recipients that were answered 250, and whose mail no mail server gets. */
  List<String> endingHere() {
    return endingHere;
  }

  /** True when an own user, as far as the client's network says, sends reports to it. */
  boolean takesReport(RcptCommand rcpt) {
    return isForReports(rcpt) && session.services().reading().spam().isOwn(client());
  }

  /** True for a report that a mail server sends, to which it would come back again and again. */
  boolean takesReportOfMailServer(RcptCommand rcpt) {
    return isForReports(rcpt) && session.services().reading().spam().isMailServer(client());
  }

  /** True when the mail is a report. */
  boolean isReport() {
    return anyForReports && session.services().reading().spam().isOwn(client());
  }

  private boolean isForReports(RcptCommand rcpt) {
    String address = session.rules().settings().reports().address();
    return address != null && address.equalsIgnoreCase(rcpt.to().text());
  }

  private IpAddress client() {
    return session.client().connection().address();
  }
}
