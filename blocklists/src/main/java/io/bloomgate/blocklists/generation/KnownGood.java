package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.guard.KnownGoodSet;
import io.bloomgate.config.name.Subject;
import java.util.function.Consumer;

/**
 * Senders known to be good, whose listings a build looks for. It asks for it several times and gets
 * the same each time; called on the building thread.
 */
@FunctionalInterface
public interface KnownGood {

  /** Nothing is known to be good. */
  KnownGood NONE = subjects -> {};

  /** Gives every subject. */
  void forEach(Consumer<Subject> subjects);

  /** Gives every subject with the place where it was read, if there is one. */
  default void collect(KnownGoodSet.Builder set) {
    forEach(subject -> set.add(subject, "", 0));
  }
}
