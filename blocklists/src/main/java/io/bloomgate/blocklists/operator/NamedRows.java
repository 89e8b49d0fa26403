package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a list that the words of a command name: ids, lines of list files, or subjects.
 * Immutable; made by {@link EntryChanges} within its transaction.
 *
 * @param stored those that a command can change, once each, in the order named
 * @param unknown texts that name no entry of this list
 * @param inFiles entries that are in a file and have to be changed there
 */
record NamedRows(List<StoredRow> stored, List<String> unknown, List<OperatorEntry> inFiles) {

  NamedRows {
    stored = List.copyOf(stored);
    unknown = List.copyOf(unknown);
    inFiles = List.copyOf(inFiles);
  }

  /**
   * Looks them up.
   *
   * @param wanted ids, or subjects as a person types them; a subject names all its entries
   */
  static NamedRows of(StoreWriter.Change change, ListKind list, Collection<String> wanted)
      throws SQLException {
    Map<Long, StoredRow> stored = new LinkedHashMap<>();
    List<String> unknown = new ArrayList<>();
    List<OperatorEntry> inFiles = new ArrayList<>();
    for (String text : wanted) {
      List<StoredRow> rows = new ArrayList<>(ofId(change, list, text));
      if (SubjectText.parse(text) instanceof Parsed.Ok<Subject>(Subject subject, var ignored)) {
        rows.addAll(change.of(list, subject));
      }
      for (StoredRow row : rows) {
        if (row.file() == 0) {
          stored.put(row.seq(), row);
        } else {
          inFiles.add(row.entry());
        }
      }
      if (rows.isEmpty()) {
        unknown.add(text);
      }
    }
    return new NamedRows(List.copyOf(stored.values()), unknown, inFiles);
  }

  /** {@code a12}, or {@code partners.list:7} for a line of a list file. */
  private static List<StoredRow> ofId(StoreWriter.Change change, ListKind list, String text)
      throws SQLException {
    int colon = text.lastIndexOf(':');
    if (colon > 0 && text.substring(colon + 1).matches("[1-9][0-9]{0,8}")) {
      int line = Integer.parseInt(text.substring(colon + 1));
      return change.entries().byLine(list, text.substring(0, colon), line);
    }
    if (text.matches("[ab][1-9][0-9]{0,17}")) {
      return change.entries().bySeq(StoredText.seq(text)).stream()
          .filter(row -> row.entry().list() == list && row.entry().id().equals(text))
          .toList();
    }
    return List.of();
  }
}
