package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.key.ListKey;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * All operator entries as of one commit, indexed for lookup. Immutable; replaced whole. Read at
 * every decision, on any thread, without locks or I/O.
 */
public final class OperatorView {

  private final List<OperatorEntry> entries;

  private OperatorView(Collection<OperatorEntry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** A view of these entries. */
  public static OperatorView of(Collection<OperatorEntry> entries) {
    return new OperatorView(entries);
  }

  /** Everything, in order of creation. */
  public List<OperatorEntry> entries() {
    return entries;
  }

  /**
   * Live entries of one list whose subject covers the key, narrowest first: networks around an
   * address; a name and its parents for a domain; the very address for an address. {@code from} and
   * scope are for the caller to judge.
   */
  public List<OperatorEntry> covering(OperatorEntry.ListKind list, ListKey key, Instant now) {
    throw new UnsupportedOperationException();
  }
}
