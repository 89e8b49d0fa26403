package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.config.name.Check;
import io.bloomgate.gateway.relay.ContentBudget;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shares among sessions what the reading of mails needs, and gives larger messages their turns: a
 * virtual thread that never waits keeps its processor, so a few messages whose octets come faster
 * than they are read would keep everybody else waiting until their end. One processor is left to
 * all other work. Made by the composition root, used by {@link ContentStage}; thread-safe.
 */
public final class ContentReading {

  /** Octets of a message that are read without a turn: they take at most 50 ms. */
  static final long FREE_OCTETS = 16 * 1024;

  private final long seed;
  private final SpamIntake spam;
  private final Executor threads;

  /** First come, first served: nobody who waits is passed over. */
  private final Semaphore turns;

  private volatile @Nullable Campaigns campaigns;

  /**
   * Nobody reads.
   *
   * @param seed of the likeness of texts; secret, and the same after a restart
   * @param campaigns as {@link #count}
   * @param spam takes mail for traps, and reports
   * @param threads that read large messages while their sessions wait
   * @param processors of the machine; a single one cannot be left to others
   */
  public ContentReading(
      long seed, @Nullable Campaigns campaigns, SpamIntake spam, Executor threads, int processors) {
    this.seed = seed;
    this.campaigns = campaigns;
    this.spam = spam;
    this.threads = threads;
    this.turns = new Semaphore(Math.max(1, processors - 1), true);
  }

  /** Takes the counters of copies; {@code null} while copies are not counted. */
  public void count(@Nullable Campaigns now) {
    campaigns = now;
  }

  @Nullable Campaigns campaigns() {
    return campaigns;
  }

  SpamIntake spam() {
    return spam;
  }

  long seed() {
    return seed;
  }

  MailReader reader(MimeLimits limits, Set<Check> wanted, boolean isReport) {
    return new MailReader(limits, wanted, seed, isReport, threads);
  }

  /**
   * The same of a mail. The tree of a large page is twenty times the page, and takes memory; there
   * are as many as there are turns.
   */
  <T> T inTurn(MailReader open, ContentBudget budget, Supplier<T> piece) {
    return inTurn(() -> {
      long page = open.pageOctets();
      budget.take(page);
      try {
        return piece.get();
      } finally {
        budget.give(page);
      }
    });
  }

  /** Reads a piece when its turn comes. */
  <T> T inTurn(Supplier<T> piece) {
    turns.acquireUninterruptibly();
    try {
      return piece.get();
    } finally {
      turns.release();
    }
  }
}
