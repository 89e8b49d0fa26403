package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKey;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A few entries in memory as decisions ask for them. Immutable, for any thread. */
record EntriesView(List<OperatorEntry> entries) implements OperatorView {

  @Override
  public List<OperatorEntry> covering(ListKind list, ListKey key, Instant now) {
    if (entries.isEmpty()) {
      return List.of();
    }
    return entries.stream()
        .filter(entry -> entry.list() == list)
        .filter(entry -> entry.subject().covers(key) && !entry.expiredAt(now))
        .sorted(OperatorEntry.NARROWER_FIRST)
        .toList();
  }

  @Override
  public Set<Check> contentChecks(Instant now) {
    Set<Check> checks = EnumSet.noneOf(Check.class);
    for (OperatorEntry entry : entries) {
      if (!entry.expiredAt(now)) {
        checks.addAll(ContentBlocks.of(entry));
      }
    }
    return checks;
  }
}
