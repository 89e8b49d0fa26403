package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Likeness;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The likenesses of one stored list, all of them in memory, as near copies have no common hash.
 * Part of {@link ListFront}; any thread. Immutable.
 */
final class Likenesses {

  /** Likenesses of one list; each costs a mail with a text about 10 ns. */
  static final int MOST = 1_000;

  static final Likenesses NONE = new Likenesses(List.of());

  private final List<Likeness> all;

  private Likenesses(Collection<Likeness> all) {
    this.all = List.copyOf(all);
  }

  int size() {
    return all.size();
  }

  /** Gives those of texts that are alike to this one. */
  void around(Likeness text, Consumer<Likeness> found) {
    for (Likeness one : all) {
      if (one.isAlike(text)) {
        found.accept(one);
      }
    }
  }

  Likenesses with(Collection<Likeness> added) {
    if (added.isEmpty()) {
      return this;
    }
    Set<Likeness> more = new LinkedHashSet<>(all);
    more.addAll(added);
    return new Likenesses(more);
  }

  Likenesses without(Collection<Likeness> gone) {
    if (gone.isEmpty()) {
      return this;
    }
    Set<Likeness> fewer = new LinkedHashSet<>(all);
    fewer.removeAll(gone);
    return new Likenesses(fewer);
  }
}
