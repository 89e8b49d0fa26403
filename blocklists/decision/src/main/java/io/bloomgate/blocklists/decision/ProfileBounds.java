package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Grounds.Waiver;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import org.jspecify.annotations.Nullable;

/**
 * Last step but one of a decision: leaves of each ground what the profile of the recipient allows.
 * A ground that may do nothing is lifted, so that log and {@code explain} can name it. Made and
 * used by {@link DecisionEngine} for one decision; changes its {@link Findings} only.
 */
final class ProfileBounds {

  private final RecipientProfile profile;
  private final Action mostOfContent;
  private final OnError onError;
  private final Findings findings;

  /**
   * Bounds of one decision.
   *
   * @param own {@code null} for a recipient without a profile
   * @param mostForAll the strongest action that content may have for all recipients of the mail
   */
  ProfileBounds(
      Recipients.@Nullable Own own, Action mostForAll, OnError onError, Findings findings) {
    this.profile = own == null ? RecipientProfile.DEFAULT : own.profile();
    this.mostOfContent = profile.mostOfContent().atMost(mostForAll);
    this.onError = onError;
    this.findings = findings;
  }

  void apply() {
    if (!findings.standing().isEmpty()) {
      Waiver waiver = profile.isExempt() ? Waiver.EXEMPT_RECIPIENT : Waiver.PROFILE;
      findings.waive(waiver, this::mayDoNothing);
      findings.replaceEach(this::bounded);
    }
  }

  /**
   * The strongest action of a ground. For exempt recipients the operator's block of the client
   * counts in full, and a failure of his entries, because such a block may have been missed.
   */
  private Action most(Ground ground) {
    if (ground.isOfContent()) {
      return mostOfContent;
    }
    boolean blocksClient =
        ground instanceof Ground.Blocked
            && (ground.check() == Check.CLIENT_IP || ground.check() == Check.CLIENT_NAME);
    return profile.isExempt() && (blocksClient || findings.isOperatorFailure(ground))
        ? Action.REJECT
        : profile.most();
  }

  /** True when the ground would have an effect, and the profile allows none. */
  private boolean mayDoNothing(Ground ground) {
    Action left = ground.strength().atMost(most(ground));
    return switch (ground) {
      case Ground.Failed _ -> onError == OnError.TEMPFAIL && left != ground.strength();
      case Ground.Found _ ->
          (left == Action.OBSERVE && left != ground.strength())
              || (left == Action.GREYLIST && !profile.greylist());
    };
  }

  private Ground bounded(Ground ground) {
    Action most = most(ground);
    if (!(ground instanceof Ground.Found found) || found.action().compareTo(most) <= 0) {
      return ground;
    }
    boolean forExempt = profile.isExempt() || most != profile.mostOfContent();
    return found.weakened(
        most, ground.isOfContent() && forExempt ? Weakness.EXEMPT : Weakness.PROFILE);
  }
}
