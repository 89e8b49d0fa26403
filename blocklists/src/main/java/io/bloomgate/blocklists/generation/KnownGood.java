package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.guard.KnownGoodSet;
import io.bloomgate.config.name.Subject;
import java.util.function.Consumer;

/**
 * What no filter of a generation may hit by chance. A build asks for it several times and is told
 * the same each time; called on the building thread.
 */
@FunctionalInterface
public interface KnownGood {

  /** Nothing is known to be good. */
  KnownGood NONE = subjects -> {};

  /** Tells every subject. */
  void forEach(Consumer<Subject> subjects);

  /** Tells every subject with the place it was read at, where there is one. */
  default void collect(KnownGoodSet.Builder set) {
    forEach(subject -> set.add(subject, "", 0));
  }
}
