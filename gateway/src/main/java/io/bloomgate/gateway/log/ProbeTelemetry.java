package io.bloomgate.gateway.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports of sessions that {@code doctor} has with our listeners: logged as such, and counted
 * nowhere, because they are not mail. Called on session threads.
 */
public final class ProbeTelemetry implements Telemetry {

  private static final Logger LOG = LoggerFactory.getLogger(ProbeTelemetry.class);

  @Override
  public void decided(DecisionRecord decision) {
    LOG.info(
        "probe of `bloomgate doctor`, not counted: {} {} to={}",
        decision.reply().code(),
        decision.reply().enhanced(),
        LogText.value(String.join(",", decision.to())));
  }

  @Override
  public void repeated(DecisionRecord decision) {
    decided(decision);
  }
}
