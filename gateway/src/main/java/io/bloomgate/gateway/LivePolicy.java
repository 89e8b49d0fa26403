package io.bloomgate.gateway;

import io.bloomgate.blocklists.decision.Policy;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The policy of the settings in use and of the feeds that are enabled, made anew when one of them
 * changes. Asked by sessions and commands on their threads; {@link #configure} comes from a reload
 * and wins over whoever makes the policy of the settings before at that moment.
 */
final class LivePolicy {

  private final Supplier<Set<String>> disabled;
  private final BiFunction<Configuration, Set<String>, Policy> maker;
  private volatile Made made;

  /**
   * A policy together with what it was made from.
   *
   * @param reloads how many there had been
   */
  private record Made(
      Configuration configuration, long reloads, Set<String> disabled, Policy policy) {}

  /**
   * Makes the first policy.
   *
   * @param disabled names of the feeds that do not count now
   * @param maker is pure
   */
  LivePolicy(
      Configuration configuration,
      Supplier<Set<String>> disabled,
      BiFunction<Configuration, Set<String>, Policy> maker) {
    this.disabled = disabled;
    this.maker = maker;
    this.made = make(configuration, 0);
  }

  /** Goes by these settings from now on. */
  void configure(Configuration fresh) {
    put(make(fresh, made.reloads() + 1));
  }

  /** The policy of the moment. */
  Policy now() {
    while (true) {
      Made known = made;
      if (known.disabled().equals(disabled.get())) {
        return known.policy();
      }
      put(make(known.configuration(), known.reloads()));
    }
  }

  /** Not over the policy of a reload that came meanwhile. */
  private synchronized void put(Made fresh) {
    if (fresh.reloads() >= made.reloads()) {
      made = fresh;
    }
  }

  private Made make(Configuration configuration, long reloads) {
    Set<String> off = disabled.get();
    return new Made(configuration, reloads, off, maker.apply(configuration, off));
  }
}
