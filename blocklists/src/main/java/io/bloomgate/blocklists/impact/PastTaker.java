package io.bloomgate.blocklists.impact;

import io.bloomgate.config.name.ListKey;
import java.util.function.Consumer;

/**
 * Takes past sessions from a reader, and says before which of them it decides on: of the others,
 * nearly all as a rule, a reader makes no more than what is counted. Implemented by {@link Impact};
 * asked on the thread of the question.
 */
public interface PastTaker {

  /** True when every session is decided on, whatever its keys. */
  boolean decidesAll();

  /** False when {@link #mayList} is false for every name. */
  boolean mayListNames();

  /** False when {@link #mayList} is false for every mail address. */
  boolean mayListAddresses();

  /**
   * False when no session is decided on because of this key: its client, the confirmed name of its
   * client, its HELO, a form of its sender, or the domain of its sender.
   */
  boolean mayList(ListKey key);

  /** Takes a session of any kind. */
  void take(PastSession session);

  /** Takes a session that has no key which {@link #mayList}; only where not all are decided on. */
  void count(CountedSession session);

  /** Takes every session as a whole. */
  static PastTaker of(Consumer<? super PastSession> consumer) {
    return new ImpactTaker(null, consumer, ImpactTaker.NONE_IS_COUNTED);
  }
}
