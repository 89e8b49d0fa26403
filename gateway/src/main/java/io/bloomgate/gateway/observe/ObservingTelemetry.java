package io.bloomgate.gateway.observe;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands every report of the SMTP edge to all who keep or show something of it. Called on session
 * threads; a listener that fails costs its own report, never the mail.
 */
public final class ObservingTelemetry implements Telemetry {

  private static final Logger LOG = LoggerFactory.getLogger(ObservingTelemetry.class);

  private final DecisionLog log;
  private final Incidents incidents;
  private final GatewayMetrics metrics;
  private final VerdictCounts counts;
  private final TailHub tail;
  private final SenderWatch watch;

  /** Telemetry that tells these; the composition root owns and closes them. */
  public ObservingTelemetry(
      DecisionLog log,
      Incidents incidents,
      GatewayMetrics metrics,
      VerdictCounts counts,
      TailHub tail,
      SenderWatch watch) {
    this.log = log;
    this.incidents = incidents;
    this.metrics = metrics;
    this.counts = counts;
    this.tail = tail;
    this.watch = watch;
  }

  @Override
  public void decided(DecisionRecord decision) {
    safely(() -> incidents.keep(decision));
    safely(() -> log.write(decision));
    safely(() -> metrics.decided(decision));
    safely(() -> counts.count(decision));
    safely(() -> tail.publish(decision));
    safely(() -> watch.take(decision));
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
  public void limitReached(Limit limit) {
    safely(() -> metrics.limitReached(limit));
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

  private static void safely(Runnable report) {
    try {
      report.run();
    } catch (RuntimeException e) {
      LOG.error("a report was lost", e);
    }
  }
}
