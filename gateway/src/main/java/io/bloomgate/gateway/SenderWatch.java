package io.bloomgate.gateway;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.blocklists.senders.SteadyClock;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.BatchWriter;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.DecisionRecord.Outcome;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the known senders whose mail was accepted. Fed on session threads, which only queue; works
 * on a thread of its own, beside the reply path. What finds the queue full is not counted: that
 * makes fewer senders known, and never mail slower.
 */
public final class SenderWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SenderWatch.class);

  /** Records that may wait; some seconds of more mail than a gateway takes. */
  private static final int QUEUED_RECORDS = 20_000;

  /** RFC 5321, section 4.5.3.1.3: a path has at most 256 octets. */
  private static final int MAX_SENDER_CHARACTERS = 256;

  private final KnownSenders senders;
  private final SteadyClock steady;
  private final Supplier<Privacy> privacy;
  private final BatchWriter<DecisionRecord> queue;

  /**
   * A watch that begins with {@link #start}.
   *
   * @param steady the clock by which they are kept
   * @param privacy how much of an address may be remembered, asked anew for each record
   */
  public SenderWatch(
      KnownSenders senders,
      SteadyClock steady,
      Supplier<Privacy> privacy,
      LongSupplier nanoTime,
      ThreadFactory threads) {
    this.senders = senders;
    this.steady = steady;
    this.privacy = privacy;
    this.queue =
        new BatchWriter<>(QUEUED_RECORDS, DecisionRecord::octets, this::work, nanoTime, threads);
  }

  /** Starts the thread. */
  public void start() {
    queue.start();
  }

  /** Takes a record if there is anything to learn from it. */
  void take(DecisionRecord record) {
    if (speaksForClient(record)) {
      queue.offer(record);
    }
  }

  /**
   * Mail that the upstream took and no list spoke against, be it only to observe. What only passed
   * because its recipient or its network is exempt, or because of mode observe, says nothing for
   * its sender.
   */
  private static boolean speaksForClient(DecisionRecord record) {
    return record.outcome() == Outcome.DELIVERED
        && (record.verdict() == null
            || (record.verdict() instanceof Verdict.Accept(var evidence)
                && evidence.waiver() == null
                && evidence.standing().stream().noneMatch(Ground.Listed.class::isInstance)));
  }

  private void work(List<DecisionRecord> batch, long lost) {
    if (lost > 0) {
      queue
          .lossWarnings()
          .say(more ->
              LOG.warn(
                  "{} accepted mails went by without their senders being noted, too many at once{}",
                  lost,
                  more));
    }
    batch.forEach(this::learn);
  }

  private void learn(DecisionRecord record) {
    senders.accepted(record.client(), sender(record), steady.atMost(record.time()));
  }

  private String sender(DecisionRecord record) {
    String from = record.from();
    if (from == null || from.length() > MAX_SENDER_CHARACTERS) {
      return "";
    }
    return switch (privacy.get()) {
      case FULL -> from;
      case NO_LOCALPART -> from.substring(from.lastIndexOf('@') + 1);
      case NO_ADDRESSES -> "";
    };
  }

  /** True when its thread has ended before its time, or hangs. */
  public boolean isLate() {
    return queue.isLate();
  }

  /** Works off what is queued, for a bounded time, and ends the thread. */
  @Override
  public void close() {
    queue.close();
  }
}
