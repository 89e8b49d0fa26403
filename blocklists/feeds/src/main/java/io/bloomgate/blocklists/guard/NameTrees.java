package io.bloomgate.blocklists.guard;

import io.bloomgate.config.name.DomainName;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Names that are protected with all below them, few or many. Immutable, pure. */
final class NameTrees {

  /** The number of names up to which they are compared one by one, which makes no object. */
  private static final int FEW = 8;

  private final List<DomainName> few;

  /** Names of two or more labels. */
  private final Set<DomainName> many;

  /** Numbers of labels that the names have. */
  private final BitSet labels = new BitSet();

  NameTrees(List<DomainName> names) {
    boolean areFew = names.size() <= FEW;
    this.few = names.stream().filter(name -> areFew || name.labels() == 1).toList();
    this.many =
        names.stream()
            .filter(name -> !areFew && name.labels() > 1)
            .collect(Collectors.toUnmodifiableSet());
    many.forEach(name -> labels.set(name.labels()));
  }

  /** The names that have one of these below them: a suffix of them would list it too. */
  static Set<DomainName> around(Collection<DomainName> names) {
    Set<DomainName> around = new HashSet<>();
    for (DomainName name : names) {
      for (int label = 1; label <= name.labels() - 2; label++) {
        around.add(name.from(label));
      }
    }
    return around;
  }

  /** True for one of the names and for what is below one. */
  boolean cover(DomainName name) {
    for (int i = 0; i < few.size(); i++) {
      if (few.get(i).covers(name)) {
        return true;
      }
    }
    for (int left = labels.nextSetBit(0); left >= 0; left = labels.nextSetBit(left + 1)) {
      if (left <= name.labels() && many.contains(name.from(name.labels() - left))) {
        return true;
      }
    }
    return false;
  }
}
