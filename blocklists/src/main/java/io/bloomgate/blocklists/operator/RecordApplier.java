package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.NewEntry.Identity;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.blocklists.operator.SharedEntries.Placed;
import io.bloomgate.blocklists.operator.SharedTable.Version;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Applies records of the stream to the store of one node, within one transaction: the last change
 * of an entry in the order of the stream wins, and the audit has what other nodes changed here.
 * Made by {@link SharedEntries} for each transaction.
 */
final class RecordApplier {

  private static final String STATE_COMMAND = "fleet state";

  private final StoreWriter.Change change;
  private final SharedTable table;
  private final WidthRules widths;
  private final String node;
  private final String stream;
  private final List<String> wide = new ArrayList<>();
  private final List<String> refused = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();

  /**
   * For one transaction.
   *
   * @param node that this is
   * @param stream that the records are of
   */
  RecordApplier(
      StoreWriter.Change change, SharedTable table, WidthRules widths, String node, String stream) {
    this.change = change;
    this.table = table;
    this.widths = widths;
    this.node = node;
    this.stream = stream;
  }

  /** Changes that are in force but need {@code --force} at a command, for the log. */
  List<String> wide() {
    return wide;
  }

  /** What was not applied, and why. */
  List<String> refused() {
    return refused;
  }

  /** Before which records others are missing. */
  List<String> missing() {
    return missing;
  }

  /** Records of a node before this one were removed. */
  void miss(StreamId id, String of) {
    missing.add(
        "records of node " + of + " before " + id + " were removed from the stream of entries");
  }

  /** A record, or a change of it, is not applied. */
  void refuse(StreamId id, String why) {
    refused.add("record " + id + " of the fleet is refused: " + why);
  }

  /** Applies the changes of a record. */
  void apply(Placed placed) throws SQLException {
    SharedRecord record = Objects.requireNonNull(placed.record());
    for (int i = 0; i < record.changes().size(); i++) {
      SharedChange shared = record.changes().get(i);
      Optional<Refusal> refusal =
          shared.removed()
              ? Optional.empty()
              : OperatorRules.checkAlone(shared.entry(), widths, false);
      if (refusal.isPresent() && !refusal.get().forceable()) {
        refuse(placed.id(), refusal.get().log());
      } else {
        boolean done = apply(record, shared, version(placed, record, i));
        if (done && refusal.isPresent() && !record.node().equals(node)) {
          wide.add(wide(record, shared, refusal.get()));
        }
      }
    }
  }

  private static String wide(SharedRecord record, SharedChange shared, Refusal refusal) {
    return "%s %s of %s@%s is in force here: %s"
        .formatted(
            shared.entry().list().word(),
            OperatorText.format(shared.entry()),
            shared.author(),
            record.node(),
            refusal.message());
  }

  /** Nothing is newer than the record that says it: else no later change would ever count. */
  private static StreamId version(Placed placed, SharedRecord record, int change) {
    if (!record.isState() || record.versions().get(change).compareTo(placed.id()) > 0) {
      return placed.id();
    }
    return record.versions().get(change);
  }

  /** True when the store has changed. */
  private boolean apply(SharedRecord record, SharedChange shared, StreamId version)
      throws SQLException {
    String identity = shared.identity();
    Version old = table.current(identity);
    StoredRow row = row(shared.entry());
    int order = version.compareTo(old.id());
    boolean overridden = old.pending() > 0;
    boolean other = !record.node().equals(node);
    if (other && !record.isState()) {
      String late = order < 0 || overridden ? " (a later change is in force)" : "";
      audit(record, record.author(), record.command(), shared, late);
    }
    if (order < 0 || (order == 0 && !isLaterOfEqual(shared, row, old))) {
      if (order == 0) {
        table.put(identity, new Version(old.id(), old.removed(), old.pending(), stream));
      }
      return false;
    }
    table.put(
        identity,
        new Version(version, overridden ? old.removed() : shared.removed(), old.pending(), stream));
    boolean changed = !overridden && store(shared, row);
    if (changed && other && record.isState()) {
      String what = shared.removed() ? " (removed)" : "";
      audit(record, shared.author(), STATE_COMMAND, shared, what);
    }
    return changed;
  }

  private void audit(
      SharedRecord record, String author, String command, SharedChange shared, String remark)
      throws SQLException {
    change.audit(
        new AuditRecord(
            record.at(),
            author + "@" + record.node(),
            command,
            OperatorText.format(shared.entry()) + remark));
  }

  /** Of two with the same version, from before the fleet, every node takes the same one. */
  private static boolean isLaterOfEqual(SharedChange shared, @Nullable StoredRow row, Version old) {
    if (!old.id().equals(StreamId.START) || old.removed()) {
      return false;
    }
    return row == null || weight(shared).compareTo(weight(SharedChange.of(row.entry()))) > 0;
  }

  private static String weight(SharedChange change) {
    return "%020d %s %s"
        .formatted(
            change.created().toEpochMilli(), OperatorText.format(change.entry()), change.author());
  }

  private @Nullable StoredRow row(NewEntry wish) throws SQLException {
    for (StoredRow row : change.of(wish.list(), wish.subject())) {
      if (row.file() == 0 && Identity.of(row.entry()).equals(wish.identity())) {
        return row;
      }
    }
    return null;
  }

  /** True when it was not so before. */
  private boolean store(SharedChange shared, @Nullable StoredRow row) throws SQLException {
    NewEntry entry = shared.entry();
    if (shared.removed()) {
      if (row != null) {
        change.delete(row);
      }
      return row != null;
    }
    if (row == null) {
      change.insert(entry, shared.author(), shared.created(), 0, 0);
      return true;
    }
    boolean other = !NewEntry.of(row.entry()).equals(entry);
    change.update(row.seq(), entry.entry(row.entry().id(), shared.author(), shared.created()));
    return other;
  }
}
