package io.bloomgate.gateway.log;

import java.time.Duration;

/** Reports that go nowhere, of sessions that are no mail. Called on session threads. */
public class NoTelemetry implements Telemetry {

  @Override
  public void decided(DecisionRecord decision) {}

  @Override
  public void repeated(DecisionRecord decision) {}

  @Override
  public void summed(DecisionRecord sum) {}

  @Override
  public void unfinished(DecisionRecord transaction) {}

  @Override
  public void sessionOpened() {}

  @Override
  public void sessionClosed() {}

  @Override
  public void connectionEnded(ConnectionEnd end) {}

  @Override
  public void limitReached(Limit limit) {}

  @Override
  public void tagTooLate() {}

  @Override
  public void fieldsRemoved(int fields) {}

  @Override
  public void unknownDomain(String domain) {}

  @Override
  public void downstream(String result, Duration took) {}
}
