package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Evidence.Pardon;
import io.bloomgate.blocklists.decision.Evidence.Waiver;
import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Decides; a pure function, for any thread. Sessions call it at each stage, {@code explain} calls
 * the same steps.
 *
 * <p>The steps, each in its class: collect what feeds ({@link Collector}) and the operator ({@link
 * Blocks}) say; void what {@code never_block} protects ({@link Protection}), of which an exempt
 * client needs nothing; pardon what the operator allows ({@link AllowRules}); add what several
 * lists say together ({@link ListRule}); waive what does not count for an exempt network or
 * recipient; join the rest ({@link Join}).
 */
public final class DecisionEngine {

  /** The key under which a failure of the operator lists is noted when the client is not known. */
  private static final IpAddress NO_CLIENT = new IpAddress(0, 0);

  /** How often a decision is made again because the operator's entries changed meanwhile. */
  private static final int MAX_REPEATS = 3;

  private DecisionEngine() {}

  /**
   * The verdict of mode enforce on these facts. Never throws: a list that cannot be read becomes a
   * {@link Ground.Failed}.
   *
   * @param now time of the decision, for expiry and age
   */
  public static Verdict decide(Facts facts, Lists lists, Policy policy, Instant now) {
    return decide(facts, lists, policy, now, new KeyBatch());
  }

  /**
   * The same for callers that decide often.
   *
   * @param batch the caller's own, for the questions of this decision; what it holds is overwritten
   */
  public static Verdict decide(
      Facts facts, Lists lists, Policy policy, Instant now, KeyBatch batch) {
    return decide(SessionKeys.of(facts, policy), lists, policy, now, batch);
  }

  public static Verdict decide(SessionKeys keys, Lists lists, Policy policy, Instant now) {
    return decide(keys, lists, policy, now, new KeyBatch());
  }

  /**
   * True when a listing of this key could change the verdict; otherwise no DNS list needs to be
   * asked about it: the client's network is exempt, the subject is protected, or an allow entry
   * lifts such a listing.
   */
  public static boolean couldCount(
      Facts facts, Check check, ListKey subject, Lists lists, Policy policy, Instant now) {
    SessionKeys keys = SessionKeys.of(facts, policy);
    DnsListing listing =
        new DnsListing("", check, subject, "", NO_CLIENT, Duration.ZERO, Instant.EPOCH);
    Ground assumed = new Ground.ByDns(listing, Action.REJECT);
    try {
      return !Protection.isExempt(keys, policy)
          && Protection.voids(assumed, policy) == null
          && AllowRules.of(keys, lists.operator(), now).lifts(assumed) == null;
    } catch (RuntimeException | InternalError e) {
      // The decision meets the same failure, and on_error decides there.
      return false;
    }
  }

  /** Block and allow entries are asked one after the other, and belong to one state of both. */
  private static Verdict decide(
      SessionKeys keys, Lists lists, Policy policy, Instant now, KeyBatch batch) {
    Object version = lists.operator().version();
    Verdict verdict = decideOnce(keys, lists, policy, now, batch);
    for (int i = 0; i < MAX_REPEATS && !version.equals(lists.operator().version()); i++) {
      version = lists.operator().version();
      verdict = decideOnce(keys, lists, policy, now, batch);
    }
    return verdict;
  }

  private static Verdict decideOnce(
      SessionKeys keys, Lists lists, Policy policy, Instant now, KeyBatch batch) {
    Findings findings = new Findings();
    new Collector(lists, policy, now, findings).collect(keys, batch);
    long generation = lists.snapshot().generation();
    try {
      Blocks.collect(keys, lists.operator(), now, findings);
      if (findings.isEmpty()) {
        return new Verdict.Accept(Evidence.clean(generation));
      }
      if (!Protection.isExempt(keys, policy)) {
        findings.pardon(ground -> Protection.voids(ground, policy));
      }
      if (!findings.standing().isEmpty()) {
        findings.pardon(AllowRules.of(keys, lists.operator(), now)::lifts);
      }
      apply(policy.rules(), keys, lists, findings);
    } catch (RuntimeException | InternalError e) {
      findings.operatorFailed(new Ground.Failed(Check.CLIENT_IP, clientKey(keys), Faults.words(e)));
    }
    waive(keys, policy, findings);
    return Join.verdict(findings, policy, generation);
  }

  /** Rules see what counts: a listing that an allow entry lifted is no longer one of several. */
  private static void apply(
      List<ListRule> rules, SessionKeys keys, Lists lists, Findings findings) {
    for (int i = 0; i < rules.size() && !findings.standing().isEmpty(); i++) {
      Ground.RuleMet met = rules.get(i).met(findings.standing());
      if (met != null) {
        if (met.rule().unlessKnown() && isKnown(keys, lists)) {
          findings.addPardoned(met, new Pardon.KnownSender());
        } else {
          findings.add(met);
        }
      }
    }
  }

  private static boolean isKnown(SessionKeys keys, Lists lists) {
    IpPrefix client = keys.client();
    return client != null
        && client.isHost()
        && lists.known().isKnown(client.network(), keys.senderDomain());
  }

  /**
   * Exempt network: nothing refuses. Exempt recipient: only a block of the client does; what the
   * content shows tags the mail, which is one for all its recipients.
   */
  private static void waive(SessionKeys keys, Policy policy, Findings findings) {
    if (findings.standing().isEmpty()) {
      return;
    }
    if (Protection.isExempt(keys, policy)) {
      findings.waive(Waiver.EXEMPT_NETWORK, ignored -> true);
    } else if (keys.exemptRecipient()) {
      findings.waive(
          Waiver.EXEMPT_RECIPIENT,
          ground ->
              !ground.isOfContent()
                  && (findings.isOfFeeds(ground)
                      || (ground instanceof Ground.Blocked && ground.check() != Check.CLIENT_IP)));
    }
  }

  private static ListKey clientKey(SessionKeys keys) {
    IpPrefix client = keys.client();
    return client == null ? NO_CLIENT : client.network();
  }
}
