package io.bloomgate.blocklists;

import io.bloomgate.blocklists.decision.Policy;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The policy of the rules in use and of the feeds that are enabled; made again when one of them
 * changes. Asked by sessions and commands on their threads; {@link #configure} comes from a reload
 * and wins over a thread that makes a policy of the rules before at that moment.
 */
final class LivePolicy {

  private final Supplier<Set<String>> disabled;
  private final BiFunction<ListRules, Set<String>, Policy> maker;
  private volatile Made made;

  /**
   * A policy together with what it was made from.
   *
   * @param reloads how many there had been
   */
  private record Made(ListRules rules, long reloads, Set<String> disabled, Policy policy) {}

  /**
   * Makes the first policy.
   *
   * @param disabled names of the feeds that do not count now
   */
  LivePolicy(ListRules rules, Supplier<Set<String>> disabled) {
    this(rules, disabled, ListRules::policy);
  }

  /**
   * The same for tests.
   *
   * @param maker is pure
   */
  LivePolicy(
      ListRules rules,
      Supplier<Set<String>> disabled,
      BiFunction<ListRules, Set<String>, Policy> maker) {
    this.disabled = disabled;
    this.maker = maker;
    this.made = make(rules, 0);
  }

  /** Uses these rules from now on. */
  void configure(ListRules fresh) {
    put(make(fresh, made.reloads() + 1));
  }

  /** The policy of the moment. */
  Policy now() {
    while (true) {
      Made known = made;
      if (known.disabled().equals(disabled.get())) {
        return known.policy();
      }
      put(make(known.rules(), known.reloads()));
    }
  }

  /** Does not replace the policy of a reload that came in between. */
  private synchronized void put(Made fresh) {
    if (fresh.reloads() >= made.reloads()) {
      made = fresh;
    }
  }

  private Made make(ListRules rules, long reloads) {
    Set<String> off = disabled.get();
    return new Made(rules, reloads, off, maker.apply(rules, off));
  }
}
