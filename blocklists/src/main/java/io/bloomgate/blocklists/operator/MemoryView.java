package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.ListKey;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * A few entries in memory, looked through one by one: what a command is about to change, and what
 * tests hold the store against. Immutable, for any thread.
 */
final class MemoryView implements OperatorView {

  private final List<OperatorEntry> entries;

  MemoryView(Collection<OperatorEntry> entries) {
    this.entries = List.copyOf(entries);
  }

  @Override
  public List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
    return entries.stream()
        .filter(entry -> entry.list() == list)
        .filter(entry -> entry.subject().covers(key) && !entry.expiredAt(now))
        .sorted(Narrowness.NARROWER_FIRST)
        .toList();
  }
}
