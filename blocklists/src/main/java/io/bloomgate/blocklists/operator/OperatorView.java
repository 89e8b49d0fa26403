package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.key.ListKey;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All operator entries as of one commit, indexed for lookup. Immutable; replaced whole. Read at
 * every decision, on any thread, without locks or I/O.
 *
 * <p>Usually one index. While a long list is imported, piece by piece, the pieces lie over it as
 * layers of their own, so that a piece costs by its own length; layers of like length are joined,
 * so that there are few.
 */
public final class OperatorView {

  /** Nothing allowed, nothing blocked. */
  public static final OperatorView EMPTY = of(List.of());

  /** Oldest first; at least one. */
  private final List<Layer> layers;

  private OperatorView(List<Layer> layers) {
    this.layers = List.copyOf(layers);
  }

  /** Entries, and the ids of those in the layers below that count no more. */
  private static final class Layer {
    final List<OperatorEntry> entries;
    final Set<String> gone;
    private final SubjectIndex allow;
    private final SubjectIndex block;

    Layer(Collection<OperatorEntry> entries, Set<String> gone) {
      this.entries = List.copyOf(entries);
      this.gone = Set.copyOf(gone);
      this.allow = new SubjectIndex(of(ListKind.ALLOW));
      this.block = new SubjectIndex(of(ListKind.BLOCK));
    }

    private List<OperatorEntry> of(ListKind list) {
      return entries.stream().filter(entry -> entry.list() == list).toList();
    }

    List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
      return switch (list) {
        case ALLOW -> allow.covering(key, now);
        case BLOCK -> block.covering(key, now);
      };
    }

    int size() {
      return entries.size() + gone.size();
    }

    /**
     * Both as one.
     *
     * @param lowest nothing lies below them that could be gone
     */
    Layer under(Layer newer, boolean lowest) {
      List<OperatorEntry> all = new ArrayList<>(entries);
      all.removeIf(entry -> newer.gone.contains(entry.id()));
      all.addAll(newer.entries);
      if (lowest) {
        return new Layer(all, Set.of());
      }
      Set<String> allGone = new HashSet<>(gone);
      allGone.addAll(newer.gone);
      return new Layer(all, allGone);
    }
  }

  /** A view of these entries. */
  public static OperatorView of(Collection<OperatorEntry> entries) {
    return new OperatorView(List.of(new Layer(entries, Set.of())));
  }

  /**
   * This view after a change. Takes time by what is added, not by what is there.
   *
   * @param added entries that come last
   * @param gone ids of entries that count no more
   */
  public OperatorView with(Collection<OperatorEntry> added, Set<String> gone) {
    List<Layer> next = new ArrayList<>(layers);
    Layer newest = new Layer(added, gone);
    while (!next.isEmpty() && 2L * newest.size() >= next.getLast().size()) {
      Layer older = next.removeLast();
      newest = older.under(newest, next.isEmpty());
    }
    next.add(newest);
    return new OperatorView(next);
  }

  /** How many indexes have to be asked. */
  int indexes() {
    return layers.size();
  }

  /** True when there is but one. */
  boolean isOneIndex() {
    return layers.size() == 1;
  }

  /** Everything, in order of creation. */
  public List<OperatorEntry> entries() {
    if (isOneIndex()) {
      return layers.getFirst().entries;
    }
    List<OperatorEntry> all = new ArrayList<>();
    for (int i = 0; i < layers.size(); i++) {
      for (OperatorEntry entry : layers.get(i).entries) {
        if (counts(entry, i)) {
          all.add(entry);
        }
      }
    }
    return all;
  }

  /** True when no layer above this one takes the entry away. */
  private boolean counts(OperatorEntry entry, int layer) {
    for (int above = layer + 1; above < layers.size(); above++) {
      if (layers.get(above).gone.contains(entry.id())) {
        return false;
      }
    }
    return true;
  }

  /** Everything on one list, expired entries too, in order of creation. */
  public List<OperatorEntry> list(ListKind list) {
    return entries().stream().filter(entry -> entry.list() == list).toList();
  }

  /**
   * Live entries of one list whose subject covers the key, narrowest first: networks around an
   * address; a name and its parents for a domain; the very address for an address. {@code from} and
   * scope are for the caller to judge.
   */
  public List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
    if (isOneIndex()) {
      return layers.getFirst().covering(list, key, now);
    }
    List<OperatorEntry> found = List.of();
    for (int i = 0; i < layers.size(); i++) {
      for (OperatorEntry entry : layers.get(i).covering(list, key, now)) {
        if (counts(entry, i)) {
          if (found.isEmpty()) {
            found = new ArrayList<>(2);
          }
          found.add(entry);
        }
      }
    }
    if (found.size() > 1) {
      // Stable: of like narrowness the older one stays first.
      found.sort(Narrowness.NARROWER_FIRST);
    }
    return found;
  }
}
