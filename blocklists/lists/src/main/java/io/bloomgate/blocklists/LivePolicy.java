package io.bloomgate.blocklists;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.operator.RecipientEntry;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The policy of the rules in use, of the feeds that are enabled and of the entries about
 * recipients; made again when one of them changes. Asked by sessions and commands on their threads;
 * {@link #configure} comes from a reload and wins over a thread that makes a policy of the rules
 * before at that moment.
 */
final class LivePolicy {

  private final Supplier<Set<String>> disabled;
  private final Supplier<Map<String, RecipientEntry>> recipients;
  private final BiFunction<ListRules, Set<String>, Policy> maker;
  private volatile Made made;

  /**
   * A policy together with what it was made from.
   *
   * @param reloads how many there had been
   * @param recipients compared as an object
   */
  private record Made(
      ListRules rules,
      long reloads,
      Set<String> disabled,
      Map<String, RecipientEntry> recipients,
      Policy policy) {}

  /**
   * Makes the first policy.
   *
   * @param disabled names of the feeds that do not count now
   * @param recipients entries of commands by subject: another object after a change
   */
  LivePolicy(
      ListRules rules,
      Supplier<Set<String>> disabled,
      Supplier<Map<String, RecipientEntry>> recipients) {
    this(rules, disabled, recipients, ListRules::policy);
  }

  /**
   * The same for tests.
   *
   * @param maker is pure
   */
  LivePolicy(
      ListRules rules,
      Supplier<Set<String>> disabled,
      Supplier<Map<String, RecipientEntry>> recipients,
      BiFunction<ListRules, Set<String>, Policy> maker) {
    this.disabled = disabled;
    this.recipients = recipients;
    this.maker = maker;
    this.made = make(rules, 0);
  }

  /** Uses these rules from now on. */
  void configure(ListRules fresh) {
    put(make(fresh, made.reloads() + 1));
  }

  /** The policy of the moment. */
  @SuppressWarnings("ReferenceEquality") // to compare all entries at every decision is too much
  Policy now() {
    while (true) {
      Made known = made;
      if (!known.disabled().equals(disabled.get())) {
        put(make(known.rules(), known.reloads()));
      } else if (known.recipients() != recipients.get()) {
        put(with(recipients.get(), known));
      } else {
        return known.policy();
      }
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
    return with(recipients.get(), new Made(rules, reloads, off, Map.of(), maker.apply(rules, off)));
  }

  private static Made with(Map<String, RecipientEntry> entries, Made known) {
    Policy policy = known.policy().withEntries(entries, known.rules().settings().profiles());
    return new Made(known.rules(), known.reloads(), known.disabled(), entries, policy);
  }
}
