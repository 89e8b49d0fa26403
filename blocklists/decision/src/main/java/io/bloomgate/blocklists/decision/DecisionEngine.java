package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.decision.Grounds.Waiver;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides: a function of its arguments, for any thread. {@link Gather} asks for the answers before
 * it; sessions call both at each stage, {@code explain} for each question.
 *
 * <p>The steps, each in its class: collect what feeds and the operator say ({@link Collector});
 * void what {@code never_block} protects ({@link Protection}), of which an exempt client needs
 * nothing; pardon what the operator allows ({@link AllowRules}); add what several lists say
 * together ({@link ListRule}); waive what does not count for an exempt network, or leave of it what
 * the profile of the recipient allows ({@link Recipients}), and for a forwarder a tag; join the
 * rest ({@link Findings#verdict}).
 */
public final class DecisionEngine {

  private DecisionEngine() {}

  /**
   * The verdict of mode enforce on these facts.
   *
   * @param now time of the decision, for the age of feeds
   */
  public static Verdict decide(Facts facts, Answers answers, Policy policy, Instant now) {
    boolean isClean = answers.foundNothing() && facts.dns().isEmpty();
    if (isClean && policy.signs().shownBy(facts).isEmpty()) { // no profile adds signs
      return new Verdict.Accept(Grounds.clean(answers.generation()));
    }
    Recipients.Own own = policy.recipients().of(facts.recipient(), now);
    return decide(facts, answers, own == null ? policy : own.policy(), own, now);
  }

  private static Verdict decide(
      Facts facts, Answers answers, Policy policy, Recipients.@Nullable Own own, Instant now) {
    Findings findings = new Findings();
    Collector collector = new Collector(facts, answers, policy, now, findings);
    collector.collect();
    String failure = answers.operatorFailure();
    findings.decidedFor(own == null ? null : own.named());
    if (findings.isEmpty() && failure == null) {
      // Where lists name it that do not count for this recipient, that is said.
      return new Verdict.Accept(
          answers.foundNothing() && facts.dns().isEmpty()
              ? Grounds.clean(answers.generation())
              : findings.grounds(answers.generation(), List.of()));
    }
    boolean ofExemptNetwork = Protection.isExempt(facts, policy);
    if (!ofExemptNetwork) {
      findings.pardon(ground -> Protection.voids(ground, facts, policy));
    }
    if (failure == null) {
      if (!findings.standing().isEmpty()) {
        findings.pardon(AllowRules.of(facts, answers)::lifts);
      }
      apply(policy.rules(), answers.known(), collector.whose(), findings);
    } else {
      findings.operatorFailed(new Ground.Failed(Check.CLIENT_IP, facts.client(), failure));
    }
    if (ofExemptNetwork) {
      if (!findings.standing().isEmpty()) {
        findings.waive(Waiver.EXEMPT_NETWORK, _ -> true);
      }
    } else if (own != null
        || facts.content().most() != Action.REJECT
        || Protection.isForwarded(facts, policy)) {
      new ProfileBounds(own, facts, policy, findings).apply();
    }
    return findings.verdict(policy, answers.generation());
  }

  /** Rules see what counts: a listing that an allow entry lifted is no longer one of several. */
  private static void apply(
      List<ListRule> rules, boolean known, Whereabouts whose, Findings findings) {
    for (int i = 0; i < rules.size() && !findings.standing().isEmpty(); i++) {
      Ground.RuleMet met = rules.get(i).met(findings.standing(), whose);
      if (met != null && met.rule().unlessKnown() && known) {
        findings.addPardoned(met, new Pardon.KnownSender());
      } else if (met != null) {
        findings.add(met);
      }
    }
  }
}
