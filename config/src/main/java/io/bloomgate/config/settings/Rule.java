package io.bloomgate.config.settings;

import io.bloomgate.config.name.AsNumber;
import java.util.List;
import java.util.Set;

/**
 * A verdict that several lists reach together.
 *
 * @param needed how many of the lists must list a session, lists of one family counted once; all of
 *     them, without regard to families, when {@code all}
 * @param of names of feeds and signs, at most {@link #MAX_LISTS}
 * @param unlessKnown not for a sender whose mail was accepted from the same network before
 * @param where the clients that it is for
 */
public record Rule(
    String name,
    int needed,
    boolean all,
    List<String> of,
    Action action,
    boolean unlessKnown,
    Where where) {

  /** A rule for all senders. */
  public Rule(String name, int needed, boolean all, List<String> of, Action action) {
    this(name, needed, all, of, action, false, Where.ANYWHERE);
  }

  /** The same rule with another action. */
  public Rule with(Action other) {
    return new Rule(name, needed, all, of, other, unlessKnown, where);
  }

  /**
   * The networks that a rule is for. It narrows a rule and is never counted, so that nobody is
   * refused for an AS number or a country alone.
   *
   * @param asns empty for any
   * @param countries two capital letters each (ISO 3166-1); empty for any
   */
  public record Where(Set<AsNumber> asns, Set<String> countries) {

    /** No condition. */
    public static final Where ANYWHERE = new Where(Set.of(), Set.of());
  }

  /** Lists that one rule may name. */
  public static final int MAX_LISTS = 64;
}
