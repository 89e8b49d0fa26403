package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.config.name.ListKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the stored entries of a list file what the file says, by writing the differences: new
 * entries and new line numbers in the order of the file, then removals. So an entry that stays is
 * never missing. The work is done in pieces, and commands are served between them. Memory: some 80
 * octets an entry for the time of the comparison. Called by {@link ListFiles} on the thread of
 * housekeeping.
 */
record FileSync(StoreWriter writer, OperatorDatabase database) {

  /**
   * Rows of one transaction. Each transaction writes as many pages of the index as it has rows, at
   * most all of them; a command that comes meanwhile waits for one.
   */
  private static final int PIECE = 10_000;

  /** A row of a file, found by the hash of what it says. */
  private static final class Row {
    final long seq;
    final int line;

    /** The file has it, or has it now. */
    boolean isThere;

    Row(long seq, int line, boolean isThere) {
      this.seq = seq;
      this.line = line;
      this.isThere = isThere;
    }
  }

  /** The difference between a file and its rows, written in pieces while the file is read. */
  final class Difference implements EntryLines.Taker {
    private final long file;
    private final Instant modified;
    private final Map<Long, Row> rows;
    private final List<EntryLines.Numbered> come = new ArrayList<>();
    private final Map<Long, Integer> moved = new HashMap<>();

    private Difference(long file, Instant modified) throws OperatorListsException {
      this.file = file;
      this.modified = modified;
      this.rows = rows(file);
    }

    /** A line that says the same as one before it is not another entry. */
    @Override
    public void take(int line, NewEntry said) throws IOException {
      NewEntry entry = said.withoutUse(); // the end is where the file says
      long hash = hash(entry);
      Row row = rows.get(hash);
      if (row == null) {
        rows.put(hash, new Row(0, line, true));
        come.add(new EntryLines.Numbered(line, entry));
      } else if (!row.isThere) {
        row.isThere = true;
        if (row.line != line) {
          moved.put(row.seq, line);
        }
      }
      if (come.size() + moved.size() >= PIECE) {
        try {
          write();
        } catch (OperatorListsException e) {
          throw new NotStoredException(e);
        }
      }
    }

    /** Writes what was taken and is not written yet. */
    void write() throws OperatorListsException {
      if (come.isEmpty() && moved.isEmpty()) {
        return;
      }
      writer.change(change -> {
        for (EntryLines.Numbered one : come) {
          change.insert(one.entry(), "", modified, file, one.line());
        }
        for (Map.Entry<Long, Integer> one : moved.entrySet()) {
          StoredRow.move(change.sql(), one.getKey(), one.getValue());
        }
        return file;
      });
      come.clear();
      moved.clear();
      writer.makeFilters();
    }

    /**
     * Removes what the file does not say, after all of it was taken.
     *
     * @param stamp remembered from now on; empty for a file that must be read again
     * @param entries of the file
     */
    void end(String stamp, long entries) throws OperatorListsException {
      delete(rows.values().stream().filter(row -> !row.isThere).map(row -> row.seq).toList());
      writer.change(change -> {
        change
            .sql()
            .change("UPDATE file SET stamp = ?, entries = ? WHERE id = ?", stamp, entries, file);
        return file;
      });
    }
  }

  /** The store failed while the file was read. */
  static final class NotStoredException extends IOException {
    private static final long serialVersionUID = 1L;

    NotStoredException(OperatorListsException cause) {
      super(cause.userMessage(), cause);
    }
  }

  /**
   * Begins to store what a file says. When the store fails, a part may be stored; the next call
   * stores the rest.
   *
   * @param modified time of the file, which new entries get as their time
   */
  Difference begin(ListKind list, Path path, Instant modified) throws OperatorListsException {
    return new Difference(id(list, path), modified);
  }

  /** A hash of everything in an entry; entries with the same hash count as equal. */
  private long hash(NewEntry entry) {
    return writer.keys().text(OperatorText.format(entry));
  }

  private Map<Long, Row> rows(long file) throws OperatorListsException {
    return database.read(reader -> {
      Map<Long, Row> rows = new HashMap<>();
      StoredRow.ofFile(
          reader,
          file,
          row -> {
            long place = hash(row.entry().content());
            while (rows.putIfAbsent(place, new Row(row.seq(), row.line(), false)) != null) {
              place++; // a second row that says the same is of no line, and goes
            }
          });
      return rows;
    });
  }

  private void delete(List<Long> seqs) throws OperatorListsException {
    for (int from = 0; from < seqs.size(); from += PIECE) {
      List<Long> piece = seqs.subList(from, Math.min(seqs.size(), from + PIECE));
      writer.change(change -> {
        for (long seq : piece) {
          StoredRow row = StoredRow.bySeq(change.sql(), seq).orElse(null);
          if (row != null) {
            change.delete(row);
          }
        }
        return piece;
      });
    }
  }

  /**
   * Removes all entries of a file that is no list file any more, with a record in the audit.
   *
   * @return how many
   */
  int drop(ListKind list, Path path, Instant now) throws OperatorListsException {
    long file = id(list, path);
    List<Long> seqs = rows(file).values().stream().map(row -> row.seq).toList();
    delete(seqs);
    String what = path + ", " + OperatorText.entries(seqs.size());
    writer.change(change -> {
      change.sql().change("DELETE FROM file WHERE id = ?", file);
      change.audit(now, new Origin("gateway", list.key() + " file gone"), what);
      return file;
    });
    return seqs.size();
  }

  /** The number of a file, which is given now if it has none. */
  private long id(ListKind list, Path path) throws OperatorListsException {
    return writer.change(change -> {
      int column = StoredRow.column(list);
      String name = path.toString();
      change
          .sql()
          .change(
              "INSERT OR IGNORE INTO file (list, path, stamp, entries) VALUES (?, ?, '', 0)",
              column,
              name);
      return change.sql().number("SELECT id FROM file WHERE list = ? AND path = ?", column, name);
    });
  }

  /** Files that the store has entries of. */
  List<ListFile> stored() throws OperatorListsException {
    return writer.aside(change ->
        change
            .sql()
            .rows(
                "SELECT list, path, stamp, entries FROM file ORDER BY id",
                row ->
                    new ListFile(
                        StoredRow.list(row.getInt(1)),
                        Path.of(Statements.text(row, 2)),
                        Statements.text(row, 3),
                        row.getLong(4))));
  }
}
