package io.bloomgate.blocklists.decision;

import io.bloomgate.config.settings.Settings.Policy.OnError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Last step of a decision: makes one verdict of the standing grounds (rules of decision in
 * gateway/README.md).
 *
 * <p>The strongest action wins. Among equal actions a single listing comes before a rule; then the
 * order is that of {@link io.bloomgate.config.name.Check}; then the operator's entry before a
 * feed's, the most specific entry, the order of the feeds in the settings. The result does not
 * depend on the order in which grounds were found. Pure.
 *
 * <p>When a check failed, listings of feeds do not count and {@code on_error} decides; the
 * operator's blocks still count, because they need the operator lists only. When the operator lists
 * themselves could not be read, {@code on_error} decides about everything, because an allow may
 * have been missed.
 */
public final class Join {

  private Join() {}

  /** The verdict on what was found. */
  static Verdict verdict(Findings findings, Policy policy, long generation) {
    List<Ground.Found> found = new ArrayList<>();
    List<Ground.Failed> failed = new ArrayList<>();
    for (Ground ground : findings.standing()) {
      switch (ground) {
        case Ground.Found one -> found.add(one);
        case Ground.Failed one -> failed.add(one);
      }
    }
    found.sort(strongestFirst(policy));
    Predicate<Ground.Found> counts =
        one -> failed.isEmpty() || (one instanceof Ground.Blocked && !findings.operatorFailed());
    List<Ground> ordered = new ArrayList<>(found.stream().filter(counts).toList());
    ordered.addAll(failed);
    ordered.addAll(found.stream().filter(counts.negate()).toList());
    Grounds grounds = findings.grounds(generation, ordered);
    if (!ordered.isEmpty()
        && ordered.getFirst() instanceof Ground.Found first
        && counts.test(first)) {
      return verdict(first, grounds);
    }
    return failed.isEmpty() || policy.onError() == OnError.ACCEPT
        ? new Verdict.Accept(grounds)
        : new Verdict.Tempfail(failed.getFirst(), grounds);
  }

  private static Verdict verdict(Ground.Found ground, Grounds grounds) {
    return switch (ground.action()) {
      case REJECT -> new Verdict.Reject(ground, grounds);
      case TEMPFAIL -> new Verdict.Tempfail(ground, grounds);
      case GREYLIST -> new Verdict.Greylist(ground, grounds);
      case TAG -> new Verdict.Tag(ground, grounds);
      case TRUST, OBSERVE -> new Verdict.Accept(grounds);
    };
  }

  private static Comparator<Ground.Found> strongestFirst(Policy policy) {
    return Comparator.comparing(Ground.Found::action, Comparator.reverseOrder())
        .thenComparingInt(ground -> ground instanceof Ground.RuleMet ? 1 : 0)
        .thenComparing(Ground::check)
        .thenComparingInt(ground -> ground instanceof Ground.Blocked ? 0 : 1)
        .thenComparing(Join::narrowness, Comparator.reverseOrder())
        .thenComparingInt(ground -> order(ground, policy))
        .thenComparing(Ground.Found::source)
        .thenComparing(Ground.Found::entry);
  }

  private static int order(Ground.Found ground, Policy policy) {
    if (ground instanceof Ground.RuleMet met) {
      return met.rule().order();
    }
    if (ground instanceof Ground.BySign) {
      return policy.feeds().size();
    }
    Policy.FeedRule rule = policy.feeds().get(ground.source());
    return rule == null ? -1 : rule.order();
  }

  private static int narrowness(Ground.Found ground) {
    return switch (ground) {
      case Ground.OfList listed -> listed.narrowness();
      case Ground.RuleMet ignored -> 0;
      case Ground.Blocked blocked -> blocked.block().subject().narrowness();
    };
  }
}
