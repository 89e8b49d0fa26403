package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.key.ListKey;
import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * All operator entries as of one commit, indexed for lookup. Immutable; replaced whole. Read at
 * every decision, on any thread, without locks or I/O.
 */
public final class OperatorView {

  /** Nothing allowed, nothing blocked. */
  public static final OperatorView EMPTY = new OperatorView(List.of());

  private final List<OperatorEntry> entries;
  private final SubjectIndex allow;
  private final SubjectIndex block;

  private OperatorView(Collection<OperatorEntry> entries) {
    this.entries = List.copyOf(entries);
    this.allow = new SubjectIndex(list(ListKind.ALLOW));
    this.block = new SubjectIndex(list(ListKind.BLOCK));
  }

  /** A view of these entries. */
  public static OperatorView of(Collection<OperatorEntry> entries) {
    return new OperatorView(entries);
  }

  /** Everything, in order of creation. */
  public List<OperatorEntry> entries() {
    return entries;
  }

  /** Everything on one list, expired entries too, in order of creation. */
  public List<OperatorEntry> list(ListKind list) {
    return entries.stream().filter(entry -> entry.list() == list).toList();
  }

  /**
   * Live entries of one list whose subject covers the key, narrowest first: networks around an
   * address; a name and its parents for a domain; the very address for an address. {@code from} and
   * scope are for the caller to judge.
   */
  public List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
    return switch (list) {
      case ALLOW -> allow.covering(key, now);
      case BLOCK -> block.covering(key, now);
    };
  }
}
