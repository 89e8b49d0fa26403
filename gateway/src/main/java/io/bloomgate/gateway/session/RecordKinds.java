package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.RecordPaces.Kind;
import io.bloomgate.gateway.smtp.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Finds records that are alike, so that one id may represent all of them: a sender that asks about
 * an id asks about its own listing. Pure; asked by {@link Judge} and {@link DecisionReporter} on
 * session threads.
 */
final class RecordKinds {

  private RecordKinds() {}

  /** The kind of a record; without a verdict the ground is the code of the reply. */
  static Kind of(DecisionRecord record) {
    Verdict verdict = record.verdict();
    return verdict == null
        ? new Kind(record.outcome().key(), code(record.reply()))
        : of(record.outcome(), verdict, record.client(), record.from());
  }

  /**
   * The kind of a verdict.
   *
   * @param from {@code null} before MAIL
   */
  static Kind of(Outcome outcome, Verdict verdict, IpAddress client, @Nullable String from) {
    StringBuilder ground = new StringBuilder(client.toString());
    boolean ofSender = false;
    for (Ground each : verdict.grounds().standing()) {
      ground.append(' ').append(each.check().key()).append('=').append(each.subject());
      if (each instanceof Ground.Found exact) {
        ground.append(' ').append(exact.source()).append(' ').append(exact.entry());
      }
      ofSender |= each.check() == Check.SENDER || each.check() == Check.SENDER_DOMAIN;
    }
    if (ofSender && from != null) {
      ground.append(' ').append(from);
    }
    return new Kind(outcome.key() + ' ' + verdict.key(), ground.toString());
  }

  private static String code(Reply reply) {
    return reply.code() + " " + reply.enhanced();
  }
}
