package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.gateway.message.TraceHeaders;
import java.util.Arrays;

/**
 * The header fields that go above a relayed message: Received, and those that report a verdict.
 * Used by {@link MessageTransfer} on its session's thread.
 */
final class OwnFields {

  private OwnFields() {}

  /**
   * Whole fields with CRLF.
   *
   * @param id of the message
   */
  static byte[] of(Session session, MailTransaction transaction, String id) {
    byte[] received =
        TraceHeaders.received(
            session.client().helo(),
            session.client().connection().address(),
            session.rules().settings().hostname(),
            session
                .client()
                .protocol(session.dialog().wire().encrypted(), transaction.mail().smtpUtf8()),
            id,
            transaction.accepted().size() == 1 ? transaction.recipients().getFirst() : null,
            session.services().clock().instant());
    Judge.Ruling ruling = transaction.ruling();
    byte[] fields = received;
    if (ruling != null && (ruling.tags() || ruling.spared())) {
      fields = join(received, verdictFields(ruling, id));
    }
    if (transaction.shown().partlyRead()) {
      fields = join(fields, TraceHeaders.partlyRead(id));
    }
    Bulk bulk = transaction.shown().bulk();
    return bulk.isCampaign() ? join(fields, TraceHeaders.bulk(bulk)) : fields;
  }

  /** One after the other. */
  static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] verdictFields(Judge.Ruling ruling, String id) {
    Verdict verdict = ruling.verdict();
    Ground ground = verdict.decidedBy();
    if (ground == null) {
      return new byte[0];
    }
    String source = ground instanceof Ground.Found exact ? exact.source() : "none";
    TraceHeaders.Finding finding =
        new TraceHeaders.Finding(ground.check().key(), ground.subject().toString(), source, id);
    return ruling.tags()
        ? TraceHeaders.tagged(finding)
        : TraceHeaders.observed(verdict.key(), finding);
  }
}
