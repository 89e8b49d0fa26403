package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Grounds.Waiver;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import org.jspecify.annotations.Nullable;

/**
 * Last step but one of a decision: leaves of each ground what the profile of the recipient allows,
 * and of mail from a trusted forwarder no more than a tag, because it would bounce a refusal. A
 * ground that may do nothing is lifted, so that log and {@code explain} can name it. Made and used
 * by {@link DecisionEngine} for one decision; changes its {@link Findings} only.
 */
final class ProfileBounds {

  private final RecipientProfile profile;
  private final Action mostOfContent;
  private final OnError onError;
  private final boolean forwarded;
  private final boolean behindForwarder;
  private final Findings findings;

  /**
   * Bounds of one decision.
   *
   * @param own {@code null} for a recipient without a profile
   * @param facts with the strongest action that content may have for all recipients of the mail
   */
  ProfileBounds(Recipients.@Nullable Own own, Facts facts, Policy policy, Findings findings) {
    this.profile = own == null ? RecipientProfile.DEFAULT : own.profile();
    this.mostOfContent = profile.mostOfContent().atMost(facts.content().most());
    this.onError = policy.onError();
    this.forwarded = Protection.isForwarded(facts, policy);
    this.behindForwarder = facts.isBehindForwarder();
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
  private Action mostForRecipient(Ground ground) {
    if (ground.isOfContent()) {
      return mostOfContent;
    }
    return profile.isExempt() && (blocksClient(ground) || findings.isOperatorFailure(ground))
        ? Action.REJECT
        : profile.most();
  }

  private static boolean blocksClient(Ground ground) {
    return ground instanceof Ground.Blocked
        && (ground.check() == Check.CLIENT_IP || ground.check() == Check.CLIENT_NAME);
  }

  /** The same from a forwarder: a block of the forwarder itself is an explicit wish, and counts. */
  private Action most(Ground ground) {
    boolean refuses = ground instanceof Ground.Failed || (blocksClient(ground) && !behindForwarder);
    Action most = mostForRecipient(ground);
    return forwarded && !refuses ? most.atMost(Action.TAG) : most;
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
    Action forRecipient = mostForRecipient(ground);
    if (forRecipient != most) {
      return found.weakened(most, Weakness.FORWARDED);
    }
    boolean forExempt = profile.isExempt() || most != profile.mostOfContent();
    return found.weakened(
        most, ground.isOfContent() && forExempt ? Weakness.EXEMPT : Weakness.PROFILE);
  }
}
