package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes the stored entries of a list file what the file says, by writing the differences: first new
 * entries, then new line numbers, then removals. So an entry that stays is never missing. The work
 * is done in pieces, and commands are served between them. Memory: 24 octets an entry for the time
 * of the comparison. Called by {@link ListFiles} on the thread of housekeeping.
 */
final class FileSync {

  /**
   * Rows of one transaction. Each transaction writes as many pages of the index as it has rows, at
   * most all of them; a command that comes meanwhile waits for one.
   */
  private static final int PIECE = 10_000;

  private final StoreWriter writer;
  private final EntryReaders readers;

  FileSync(StoreWriter writer, EntryReaders readers) {
    this.writer = writer;
    this.readers = readers;
  }

  SubjectKeys keys() {
    return writer.keys();
  }

  /** Stored rows of a file, in order of their lines: what they say, and where. */
  private static final class Rows {
    long[] hashes = new long[1_024];
    long[] seqs = new long[1_024];
    int[] lines = new int[1_024];
    int size;

    /** The line that a row has now, 0 when that is no other. */
    int[] moved = new int[0];

    /** The entries that stay. */
    final BitSet stay = new BitSet();

    void add(long seq, int line, long hash) {
      if (size == hashes.length) {
        hashes = Arrays.copyOf(hashes, size * 2);
        seqs = Arrays.copyOf(seqs, size * 2);
        lines = Arrays.copyOf(lines, size * 2);
      }
      hashes[size] = hash;
      seqs[size] = seq;
      lines[size++] = line;
    }

    int lastLine() {
      return size == 0 ? 0 : lines[size - 1];
    }

    long lastSeq() {
      return size == 0 ? 0 : seqs[size - 1];
    }
  }

  /**
   * Stores what a file says.
   *
   * @param modified time of the file, which new entries get as their time
   * @param stamp remembered when all is stored; empty for a file that must be read again
   * @return true when anything was different
   * @throws IOException when the file cannot be read again, or has changed meanwhile
   * @throws OperatorListsException when the store cannot be written; a part may be stored, the next
   *     call stores the rest
   */
  boolean store(
      ListKind list,
      Path path,
      WidthRules widths,
      FileContent content,
      Instant modified,
      String stamp)
      throws IOException, OperatorListsException {
    long file = writer.change(change -> change.files().id(list, path));
    Rows rows = rows(file);
    BitSet come = new BitSet();
    compare(content, rows, come);
    boolean changed = !come.isEmpty() || rows.stay.cardinality() < rows.size;
    insert(list, path, widths, content, come, modified, file);
    move(rows);
    delete(rows);
    writer.change(change -> {
      change.files().update(file, stamp, content.size());
      return file;
    });
    return changed;
  }

  private Rows rows(long file) throws OperatorListsException {
    Rows rows = new Rows();
    int given;
    do {
      given =
          readers.read(statements ->
              new EntryTable(statements)
                  .ofFile(file, rows.lastLine(), rows.lastSeq(), PIECE, rows::add));
    } while (given > 0);
    return rows;
  }

  /**
   * Finds for each entry of the file a row that says the same. A line that says the same as one
   * before it is not another entry.
   *
   * @param come gets the entries without a row
   */
  private static void compare(FileContent content, Rows rows, BitSet come) {
    int same = 0;
    while (same < content.size()
        && same < rows.size
        && content.hash(same) == rows.hashes[same]
        && content.line(same) == rows.lines[same]) {
      same++;
    }
    rows.stay.set(0, same);
    if (same == content.size()) {
      return;
    }
    rows.moved = new int[rows.size];
    FileContent.HashPlaces rest = new FileContent.HashPlaces(rows.hashes, same, rows.size);
    FileContent.HashPlaces lines = content.places();
    for (int i = same; i < content.size(); i++) {
      int row = rest.first(content.hash(i));
      if (lines.first(content.hash(i)) != i) {
        continue;
      }
      if (row < 0) {
        come.set(i);
      } else {
        rows.stay.set(row);
        rows.moved[row] = rows.lines[row] == content.line(i) ? 0 : content.line(i);
      }
    }
  }

  private void insert(
      ListKind list,
      Path path,
      WidthRules widths,
      FileContent content,
      BitSet come,
      Instant modified,
      long file)
      throws IOException, OperatorListsException {
    if (come.isEmpty()) {
      return;
    }
    List<OperatorImport.Numbered> piece = new ArrayList<>();
    int[] at = {come.nextSetBit(0)};
    boolean[] other = {false};
    FileContent.forEach(
        list,
        path,
        widths,
        line -> at[0] >= 0 && line == content.line(at[0]),
        (line, entry) -> {
          if (FileContent.hash(writer.keys(), entry) != content.hash(at[0])) {
            other[0] = true;
            return false;
          }
          piece.add(new OperatorImport.Numbered(line, entry));
          if (piece.size() == PIECE) {
            insert(piece, modified, file);
          }
          at[0] = come.nextSetBit(at[0] + 1);
          return at[0] >= 0;
        });
    insert(piece, modified, file);
    if (other[0] || at[0] >= 0) {
      throw new IOException("changed while it was read");
    }
  }

  /** Stores a piece and empties it; a failure ends the reading as an {@link IOException}. */
  private void insert(List<OperatorImport.Numbered> piece, Instant modified, long file)
      throws IOException {
    try {
      writer.change(change -> {
        for (OperatorImport.Numbered one : piece) {
          change.insert(one.entry(), "", modified, file, one.line());
        }
        return file;
      });
      piece.clear();
    } catch (OperatorListsException e) {
      throw new NotStoredException(e);
    }
  }

  /** The store failed while the file was read. */
  static final class NotStoredException extends IOException {
    private static final long serialVersionUID = 1L;

    NotStoredException(OperatorListsException cause) {
      super(cause.userMessage(), cause);
    }
  }

  private void move(Rows rows) throws OperatorListsException {
    int next = 0;
    while (next < rows.moved.length) {
      int from = next;
      next =
          writer.change(change -> {
            int at = from;
            for (int i = 0; i < PIECE && at < rows.moved.length; at++) {
              if (rows.moved[at] > 0) {
                change.entries().move(rows.seqs[at], rows.moved[at]);
                i++;
              }
            }
            return at;
          });
    }
  }

  private void delete(Rows rows) throws OperatorListsException {
    int next = rows.stay.nextClearBit(0);
    while (next < rows.size) {
      int from = next;
      next =
          writer.change(change -> {
            int at = from;
            for (int i = 0; i < PIECE && at < rows.size; i++) {
              delete(change, rows.seqs[at]);
              at = rows.stay.nextClearBit(at + 1);
            }
            return at;
          });
    }
  }

  private static void delete(StoreWriter.Change change, long seq) throws SQLException {
    StoredRow row = change.entries().bySeq(seq).orElse(null);
    if (row != null) {
      change.delete(row);
    }
  }

  /**
   * Removes all entries of a file that is no list file any more, with a record in the audit.
   *
   * @return how many
   */
  int drop(ListKind list, Path path, Instant now) throws OperatorListsException {
    long file = writer.change(change -> change.files().id(list, path));
    Rows rows = rows(file);
    delete(rows);
    String what = path + ", " + OperatorText.entries(rows.size);
    writer.change(change -> {
      change.files().delete(file);
      change.audit(new AuditRecord(now, "gateway", list.key() + " file gone", what));
      return file;
    });
    return rows.size;
  }

  /** Files that the store has entries of. */
  Set<FileTable.Row> stored() throws OperatorListsException {
    return new HashSet<>(writer.change(change -> change.files().all()));
  }
}
