package io.bloomgate.gateway;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.BatchWriter;
import io.bloomgate.gateway.log.DecisionRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the lists whose mail was accepted. Session threads only queue records; another thread
 * works on them, away from the reply path. A record that finds the queue full is not counted: fewer
 * senders are known then, and mail is never slower.
 */
final class SenderWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SenderWatch.class);

  /** Records that may wait: some seconds of the highest mail rate. */
  private static final int QUEUED_RECORDS = 20_000;

  /** RFC 5321, section 4.5.3.1.3: a path has at most 256 octets. */
  private static final int MAX_SENDER_CHARACTERS = 256;

  /**
   * Days count, so nothing is urgent, and each waking of the thread costs as much as some mails.
   */
  private static final BatchWriter.Batches BATCHES =
      new BatchWriter.Batches(Duration.ofMillis(250), 1_024);

  private final AcceptedMail accepted;
  private final Supplier<Privacy> privacy;
  private final BatchWriter<DecisionRecord> queue;

  /** Remembers whose mail was accepted. */
  @FunctionalInterface
  interface AcceptedMail {
    /**
     * Takes one mail.
     *
     * @param sender address or domain, empty when it may not be remembered
     * @param helo the name that the client gave, empty when that is not kept
     */
    void take(IpAddress client, String sender, String helo, Instant at);
  }

  /**
   * A watch that begins with {@link #start}.
   *
   * @param accepted remembers the senders
   * @param privacy how much of an address may be remembered, asked for each record
   */
  SenderWatch(
      AcceptedMail accepted,
      Supplier<Privacy> privacy,
      LongSupplier nanoTime,
      ThreadFactory threads) {
    this.accepted = accepted;
    this.privacy = privacy;
    this.queue =
        new BatchWriter<>(
            QUEUED_RECORDS, DecisionRecord::octets, this::work, BATCHES, nanoTime, threads);
  }

  /** Starts the thread. */
  SenderWatch start() {
    queue.start();
    return this;
  }

  /** Queues a record if it shows that its sender is good. */
  void take(DecisionRecord record) {
    if (showsGoodSender(record)) {
      queue.offer(record);
    }
  }

  /**
   * Mail that the mail server accepted and that no list had, not even one that is only observed. A
   * sign that is only observed does not count: good senders too keep a bad reverse name for years.
   * Mail that passed because its recipient or its network is exempt, because of mode observe, or by
   * a profile that may leave lists out, does not show that its sender is good; nor does the mail of
   * others that a trusted forwarder brings, or mail for a trap.
   */
  private static boolean showsGoodSender(DecisionRecord record) {
    Facts facts = record.session().facts();
    return record.outcome() == Outcome.DELIVERED
        && record.session().profile() == null
        && (facts == null || facts.seen().forwarder() == null)
        && (record.verdict() == null
            || (record.verdict() instanceof Verdict.Accept(var grounds)
                && grounds.waiver() == null
                && grounds.profile() == null
                && grounds.standing().stream().noneMatch(SenderWatch::speaksAgainst)));
  }

  private static boolean speaksAgainst(Ground ground) {
    return switch (ground) {
      case Ground.BySign sign -> sign.action() != Action.OBSERVE;
      case Ground.OfList listed -> listed.action() != Action.TRUST;
      case Ground.RuleMet ignored -> false;
      case Ground.Blocked ignored -> false;
      case Ground.Failed ignored -> false;
    };
  }

  private void work(List<DecisionRecord> batch, long lost) {
    if (lost > 0) {
      queue
          .lossWarnings()
          .say(more ->
              LOG.warn(
                  "the senders of {} accepted mails were not noted, too many at once{}",
                  lost,
                  more));
    }
    batch.forEach(this::learn);
  }

  private void learn(DecisionRecord record) {
    String helo = record.helo().length() > MAX_SENDER_CHARACTERS ? "" : record.helo();
    accepted.take(record.client(), sender(record), helo, record.time());
  }

  private String sender(DecisionRecord record) {
    String from = record.from();
    return from == null || from.length() > MAX_SENDER_CHARACTERS ? "" : kept(from, privacy.get());
  }

  /** Returns the part of an address that may be remembered. */
  static String kept(String address, Privacy privacy) {
    return switch (privacy) {
      case FULL -> address;
      case NO_LOCALPART -> address.substring(address.lastIndexOf('@') + 1);
      case NO_ADDRESSES -> "";
    };
  }

  /** True when its thread has ended too early, or hangs. */
  boolean isLate() {
    return queue.isLate();
  }

  /** Reports what is queued, for a bounded time, and ends the thread. */
  @Override
  public void close() {
    queue.close();
  }
}
