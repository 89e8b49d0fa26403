package io.bloomgate.gateway;

import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.ConnectionEnd;
import io.bloomgate.gateway.log.DecisionLog;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.RecordPaces;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.metrics.GatewayMetrics;
import io.bloomgate.gateway.metrics.RecentCounts;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes every report of the SMTP edge to log, session store, metrics, counts, watchers and known
 * senders. Called on session threads; a receiver that fails loses its own report, never mail.
 */
final class ObservingTelemetry implements Telemetry {

  private static final Logger LOG = LoggerFactory.getLogger(ObservingTelemetry.class);

  private static final IpAddress EVERYWHERE = new IpAddress(0, 0);

  /** Stack traces a minute. */
  private static final int BUG_LINES = 5;

  private final DecisionLog log;
  private final SessionStore kept;
  private final GatewayMetrics metrics;
  private final RecentCounts counts;
  private final TailHub tail;
  private final SenderWatch watch;
  private final Consumer<String> refusals;
  private final Consumer<OperatorEntry> used;

  /** Lines of replies of limits: sessions may come from everywhere at once, and are one network. */
  private final RecordPaces turnedAway;

  private final WarningPace bugs;

  /**
   * Reports to these receivers; the composition root owns and closes them.
   *
   * @param refusals receives ids of refusals, for other nodes of a fleet
   * @param used receives entries of the operator that lifted or refused something
   * @param nanoTime a monotonic clock, nanoseconds
   */
  ObservingTelemetry(
      DecisionLog log,
      SessionStore kept,
      GatewayMetrics metrics,
      RecentCounts counts,
      TailHub tail,
      SenderWatch watch,
      Consumer<String> refusals,
      Consumer<OperatorEntry> used,
      LongSupplier nanoTime) {
    this.log = log;
    this.kept = kept;
    this.metrics = metrics;
    this.counts = counts;
    this.tail = tail;
    this.watch = watch;
    this.refusals = refusals;
    this.used = used;
    this.turnedAway = new RecordPaces(nanoTime, () -> "");
    this.bugs = new WarningPace(nanoTime, BUG_LINES);
  }

  @Override
  public void decided(DecisionRecord decision) {
    summed(decision);
    repeated(decision);
  }

  @Override
  public void summed(DecisionRecord decision) {
    safely(() -> kept.keep(decision));
    if (!isUnfinished(decision)) {
      safely(() -> write(decision));
    }
  }

  @Override
  public void unfinished(DecisionRecord transaction) {
    safely(() -> kept.keep(transaction));
  }

  /** A transaction without a recipient, of which {@link #unfinished} or its sum reports. */
  private static boolean isUnfinished(DecisionRecord decision) {
    return decision.outcome() == Outcome.ABANDONED && decision.to().isEmpty();
  }

  /** Limited: sessions that a limit turns away may come from everywhere at once. */
  private void write(DecisionRecord decision) {
    boolean paced = decision.outcome() == Outcome.TURNED_AWAY;
    if (!paced || turnedAway.admit(EVERYWHERE, kind(decision.reply()), decision)) {
      log.write(decision);
    }
  }

  private static RecordPaces.Kind kind(Reply reply) {
    return new RecordPaces.Kind(reply.code() + reply.enhanced(), "");
  }

  /** Writes the sums that are due; called by housekeeping. */
  void tick() {
    turnedAway.writeDue(log::write);
  }

  @Override
  public void repeated(DecisionRecord decision) {
    safely(() -> metrics.decided(decision));
    safely(() -> tail.publish(decision));
    safely(() -> watch.take(decision));
    Verdict verdict = decision.verdict();
    if (verdict != null && verdict.grounds().foundAny()) {
      safely(() -> counts.count(decision));
      safely(() -> verdict.grounds().forEachUsed(used));
    }
    if (!decision.id().isEmpty() && !decision.reply().positive()) {
      safely(() -> refusals.accept(decision.id()));
    }
  }

  @Override
  public void sessionOpened() {
    safely(metrics::sessionOpened);
  }

  @Override
  public void sessionClosed() {
    safely(metrics::sessionClosed);
  }

  @Override
  public void connectionEnded(ConnectionEnd end) {
    safely(() -> log.write(end));
  }

  @Override
  public void limitReached(Limit limit) {
    safely(() -> metrics.limitReached(limit));
  }

  @Override
  public void fieldsRemoved(int fields) {
    safely(() -> metrics.fieldsRemoved(fields));
  }

  @Override
  public void tagTooLate() {
    safely(metrics::tagTooLate);
  }

  @Override
  public void unknownDomain(String domain) {
    safely(metrics::unknownDomain);
    safely(() -> counts.countUnknown(domain));
  }

  @Override
  public void downstream(String result, Duration took) {
    safely(() -> metrics.downstream(result, took));
  }

  private void safely(Runnable report) {
    try {
      report.run();
    } catch (RuntimeException e) {
      bugs.say(more -> LOG.error("a report was lost{}", more, e));
    }
  }
}
