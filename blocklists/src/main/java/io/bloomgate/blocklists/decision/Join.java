package io.bloomgate.blocklists.decision;

import io.bloomgate.config.settings.Action;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Last step of a decision: makes one verdict of the standing grounds (contract, section 3, join).
 *
 * <p>The strongest action wins. Among equal actions a single listing comes before a rule; then the
 * order is that of {@link io.bloomgate.config.settings.Check}; then the operator's entry before a
 * feed's, the most specific entry, the order of the feeds in the settings. The result does not
 * depend on the order in which grounds were found. Pure.
 *
 * <p>When a check failed, listings of feeds do not count and {@code on_error} decides; the
 * operator's blocks still count, because they need the operator lists only. When the operator lists
 * themselves could not be read, {@code on_error} decides about everything, because an allow may
 * have been missed.
 */
public final class Join {

  private final Findings findings;
  private final Policy policy;
  private final long generation;

  private Join(Findings findings, Policy policy, long generation) {
    this.findings = findings;
    this.policy = policy;
    this.generation = generation;
  }

  /** The verdict on what was found. */
  static Verdict verdict(Findings findings, Policy policy, long generation) {
    return new Join(findings, policy, generation).verdict();
  }

  private Verdict verdict() {
    List<Ground.Exact> exact = new ArrayList<>();
    List<Ground.Failed> failed = new ArrayList<>();
    for (Ground ground : findings.standing()) {
      switch (ground) {
        case Ground.Exact e -> exact.add(e);
        case Ground.Failed f -> failed.add(f);
      }
    }
    exact.sort(strongestFirst());
    return failed.isEmpty() ? whole(exact) : broken(exact, failed);
  }

  private Verdict whole(List<Ground.Exact> exact) {
    Evidence evidence = evidence(exact, List.of());
    return exact.isEmpty() ? new Verdict.Accept(evidence) : exact(exact.getFirst(), evidence);
  }

  private Verdict broken(List<Ground.Exact> exact, List<Ground.Failed> failed) {
    List<Ground.Exact> blocks = exact.stream().filter(Ground.Blocked.class::isInstance).toList();
    if (blocks.isEmpty() || findings.operatorFailed()) {
      return onError(failed, evidence(failed, exact));
    }
    List<Ground> rest = new ArrayList<>(failed);
    exact.stream().filter(ground -> !blocks.contains(ground)).forEach(rest::add);
    return exact(blocks.getFirst(), evidence(blocks, rest));
  }

  private static Verdict exact(Ground.Exact ground, Evidence evidence) {
    return switch (action(ground)) {
      case REJECT -> new Verdict.Reject(ground, evidence);
      case TEMPFAIL -> new Verdict.Tempfail(ground, evidence);
      case GREYLIST -> new Verdict.Greylist(ground, evidence);
      case TAG -> new Verdict.Tag(ground, evidence);
      case TRUST, OBSERVE -> new Verdict.Accept(evidence);
    };
  }

  private Verdict onError(List<Ground.Failed> failed, Evidence evidence) {
    return switch (policy.onError()) {
      case ACCEPT -> new Verdict.Accept(evidence);
      case TEMPFAIL -> new Verdict.Tempfail(failed.getFirst(), evidence);
    };
  }

  private Evidence evidence(List<? extends Ground> first, List<? extends Ground> then) {
    List<Ground> ordered = new ArrayList<>(first);
    ordered.addAll(then);
    return findings.evidence(generation, ordered);
  }

  private Comparator<Ground.Exact> strongestFirst() {
    return Comparator.comparing(Join::action, Comparator.reverseOrder())
        .thenComparingInt(ground -> ground instanceof Ground.RuleMet ? 1 : 0)
        .thenComparing(Ground::check)
        .thenComparingInt(ground -> ground instanceof Ground.Blocked ? 0 : 1)
        .thenComparing(Join::narrowness, Comparator.reverseOrder())
        .thenComparingInt(this::order)
        .thenComparing(Ground.Exact::source)
        .thenComparing(Ground.Exact::entry);
  }

  /** What a ground asks for. */
  public static Action action(Ground.Exact ground) {
    return switch (ground) {
      case Ground.OfList listed -> listed.action();
      case Ground.RuleMet met -> met.action();
      case Ground.Blocked blocked ->
          blocked.weakness() == Ground.Weakness.NONE ? Action.REJECT : Action.TAG;
    };
  }

  private int order(Ground.Exact ground) {
    if (ground instanceof Ground.RuleMet met) {
      return met.rule().order();
    }
    if (ground instanceof Ground.BySign) {
      return policy.feeds().size();
    }
    Policy.FeedRule rule = policy.feeds().get(ground.source());
    return rule == null ? -1 : rule.order();
  }

  private static int narrowness(Ground.Exact ground) {
    return switch (ground) {
      case Ground.OfList listed -> listed.narrowness();
      case Ground.RuleMet ignored -> 0;
      case Ground.Blocked blocked -> blocked.block().subject().narrowness();
    };
  }
}
