package io.bloomgate.gateway;

import io.bloomgate.blocklists.snapshot.ListSnapshot;
import io.bloomgate.gateway.decision.Lists;
import io.bloomgate.gateway.decision.Policy;
import java.util.Set;

/**
 * What decisions rest on at this moment: the live lists and the policy of the settings in use. Made
 * by {@link Running}; asked by sessions and commands on their threads, so both are made anew only
 * when what they are made from has changed.
 */
final class DecisionBasis {

  private final Parts parts;
  private volatile PolicyInUse policy;
  private volatile CountedSnapshot counted;

  /** The policy together with what it was made from. */
  private record PolicyInUse(Configuration configuration, Set<String> disabled, Policy policy) {}

  /** A snapshot and the same one counting. */
  private record CountedSnapshot(ListSnapshot plain, ListSnapshot counting) {}

  DecisionBasis(Parts parts, Configuration configuration) {
    this.parts = parts;
    this.policy = newPolicy(configuration, parts.feeds().disabled());
    this.counted = count(parts.feeds().live().current());
  }

  /** Goes by these settings from now on. */
  void configure(Configuration fresh) {
    policy = newPolicy(fresh, parts.feeds().disabled());
  }

  /** The policy of the moment: feeds may have been disabled or enabled. */
  Policy policy() {
    PolicyInUse known = policy;
    Set<String> disabled = parts.feeds().disabled();
    if (!known.disabled().equals(disabled)) {
      known = newPolicy(known.configuration(), disabled);
      policy = known;
    }
    return known.policy();
  }

  /** The live lists; what is asked of them shows in the metrics. */
  Lists listsForSessions() {
    ListSnapshot now = parts.feeds().live().current();
    CountedSnapshot known = counted;
    if (!known.plain().equals(now)) {
      known = count(now);
      counted = known;
    }
    return lists(known.counting());
  }

  /** This snapshot with the operator's lists of the moment. */
  Lists lists(ListSnapshot snapshot) {
    FeedWorks feeds = parts.feeds();
    return new Lists(snapshot, parts.operator().view(), feeds.lastSuccess(), feeds.tripped());
  }

  private CountedSnapshot count(ListSnapshot snapshot) {
    return new CountedSnapshot(snapshot, parts.filters().counting(snapshot));
  }

  private static PolicyInUse newPolicy(Configuration configuration, Set<String> disabled) {
    return new PolicyInUse(
        configuration,
        disabled,
        Policy.of(
            configuration.settings(),
            disabled,
            configuration.downstreamAddresses(),
            configuration.protectedToo()));
  }
}
