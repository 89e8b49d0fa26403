package io.bloomgate.blocklists;

import io.bloomgate.blocklists.operator.EntryLines;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorLists.Change;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.name.ListKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Some lines of an import: which entries are taken, what is wrong with the others, and how that is
 * reported. Immutable; made by the control server, and by the command line where no gateway
 * answers.
 */
public final class ImportPiece {

  private final String file;
  private final EntryLines read;
  private final List<EntryLines.Numbered> entries = new ArrayList<>();

  private ImportPiece(String file, EntryLines read) {
    this.file = file;
    this.read = read;
  }

  /**
   * Reads lines.
   *
   * @param file for messages
   * @param firstLine number of the first line, for messages
   * @param force the whole import is forced
   */
  public static ImportPiece read(
      ListKind list,
      String file,
      int firstLine,
      List<String> lines,
      boolean force,
      EntryRules rules) {
    ImportPiece piece =
        new ImportPiece(
            file,
            EntryLines.ofImport(list, (entry, forced) -> rules.check(entry, force || forced)));
    int number = firstLine;
    for (String line : lines) {
      NewEntry entry = piece.read.line(number, line);
      if (entry != null) {
        piece.entries.add(new EntryLines.Numbered(number, entry));
      }
      number++;
    }
    return piece;
  }

  /** The entries that are taken, in file order. */
  public List<NewEntry> entries() {
    return entries.stream().map(EntryLines.Numbered::entry).toList();
  }

  /** A sentence for each line that is not taken, or is taken after something was fixed. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (EntryLines.BadLine warning : read.warnings()) {
      notes.add("warning: " + warning.text(file));
    }
    for (EntryLines.BadLine problem : read.problems()) {
      notes.add(problem.text(file));
    }
    return notes;
  }

  /** True when some lines are not taken. */
  public boolean isPartial() {
    return !read.problems().isEmpty();
  }

  /**
   * The number of lines by outcome.
   *
   * @param stored the outcome for each of {@link #entries}
   */
  public ObjectBuilder counts(List<Stored> stored) {
    ObjectBuilder counts = JsonValue.object().put("file", file);
    for (Change change : Change.values()) {
      counts.put(change.key(), stored.stream().filter(one -> one.change() == change).count());
    }
    return counts.put("skipped", read.problems().size());
  }

  /** The same with the outcome of each line by its number. */
  public ObjectBuilder lines(List<Stored> stored) {
    ObjectBuilder lines = JsonValue.object();
    for (int i = 0; i < stored.size(); i++) {
      lines.put(Integer.toString(entries.get(i).line()), stored.get(i).change().key());
    }
    return counts(stored).put("lines", lines.build());
  }
}
