package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the settings, ready to use: when enough of these lists have a listing, they ask
 * together for an action. Made with the {@link Policy}; asked by {@link DecisionEngine} for each
 * decision in which something is listed. Immutable.
 */
public final class ListRule {

  private final Rule rule;
  private final int order;
  private final Map<String, String> families;

  /**
   * The bit of each list; lists of one family share a bit, so that they count once. There are at
   * most {@link Rule#MAX_LISTS}.
   */
  private final Map<String, Integer> bits = new HashMap<>();

  /**
   * A rule.
   *
   * @param families the family of each feed, by the feed's name
   * @param order position in the settings, behind all feeds
   */
  public ListRule(Rule rule, Map<String, String> families, int order) {
    this.rule = rule;
    this.order = order;
    this.families = Map.copyOf(families);
    Map<String, Integer> ofFamily = new HashMap<>();
    for (String feed : rule.of()) {
      String counted = rule.all() ? feed : families.getOrDefault(feed, feed);
      Integer bit = ofFamily.computeIfAbsent(counted, family -> ofFamily.size());
      bits.put(feed, bit);
    }
  }

  /** The name in the settings. */
  public String name() {
    return rule.name();
  }

  /** The action that it asks for. */
  Action action() {
    return rule.action();
  }

  /** The lists and signs that it counts. */
  Set<String> lists() {
    return bits.keySet();
  }

  /** The same rule with another action. */
  ListRule with(Action action) {
    return action == rule.action() ? this : new ListRule(rule.with(action), families, order);
  }

  /** True for a rule that is not for senders whose mail was accepted before. */
  boolean unlessKnown() {
    return rule.unlessKnown();
  }

  int order() {
    return order;
  }

  /** True for a rule that is for some networks only. */
  boolean asksWhere() {
    return !rule.where().equals(Rule.Where.ANYWHERE);
  }

  /**
   * The ground that the rule adds to these; {@code null} when too few of its lists are among them.
   * What is older than {@code expire_after} does not count; where listings older than {@code
   * stale_after} or others that do no more than tag are needed, the rule does no more than tag, as
   * such a listing alone.
   *
   * @param whose network the client is in
   */
  public Ground.@Nullable RuleMet met(List<Ground> standing, Whereabouts whose) {
    List<AsnAnswer> where = asksWhere() ? whose.meeting(rule.where()) : List.of();
    if (asksWhere() && where.isEmpty()) {
      return null;
    }
    long current = 0;
    long stale = 0;
    for (int i = 0; i < standing.size(); i++) {
      if (standing.get(i) instanceof Ground.OfList listed) {
        Integer bit = bits.get(listed.source());
        if (bit != null && listed.weakness() != Weakness.EXPIRED) {
          stale |= 1L << bit;
          current |= listed.weakness() == Weakness.NONE ? 1L << bit : 0;
        }
      }
    }
    if (Long.bitCount(stale) < rule.needed()) {
      return null;
    }
    int needed = rule.needed() + trusted(standing);
    if (Long.bitCount(stale) < needed) {
      return null;
    }
    boolean fresh = Long.bitCount(current) >= needed && !whose.anyStale(where);
    return new Ground.RuleMet(
        this,
        rule.needed(),
        counted(standing, fresh),
        where,
        fresh ? rule.action() : rule.action().atMost(Action.TAG),
        fresh ? Weakness.NONE : Weakness.STALE);
  }

  /**
   * The number of lists that are needed in addition because lists of good senders list the session
   * too: one for each family of them. A rule that needs all of its lists is not met then.
   */
  private int trusted(List<Ground> standing) {
    Set<String> vouching = new HashSet<>();
    for (Ground ground : standing) {
      if (ground instanceof Ground.OfList listed && vouches(listed)) {
        vouching.add(families.getOrDefault(listed.source(), listed.source()));
      }
    }
    return vouching.size();
  }

  /**
   * The lists of good senders because of which the rule is not met; empty when it is met, and when
   * it would not be met without them.
   */
  public List<String> preventedBy(List<Ground> standing, Whereabouts whose) {
    List<Ground> others = standing.stream().filter(ground -> !vouches(ground)).toList();
    if (others.size() == standing.size()
        || met(standing, whose) != null
        || met(others, whose) == null) {
      return List.of();
    }
    return standing.stream()
        .filter(ListRule::vouches)
        .map(ground -> ((Ground.OfList) ground).source())
        .distinct()
        .toList();
  }

  private static boolean vouches(Ground ground) {
    return ground instanceof Ground.OfList listed
        && listed.action() == Action.TRUST
        && listed.weakness() != Weakness.EXPIRED;
  }

  /** One listing for each list or family that counted, in the order in which replies name them. */
  private List<Ground.OfList> counted(List<Ground> standing, boolean fresh) {
    List<Ground.OfList> ofRule = new ArrayList<>();
    for (Ground ground : standing) {
      if (ground instanceof Ground.OfList listed
          && bits.containsKey(listed.source())
          && (listed.weakness() == Weakness.NONE
              || (!fresh && listed.weakness() != Weakness.EXPIRED))) {
        ofRule.add(listed);
      }
    }
    ofRule.sort(
        Comparator.comparing(Ground.OfList::check)
            .thenComparingInt(listed -> rule.of().indexOf(listed.source())));
    List<Ground.OfList> counted = new ArrayList<>();
    long seen = 0;
    for (Ground.OfList listed : ofRule) {
      long bit = 1L << bits.getOrDefault(listed.source(), 0);
      if ((seen & bit) == 0) {
        counted.add(listed);
      }
      seen |= bit;
    }
    return counted;
  }
}
