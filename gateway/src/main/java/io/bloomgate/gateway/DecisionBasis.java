package io.bloomgate.gateway;

import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.generation.ListSnapshot;
import java.util.Set;

/**
 * What decisions rest on at this moment: the live lists and the policy of the settings in use. Made
 * by {@link LiveGateway}; asked by sessions and commands on their threads, so the policy is made
 * anew only when what it is made from has changed. Keeps no lists: those that were replaced are let
 * go of, with or without mail.
 */
final class DecisionBasis {

  private final Parts parts;
  private final LivePolicy policy;

  DecisionBasis(Parts parts, Configuration configuration) {
    this.parts = parts;
    this.policy = new LivePolicy(configuration, parts.feeds()::disabled, DecisionBasis::newPolicy);
  }

  /** Goes by these settings from now on. */
  void configure(Configuration fresh) {
    policy.configure(fresh);
  }

  /** The policy of the moment: feeds may have been disabled or enabled. */
  Policy policy() {
    return policy.now();
  }

  /** The live lists; what is asked of them shows in the metrics. */
  Lists listsForSessions() {
    return lists(parts.filters().counting(parts.feeds().live().current()));
  }

  /** This snapshot with the operator's lists of the moment. */
  Lists lists(ListSnapshot snapshot) {
    FeedWorks feeds = parts.feeds();
    return new Lists(snapshot, parts.operator().view(), feeds.lastSuccess());
  }

  private static Policy newPolicy(Configuration configuration, Set<String> disabled) {
    return Policy.of(
        configuration.settings(),
        disabled,
        configuration.downstreamAddresses(),
        configuration.protectedToo());
  }
}
