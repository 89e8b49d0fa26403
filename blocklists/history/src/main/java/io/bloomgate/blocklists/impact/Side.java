package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Signs;
import io.bloomgate.blocklists.generation.JoinedSnapshot;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One side of a comparison: lists, and what the settings make of them. Made by the command line and
 * by the feed-refresher. Immutable.
 */
public record Side(Lists lists, Policy policy) {

  /** The recipients that are exempt unless the settings name others. */
  private static final Map<String, RecipientProfile> EXEMPT_RECIPIENTS =
      RecipientProfile.exempt(List.of("postmaster", "abuse"));

  /** No list at all; only what is protected is known. */
  public static Side withoutLists(List<ProtectedSet> protectedSets) {
    return new Side(
        new Lists(ListSnapshot.EMPTY, OperatorView.EMPTY, Map.of()),
        new Policy(
            Map.of(),
            List.of(),
            Signs.NONE,
            EXEMPT_RECIPIENTS,
            List.of(),
            List.of(),
            OnError.ACCEPT,
            protectedSets));
  }

  /** The same with other known senders. */
  Side withKnown(Lists.Known known) {
    return new Side(lists.withKnown(known), policy);
  }

  /** The same where a list has another action; empty when no list of that name counts here. */
  public Optional<Side> withAction(String list, Action action) {
    Policy.FeedRule rule = policy.feeds().get(list);
    if (rule == null) {
      return Optional.empty();
    }
    Map<String, Policy.FeedRule> rules = new HashMap<>(policy.feeds());
    rules.put(list, rule.withAction(action));
    return Optional.of(new Side(lists, policy.withFeeds(rules)));
  }

  /** The same where recipients have another profile. */
  public Side withRecipient(String entry, RecipientProfile profile) {
    return new Side(lists, policy.withRecipient(entry, profile));
  }

  /** The same with further lists, which come last in the order of the settings. */
  public Side with(CandidateLists candidates) {
    Map<String, Policy.FeedRule> rules = new HashMap<>(policy.feeds());
    int last = rules.values().stream().mapToInt(Policy.FeedRule::order).max().orElse(-1);
    for (Candidate candidate : candidates.lists()) {
      last++;
      rules.put(
          candidate.name(),
          new Policy.FeedRule(last, candidate.checks(), candidate.action(), null, null));
    }
    return new Side(
        lists.pinnedTo(new JoinedSnapshot(lists.snapshot(), candidates.snapshot())),
        policy.withFeeds(rules));
  }
}
