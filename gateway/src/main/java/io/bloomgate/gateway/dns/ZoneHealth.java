package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.ListKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether a DNS list may be asked: {@link ZoneTest} found nothing wrong. What sessions hear
 * can only bring the next test forward, because clients choose what is asked: listed clients alone
 * must not switch a list off, nor a name that the list refuses. Used by {@link DnsListAnswers} on
 * any thread; thread-safe.
 */
final class ZoneHealth {

  /** The interval in which a list that works is tested. */
  static final Duration TEST_INTERVAL = Duration.ofMinutes(30);

  /** The interval in which one that does not work is tested. */
  static final Duration RETRY_INTERVAL = Duration.ofMinutes(1);

  /**
   * The shortest interval in which suspicion brings a test forward: clients can cause it at will.
   */
  static final Duration SUSPICION_INTERVAL = Duration.ofMinutes(2);

  /**
   * A list that lists all of the last client networks and names is under suspicion: one that dies
   * may list everybody on that day.
   */
  static final int LAST = 20;

  /** Questions in a row without an answer. */
  static final int MAX_SILENT = 20;

  private static final String UNTESTED = "it has not been tested yet";

  /**
   * Questions in a row without an answer, after which no mail waits for one until the list answers
   * something or passes its test.
   */
  static final int MAX_AWAITED = 3;

  /** Client networks and names that were asked about last; the value: listed. */
  private final LinkedHashMap<ListKey, Boolean> last = new LinkedHashMap<>();

  private int silent;

  /** Questions without an answer since anything came; an answer that was kept says nothing. */
  private int unheard;

  /** The last of them: several lists of the zone, and later mails, hear of one question. */
  private @Nullable Object lastUnheard;

  private long nextTestNanos;
  private long nextSuspicionNanos;
  private String problem = UNTESTED;

  /** Begins before the first test, which is due at once; until then no session asks. */
  ZoneHealth(long nowNanos) {
    this.nextTestNanos = nowNanos;
    this.nextSuspicionNanos = nowNanos;
  }

  /** True when decisions may ask. */
  synchronized boolean on() {
    return problem.isEmpty();
  }

  /** The reason why decisions do not ask; empty when they do. */
  synchronized String problem() {
    return problem;
  }

  /** Settings were read again: other name servers may answer otherwise. */
  synchronized void testSoon(long nowNanos) {
    nextTestNanos = nowNanos;
  }

  /** True for one caller when a test is due. */
  synchronized boolean takeTest(long nowNanos) {
    if (nowNanos - nextTestNanos < 0) {
      return false;
    }
    nextTestNanos = nowNanos + (problem.isEmpty() ? TEST_INTERVAL : RETRY_INTERVAL).toNanos();
    return true;
  }

  /**
   * A test ended.
   *
   * @param found what is wrong; empty for nothing
   * @return true when the list went on or off by it
   */
  synchronized boolean tested(String found, long nowNanos) {
    boolean wasOff = !problem.isEmpty() && !problem.equals(UNTESTED);
    problem = found;
    if (!found.isEmpty()) {
      nextTestNanos = Math.min(nextTestNanos, nowNanos + RETRY_INTERVAL.toNanos());
    }
    last.clear();
    silent = 0;
    unheard = 0;
    return wasOff == found.isEmpty();
  }

  /**
   * The list answered with an error.
   *
   * @return true when a test is due because of it
   */
  synchronized boolean refused(long nowNanos) {
    return suspect(nowNanos);
  }

  /** An answer came, in time or not: the list is worth a wait. */
  synchronized void heard() {
    unheard = 0;
  }

  /** True when a mail waits for answers. */
  synchronized boolean isAwaited() {
    return unheard < MAX_AWAITED;
  }

  /** The list did not answer this question; the result is as of {@link #refused}. */
  synchronized boolean silent(Object question, long nowNanos) {
    unheard += question.equals(lastUnheard) ? 0 : 1;
    lastUnheard = question;
    return ++silent >= MAX_SILENT && suspect(nowNanos);
  }

  /**
   * The list answered; the result is as of {@link #refused}.
   *
   * @param subject the client's network, or the name that was asked about
   */
  synchronized boolean answered(ListKey subject, boolean listed, long nowNanos) {
    silent = 0;
    last.remove(subject);
    last.put(subject, listed);
    if (last.size() > LAST) {
      last.pollFirstEntry();
    }
    return last.size() == LAST && !last.containsValue(false) && suspect(nowNanos);
  }

  private boolean suspect(long nowNanos) {
    if (!problem.isEmpty() || nowNanos - nextSuspicionNanos < 0) {
      return false;
    }
    nextSuspicionNanos = nowNanos + SUSPICION_INTERVAL.toNanos();
    nextTestNanos = nowNanos;
    return true;
  }
}
