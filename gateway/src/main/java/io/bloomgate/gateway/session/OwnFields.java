package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.gateway.message.TraceHeaders;
import org.jspecify.annotations.Nullable;

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
  static byte[] of(SessionState session, MailTransaction transaction, String id) {
    byte[] received = TraceHeaders.received(transmission(session, transaction, id));
    Judge.Ruling ruling = transaction.ruling();
    if (ruling == null || !(ruling.tags() || ruling.spared())) {
      return received;
    }
    byte[] verdict = verdictFields(ruling, id);
    byte[] both = new byte[verdict.length + received.length];
    System.arraycopy(received, 0, both, 0, received.length);
    System.arraycopy(verdict, 0, both, received.length, verdict.length);
    return both;
  }

  private static TraceHeaders.Transmission transmission(
      SessionState session, MailTransaction transaction, String id) {
    SessionState.ClientHello hello = session.hello();
    return new TraceHeaders.Transmission(
        hello == null ? "" : hello.name().text(),
        session.client().address(),
        session.hostname(),
        session.reporter().protocol(transaction.mail().parameters().smtpUtf8()),
        id,
        transaction.recipients().size() == 1 ? transaction.recipients().getFirst() : null,
        session.environment().clock().instant());
  }

  private static byte[] verdictFields(Judge.Ruling ruling, String id) {
    Verdict verdict = ruling.verdict();
    Ground ground = groundOf(verdict);
    if (ground == null) {
      return new byte[0];
    }
    String source = ground instanceof Ground.Exact exact ? exact.source() : "none";
    TraceHeaders.Finding finding =
        new TraceHeaders.Finding(ground.check().key(), ground.subject().toString(), source, id);
    return ruling.tags()
        ? TraceHeaders.tagged(finding)
        : TraceHeaders.observed(verdict.key(), finding);
  }

  private static @Nullable Ground groundOf(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Accept ignored -> null;
      case Verdict.Tag tag -> tag.ground();
      case Verdict.Greylist greylist -> greylist.ground();
      case Verdict.Tempfail tempfail -> tempfail.ground();
      case Verdict.Reject reject -> reject.ground();
    };
  }
}
