package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Grounds.FilterHit;
import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.decision.Grounds.Pardoned;
import io.bloomgate.blocklists.decision.Grounds.Waiver;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The findings of one decision so far. Grounds move from standing to pardoned, never back. One
 * decision's own, on one thread; makes its lists only when there is something to keep, because most
 * decisions find nothing.
 */
final class Findings {

  private List<Ground> standing = List.of();
  private List<Pardoned> pardoned = List.of();
  private List<FilterHit> falsePositives = List.of();
  private @Nullable Waiver waiver;
  private Grounds.@Nullable Profile profile;
  private Ground.@Nullable Failed operatorFailure;

  /** True when nothing at all was found. */
  boolean isEmpty() {
    return standing.isEmpty() && falsePositives.isEmpty();
  }

  List<Ground> standing() {
    return standing;
  }

  /** True for the failure of the operator lists. */
  boolean isOperatorFailure(Ground ground) {
    return ground.equals(operatorFailure);
  }

  void add(Ground ground) {
    if (standing.isEmpty()) {
      standing = new ArrayList<>(4);
    }
    standing.add(ground);
  }

  void add(FilterHit hit) {
    if (falsePositives.isEmpty()) {
      falsePositives = new ArrayList<>(2);
    }
    falsePositives.add(hit);
  }

  void operatorFailed(Ground.Failed failure) {
    operatorFailure = failure;
    add(failure);
  }

  /** Lifts every standing ground for which a pardon is found. */
  void pardon(Function<Ground, @Nullable Pardon> pardons) {
    List<Ground> still = new ArrayList<>(standing.size());
    List<Pardoned> lifted = new ArrayList<>(pardoned);
    for (Ground ground : standing) {
      Pardon pardon = pardons.apply(ground);
      if (pardon == null) {
        still.add(ground);
      } else {
        lifted.add(new Pardoned(ground, pardon));
      }
    }
    standing = still;
    pardoned = lifted;
  }

  /** Adds a ground that does not count. */
  void addPardoned(Ground ground, Pardon pardon) {
    if (pardoned.isEmpty()) {
      pardoned = new ArrayList<>(2);
    }
    pardoned.add(new Pardoned(ground, pardon));
  }

  /** Notes what counts for the recipient in particular. */
  void decidedFor(Grounds.@Nullable Profile own) {
    profile = own;
  }

  /** Puts another ground in the place of each. */
  void replaceEach(UnaryOperator<Ground> other) {
    standing = standing.stream().map(other).toList();
  }

  /** Lifts every ground that a rule for the recipient or the client excludes. */
  void waive(Waiver rule, Predicate<Ground> spared) {
    Pardon pardon = new Pardon.Waived(rule);
    int before = standing.size();
    pardon(ground -> spared.test(ground) ? pardon : null);
    waiver = standing.size() < before ? rule : waiver;
  }

  /** The evidence, with the standing grounds in this order. */
  Grounds grounds(long generation, List<Ground> ordered) {
    return new Grounds(generation, ordered, pardoned, falsePositives, waiver, profile);
  }

  /**
   * Makes one verdict of the standing grounds: the last step of a decision (rules of decision in
   * gateway/README.md).
   *
   * <p>The strongest action wins. Among equal actions a single listing comes before a rule; then
   * the order is that of {@link io.bloomgate.config.name.Check}; then the operator's entry before a
   * feed's, the most specific entry, the order of the feeds in the settings. The result does not
   * depend on the order in which grounds were found. Pure.
   *
   * <p>When a check failed, listings of feeds do not count and {@code on_error} decides; the
   * operator's blocks still count, because they need the operator lists only. When the operator
   * lists themselves could not be read, {@code on_error} decides about everything, because an allow
   * may have been missed.
   */
  Verdict verdict(Policy policy, long generation) {
    List<Ground.Found> found = new ArrayList<>();
    List<Ground.Failed> failed = new ArrayList<>();
    for (Ground ground : standing) {
      switch (ground) {
        case Ground.Found one -> found.add(one);
        case Ground.Failed one -> failed.add(one);
      }
    }
    found.sort(strongestFirst(policy));
    Predicate<Ground.Found> counts =
        one -> failed.isEmpty() || (one instanceof Ground.Blocked && operatorFailure == null);
    List<Ground> ordered = new ArrayList<>(found.stream().filter(counts).toList());
    ordered.addAll(failed);
    ordered.addAll(found.stream().filter(counts.negate()).toList());
    Grounds grounds = grounds(generation, ordered);
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
        .thenComparing(Findings::narrowness, Comparator.reverseOrder())
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
