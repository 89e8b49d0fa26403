package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.gateway.log.ConnectionEnd;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what was reported. */
final class RecordingTelemetry implements Telemetry {

  final List<DecisionRecord> decisions = new CopyOnWriteArrayList<>();

  /** Of those that are kept apart from the others: what a limit or a bad command turned away. */
  final List<DecisionRecord> turnedAway = new CopyOnWriteArrayList<>();

  final List<DecisionRecord> unfinished = new CopyOnWriteArrayList<>();
  final List<DecisionRecord> repeated = new CopyOnWriteArrayList<>();
  final List<DecisionRecord> sums = new CopyOnWriteArrayList<>();
  final List<ConnectionEnd> connections = new CopyOnWriteArrayList<>();
  final List<Limit> limits = new CopyOnWriteArrayList<>();
  final List<String> unknownDomains = new CopyOnWriteArrayList<>();
  final List<String> downstream = new CopyOnWriteArrayList<>();
  final AtomicInteger open = new AtomicInteger();
  final AtomicInteger removedFields = new AtomicInteger();
  final AtomicInteger lateTags = new AtomicInteger();

  /** Done when the upstream's word on a message is in and the client has not heard it yet. */
  volatile Runnable onDownstream = () -> {};

  @Override
  public void decided(DecisionRecord decision) {
    boolean apart = decision.outcome() == Outcome.TURNED_AWAY;
    (apart ? turnedAway : decisions).add(decision);
  }

  @Override
  public void unfinished(DecisionRecord transaction) {
    unfinished.add(transaction);
  }

  @Override
  public void repeated(DecisionRecord decision) {
    repeated.add(decision);
  }

  @Override
  public void summed(DecisionRecord sum) {
    sums.add(sum);
  }

  @Override
  public void sessionOpened() {
    open.incrementAndGet();
  }

  @Override
  public void connectionEnded(ConnectionEnd end) {
    connections.add(end);
  }

  @Override
  public void sessionClosed() {
    open.decrementAndGet();
  }

  @Override
  public void limitReached(Limit limit) {
    limits.add(limit);
  }

  @Override
  public void fieldsRemoved(int fields) {
    removedFields.addAndGet(fields);
  }

  @Override
  public void tagTooLate() {
    lateTags.incrementAndGet();
  }

  @Override
  public void unknownDomain(String domain) {
    unknownDomains.add(domain);
  }

  @Override
  public void downstream(String result, Duration took) {
    downstream.add(result);
    onDownstream.run();
  }

  List<String> outcomes() {
    return decisions.stream().map(decision -> decision.outcome().key()).toList();
  }
}
