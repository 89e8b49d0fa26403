package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorLists.AuditPage;
import io.bloomgate.blocklists.operator.OperatorLists.Page;
import io.bloomgate.config.name.Subject;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads lists and audit of the store page by page, so that lists of any length fit in memory. Asked
 * by {@link OperatorLists} on the threads of control connections; any thread.
 */
final class StorePages {

  /** Entries, or records of the audit, of one page. */
  private static final int ROWS = 1_000;

  private final EntryReaders readers;

  StorePages(EntryReaders readers) {
    this.readers = readers;
  }

  /** See {@link OperatorLists#page}. */
  Page page(ListKind list, String match, long after) throws OperatorListsException {
    List<StoredRow> rows =
        readers.read(statements -> new EntryTable(statements).page(list, match, after, ROWS));
    return new Page(
        rows.stream().map(StoredRow::entry).toList(),
        rows.isEmpty() ? after : rows.getLast().seq(),
        rows.size() < ROWS);
  }

  /** See {@link OperatorLists#subjects}. */
  List<Subject> subjects(ListKind list, int limit, Instant now) throws OperatorListsException {
    Set<Subject> subjects = new LinkedHashSet<>();
    int looked = 0;
    Page page = page(list, "", 0);
    while (true) {
      for (OperatorEntry entry : page.entries()) {
        if (looked++ == limit) {
          return List.copyOf(subjects);
        }
        if (!entry.expiredAt(now)) {
          subjects.add(entry.subject());
        }
      }
      if (page.end()) {
        return List.copyOf(subjects);
      }
      page = page(list, "", page.last());
    }
  }

  /** See {@link OperatorLists#audit}. */
  AuditPage audit(Instant since, long before) throws OperatorListsException {
    List<AuditTable.Numbered> rows =
        readers.read(statements -> new AuditTable(statements).page(since, before, ROWS));
    return new AuditPage(
        rows.stream().map(AuditTable.Numbered::record).toList(),
        rows.isEmpty() ? before : rows.getLast().seq(),
        rows.size() < ROWS);
  }
}
