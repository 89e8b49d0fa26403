package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorLists.Page;
import io.bloomgate.blocklists.operator.SharedCommand.Act;
import io.bloomgate.blocklists.operator.SharedCommand.Thing;
import io.bloomgate.blocklists.operator.SharedRow.Send;
import io.bloomgate.config.name.ListKind;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Stores the share of a node of a fleet beside its lists, in the same transactions: the newest
 * command about each entry and each act, and which of them Redis has not. The time of the command
 * decides which is the newest, on every node. Commands, the sender and the reader of the fleet call
 * it; changes take the lock of {@link StoreWriter}.
 */
public final class SharedEntries {

  /** A name with "yes" while each stored entry has its command, and "no" until then. */
  static final String COMPLETE = "fleet_complete";

  private static final String STREAM = "fleet_word";
  private static final int PAGE = 200;

  private final StoreWriter writer;
  private final OperatorDatabase database;
  private final String node;
  private final InstantSource clock;

  private volatile Runnable woken = () -> {};

  /** Queues changes of commands from now on. */
  SharedEntries(StoreWriter writer, OperatorDatabase database, String node, InstantSource clock)
      throws OperatorListsException {
    this.writer = writer;
    this.database = database;
    this.node = node;
    this.clock = clock;
    writer.change(change -> {
      if (OperatorDatabase.remembered(database.sql(), COMPLETE).isEmpty()) {
        database
            .sql()
            .change(
                "DELETE FROM fleet"); // what was commanded while this gateway was no node is not in
        // it
        database.remember(COMPLETE, "no");
      }
      return node;
    });
    writer.share(this);
  }

  /** Says whom to wake when something waits for Redis. */
  public void onWaiting(Runnable wake) {
    woken = wake;
  }

  /** Commands that Redis has not. */
  public long waiting() {
    return count(sql -> sql.number("SELECT count(*) FROM fleet WHERE send <> 'SENT'"));
  }

  /** True when Redis has not all commands; quick, however many there are. */
  public boolean isWaiting() {
    return count(sql -> (long) SharedRow.toSend(sql, 1).size()) > 0;
  }

  private long count(OperatorDatabase.Query<Long> query) {
    try {
      return database.read(query);
    } catch (OperatorListsException e) {
      return 1; // nobody knows that there is none
    }
  }

  // ---- commands of this node

  /** Queues what a command did to these entries, within its transaction. */
  void queue(List<Thing> entries, boolean removed, Origin origin) throws SQLException {
    Instant now = clock.instant();
    for (Thing entry : entries) {
      queue(entry.identity(), SharedCommand.of(node, now, origin, entry, removed));
    }
  }

  /** A command is later than the one that it replaces, also when the clock was set back. */
  private void queue(String subject, SharedCommand command) throws SQLException {
    long base =
        SharedRow.about(database.sql(), subject)
            .map(old -> old.send() == Send.WAITS ? old.base() : old.version().millis())
            .orElse(0L);
    StreamId time = new StreamId(command.at(), 0);
    new SharedRow(subject, time, base, Send.WAITS, command.text()).store(database.sql(), false);
  }

  /** Wakes who sends, after the commit of what was queued. */
  void committed() {
    woken.run();
  }

  /**
   * Queues something that this node has done and all others are to do.
   *
   * @throws OperatorListsException when it is not on the disk
   */
  public void queue(Act act, String author) throws OperatorListsException {
    writer.aside(change -> {
      queue(act.about(), SharedCommand.of(node, clock.instant(), author, act));
      return act;
    });
    committed();
  }

  /** Queues each stored entry that was there before this gateway was a node, with its own time. */
  public void complete() throws OperatorListsException {
    if (writer.aside(
        change ->
            OperatorDatabase.remembered(database.sql(), COMPLETE).orElse("no").equals("yes"))) {
      return;
    }
    for (ListKind list : ListKind.values()) {
      for (long after = 0; after >= 0; ) {
        after = complete(list, after);
      }
    }
    writer.aside(change -> {
      for (RecipientEntry entry : change.recipients().values()) {
        complete(Thing.of(entry), "recipient set");
      }
      return change;
    });
    remember(COMPLETE, "yes");
    committed();
  }

  private long complete(ListKind list, long after) throws OperatorListsException {
    return writer.aside(change -> {
      Page<StoredRow> page = StoredRow.page(change.sql(), list, "", null, after);
      for (StoredRow row : page.items()) {
        Optional<Thing> entry = Thing.of(row.entry());
        if (row.file() == 0 && entry.isPresent()) {
          complete(entry.get(), list.key() + " add");
        }
      }
      return page.end() ? -1 : page.last();
    });
  }

  private void complete(Thing entry, String command) throws SQLException {
    if (SharedRow.about(database.sql(), entry.identity()).isEmpty()) {
      Origin author = new Origin(entry.author(), command);
      queue(entry.identity(), SharedCommand.of(node, entry.created(), author, entry, false));
    }
  }

  private void remember(String name, String value) throws OperatorListsException {
    writer.aside(change -> {
      database.remember(name, value);
      return value;
    });
  }

  // ---- what is sent

  /**
   * The clocks at one moment.
   *
   * @param redisMillis of Redis, which all nodes have in common
   * @param nodeMillis of this node
   */
  public record Clocks(long redisMillis, long nodeMillis) {

    /** The version of a row; of one that waits as if it was sent now, behind all of its time. */
    StreamId version(SharedRow row) {
      if (row.send() != Send.WAITS) {
        return row.version();
      }
      long at = Math.min(row.version().millis() + redisMillis - nodeMillis, redisMillis);
      return new StreamId(Math.max(at, row.base() + 1), Long.MAX_VALUE);
    }
  }

  /** The oldest commands that Redis has not; versions of those that wait have no number yet. */
  public List<SharedRow> next(int most, Clocks clocks) throws OperatorListsException {
    return writer.aside(change -> {
      List<SharedRow> rows = SharedRow.toSend(change.sql(), most);
      return rows.stream().map(row -> row.with(clocks.version(row))).toList();
    });
  }

  /** Notes that Redis has these. */
  public void sent(List<SharedRow> commands) throws OperatorListsException {
    writer.aside(change -> {
      for (SharedRow one : commands) {
        SharedRow now = SharedRow.about(change.sql(), one.subject()).orElse(one);
        if (now.text().equals(one.text())) {
          one.mark(change.sql(), one.version(), Send.SENT);
        } else if (now.send() == Send.WAITS) {
          // Another command came meanwhile, and is later.
          long base = Math.max(now.base(), one.version().millis());
          new SharedRow(now.subject(), now.version(), base, Send.WAITS, now.text())
              .store(change.sql(), false);
        }
      }
      return commands;
    });
  }

  // ---- what is read

  /**
   * The outcome of reading commands, most as sentences for the operator.
   *
   * @param refused what was not applied, and why
   * @param overtaken commands of this node that a newer one replaced
   * @param old subjects of commands that are forgotten everywhere
   */
  public record Applied(List<String> refused, List<String> overtaken, List<String> old) {
    Applied() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  /**
   * Applies those that are newer than what this node has, as one transaction. Acts are stored for
   * {@link #nextAct}; where this node has a newer one, it is queued for Redis.
   *
   * @param values of fields of Redis, by subject
   */
  public Applied apply(Map<String, String> values, Clocks clocks) throws OperatorListsException {
    Applied applied =
        writer.change(change -> {
          CommandApplier applier = new CommandApplier(change, node, clocks);
          for (Map.Entry<String, String> value : values.entrySet()) {
            applier.apply(value.getKey(), value.getValue());
          }
          return applier.applied();
        });
    committed();
    return applied;
  }

  /** The names of the next things that this node knows of, in order; forgets old ones. */
  public List<String> subjects(String after, long redisMillis) throws OperatorListsException {
    return writer.aside(change -> {
      List<SharedRow> rows = SharedRow.page(change.sql(), after, PAGE);
      for (SharedRow row : rows) {
        if (row.send() == Send.SENT && row.isOld(redisMillis)) {
          database.sql().change("DELETE FROM fleet WHERE subject = ?", row.subject());
        }
      }
      return rows.stream().map(SharedRow::subject).toList();
    });
  }

  /** Queues what Redis has not. */
  public void sendAgain(List<String> subjects) throws OperatorListsException {
    writer.aside(change -> {
      for (String subject : subjects) {
        Optional<SharedRow> row = SharedRow.about(change.sql(), subject);
        if (row.filter(one -> one.send() == Send.SENT).isPresent()) {
          row.get().mark(change.sql(), row.get().version(), Send.AGAIN);
        }
      }
      return subjects;
    });
    committed();
  }

  /** The word of the hash that this node read last; empty when it never read one. */
  public String word() throws OperatorListsException {
    return writer.aside(change -> OperatorDatabase.remembered(database.sql(), STREAM).orElse(""));
  }

  /** Notes that the hash of this word was read whole. */
  public void read(String word) throws OperatorListsException {
    remember(STREAM, word);
  }

  // ---- acts

  /** The oldest act of another node that was not done yet. */
  public Optional<SharedRow> nextAct() throws OperatorListsException {
    return writer.aside(change -> SharedRow.toDo(change.sql()));
  }

  /** Notes that an act was done, or that it cannot be done here. */
  public void done(SharedRow act) throws OperatorListsException {
    writer.aside(change -> {
      database
          .sql()
          .change(
              "UPDATE fleet SET todo = 0 WHERE subject = ? AND text = ?",
              act.subject(),
              act.text());
      return act;
    });
  }
}
