package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;

/**
 * What a list, a rule or an operator's entry said of a session that was kept. Immutable.
 *
 * @param check what was compared
 * @param subject the key that was asked
 * @param list name of the feed, DNS list, rule or sign; {@code operator} for an operator's entry
 * @param entry canonical text of the entry
 * @param line of the entry in its feed; 0 where there is none
 * @param action what was left of what the list asks for
 * @param pardon why it did not count, for people; empty when it counted
 */
public record KeptListing(
    Check check,
    String subject,
    String list,
    String entry,
    int line,
    Action action,
    String pardon) {

  /** True when nothing lifted it. */
  public boolean counted() {
    return pardon.isEmpty();
  }

  /** True when a verdict by it alone refuses mail or puts it off. */
  public boolean refuses() {
    return counted() && action.compareTo(Action.TAG) > 0;
  }
}
