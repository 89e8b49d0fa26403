package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether a DNS list may be asked: its test entries answer as RFC 5782 section 5 says, and it does
 * not list nearly everybody, as a list does on the day on which it dies. Used by {@link
 * DnsListAnswers} on any thread; thread-safe.
 */
final class ZoneHealth {

  /** How often a list that works is tested. */
  static final Duration TEST_INTERVAL = Duration.ofMinutes(30);

  /** How often one that does not work is tested. */
  static final Duration RETRY_INTERVAL = Duration.ofMinutes(1);

  /** Client networks are counted over this time, in two halves. */
  static final Duration WINDOW = Duration.ofMinutes(10);

  /** With fewer client networks nothing is concluded. */
  static final int MIN_NETWORKS = 50;

  /** More client networks are not counted in one half of the window. */
  private static final int MAX_NETWORKS = 2_000;

  /** Of the client networks. */
  private static final double MAX_LISTED_SHARE = 0.9;

  private static final String UNTESTED = "it has not been tested yet";

  /** Client networks in this half of the window and in the one before; the value: listed. */
  private Map<IpAddress, Boolean> current = new HashMap<>();

  private Map<IpAddress, Boolean> before = new HashMap<>();
  private long halfBeganNanos;
  private long nextTestNanos;
  private String problem = UNTESTED;

  /** Not asked before its first test, which is due at once. */
  ZoneHealth(long nowNanos) {
    this.halfBeganNanos = nowNanos;
    this.nextTestNanos = nowNanos;
  }

  /** True when decisions may ask. */
  synchronized boolean on() {
    return problem.isEmpty();
  }

  /** Why decisions do not ask; empty when they do. */
  synchronized String problem() {
    return problem;
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
    boolean changed = problem.isEmpty() != found.isEmpty() && !problem.equals(UNTESTED);
    problem = found;
    if (!found.isEmpty()) {
      nextTestNanos = Math.min(nextTestNanos, nowNanos + RETRY_INTERVAL.toNanos());
    }
    current.clear();
    before.clear();
    return changed || !found.isEmpty();
  }

  /** The list answered with an error: off at once, and tested again soon. */
  synchronized boolean refused(String reason, long nowNanos) {
    boolean wasOn = problem.isEmpty();
    problem = reason;
    if (wasOn) {
      nextTestNanos = nowNanos + RETRY_INTERVAL.toNanos();
    }
    return wasOn;
  }

  /**
   * The list answered about a client.
   *
   * @return true when the list went off by it
   */
  synchronized boolean answered(IpAddress client, boolean listed, long nowNanos) {
    if (nowNanos - halfBeganNanos > WINDOW.dividedBy(2).toNanos()) {
      before = current;
      current = new HashMap<>();
      halfBeganNanos = nowNanos;
    }
    if (current.size() < MAX_NETWORKS) {
      current.merge(ClientNetwork.of(client), listed, Boolean::logicalAnd);
    }
    int networks = current.size() + before.size();
    if (!problem.isEmpty() || networks < MIN_NETWORKS || !listed) {
      return false;
    }
    long all = count(current) + count(before);
    if (all <= MAX_LISTED_SHARE * networks) {
      return false;
    }
    problem = "it lists " + all + " of the last " + networks + " client networks";
    nextTestNanos = nowNanos;
    return true;
  }

  private static long count(Map<IpAddress, Boolean> networks) {
    return networks.values().stream().filter(listed -> listed).count();
  }
}
