package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Grounds.FilterHit;
import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.decision.Grounds.Pardoned;
import io.bloomgate.blocklists.decision.Grounds.Waiver;
import java.util.ArrayList;
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

  /** True when the operator lists could not be read. */
  boolean operatorFailed() {
    return operatorFailure != null;
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
}
