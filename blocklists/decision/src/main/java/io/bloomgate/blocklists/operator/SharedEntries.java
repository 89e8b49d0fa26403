package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorLists.Page;
import io.bloomgate.blocklists.operator.SharedCommand.Act;
import io.bloomgate.blocklists.operator.SharedCommand.Thing;
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
 * command about each entry and each act, and which of them Redis does not have. The time of the
 * command by the clock of Redis decides which is the newest, on every node. Commands and the
 * threads of the fleet call it; changes take the lock of {@link StoreWriter}.
 */
public final class SharedEntries {

  /** A name with "yes" while each stored entry has its command, and "no" until then. */
  static final String COMPLETE = "fleet_complete";

  private static final String WORD = "fleet_word";

  /** A name with the milliseconds by which the clock of Redis was ahead at the last look. */
  private static final String AHEAD = "fleet_redis_ahead";

  /** Differences up to this are those of replies, not of clocks. */
  private static final long SAME_MILLIS = 10;

  private static final int PAGE = 200;

  /** Gives commands that wait the time that the clock of their node has for them now. */
  private static final String NOT_OF_THE_FUTURE =
      "UPDATE fleet SET ms = max(base + 1, min(?, json_extract(text, '$.at') + ?))"
          + " WHERE waits = 1 AND ms > ? AND ms > base + 1";

  private final StoreWriter writer;
  private final OperatorDatabase database;
  private final String node;
  private final InstantSource clock;

  private volatile Runnable woken = () -> {};

  /** The milliseconds by which the clock of Redis is ahead; none before the first look. */
  private volatile Optional<Long> ahead;

  /** Queues changes of commands from now on. */
  SharedEntries(StoreWriter writer, OperatorDatabase database, String node, InstantSource clock)
      throws OperatorListsException {
    this.writer = writer;
    this.database = database;
    this.node = node;
    this.clock = clock;
    this.ahead =
        writer.aside(change -> {
          if (OperatorDatabase.remembered(change.sql(), COMPLETE).isEmpty()) {
            // It does not have what was commanded while this gateway was no node.
            change.sql().change("DELETE FROM fleet");
            database.remember(COMPLETE, "no");
          }
          return OperatorDatabase.remembered(change.sql(), AHEAD).map(Long::valueOf);
        });
    writer.share(this);
  }

  /** Says whom to wake when something waits for Redis. */
  public void onWaiting(Runnable wake) {
    woken = wake;
  }

  /** Commands that Redis does not have. */
  public long waiting() {
    return count("SELECT count(*) FROM fleet WHERE waits = 1");
  }

  /** True when Redis does not have all commands; quick, however many there are. */
  public boolean isWaiting() {
    return count("SELECT EXISTS (SELECT 1 FROM fleet WHERE waits = 1)") > 0;
  }

  private long count(String query) {
    try {
      return database.read(sql -> sql.number(query));
    } catch (OperatorListsException e) {
      return 1; // nobody knows that there is none
    }
  }

  private <T> T table(OperatorDatabase.Query<T> work) throws OperatorListsException {
    return writer.aside(change -> work.of(change.sql()));
  }

  private void remember(String name, String value) throws OperatorListsException {
    table(sql -> {
      database.remember(name, value);
      return value;
    });
  }

  // ---- the time

  /**
   * Notes by how much the clock of Redis is ahead of that of this node: commands get its time from
   * now on, also while Redis is away, and those of before the first look get it now. So does one of
   * the future: the clock of this node was set while Redis was away.
   */
  public void redisIsAhead(long millis) throws OperatorListsException {
    Optional<Long> before = ahead;
    if (before.isPresent() && Math.abs(before.get() - millis) <= SAME_MILLIS) {
      return;
    }
    table(sql -> {
      database.remember(AHEAD, Long.toString(millis));
      if (before.isEmpty()) {
        sql.change("UPDATE fleet SET ms = ms + ? WHERE waits = 1", millis);
      }
      long now = clock.millis() + millis;
      sql.change(NOT_OF_THE_FUTURE, now, millis, now);
      return millis;
    });
    ahead = Optional.of(millis);
  }

  private long redisMillis(Instant time) {
    return time.toEpochMilli() + ahead.orElse(0L);
  }

  // ---- commands of this node

  /** Queues what a command did to these entries, within its transaction. */
  void queue(List<Thing> entries, boolean removed, Origin origin) throws SQLException {
    Instant now = clock.instant();
    for (Thing entry : entries) {
      queue(entry.identity(), SharedCommand.of(node, now, origin, entry, removed));
    }
  }

  /** A command is later than the one that it replaces, whatever clocks say. */
  private void queue(String subject, SharedCommand command) throws SQLException {
    Statements sql = database.sql();
    long base = SharedRow.about(sql, subject).map(SharedRow::millis).orElse(-1L);
    long time = Math.max(base + 1, redisMillis(Instant.ofEpochMilli(command.at())));
    new SharedRow(subject, time, command.text(), true).store(sql, false, base);
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
    table(_ -> {
      queue(act.about(), SharedCommand.of(node, clock.instant(), author, act));
      return act;
    });
    committed();
  }

  /** Queues each stored entry that was there before this gateway was a node, with its own time. */
  public void complete() throws OperatorListsException {
    if (table(sql -> OperatorDatabase.remembered(sql, COMPLETE)).orElse("no").equals("yes")) {
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
    return table(sql -> {
      Page<StoredRow> page = StoredRow.page(sql, list, "", null, after);
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

  // ---- what is sent

  /** The oldest commands that Redis does not have. */
  public List<SharedRow> next(int most) throws OperatorListsException {
    return table(sql -> SharedRow.toSend(sql, most));
  }

  /** Notes that Redis has these; another command that came meanwhile still waits. */
  public void sent(List<SharedRow> commands) throws OperatorListsException {
    table(sql -> {
      for (SharedRow one : commands) {
        sql.change(
            "UPDATE fleet SET waits = 0, base = ms WHERE subject = ? AND text = ?",
            one.subject(),
            one.text());
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
  public Applied apply(Map<String, String> values) throws OperatorListsException {
    Applied applied = new Applied();
    writer.change(change -> {
      CommandApplier applier =
          new CommandApplier(change, node, redisMillis(clock.instant()), applied);
      for (Map.Entry<String, String> value : values.entrySet()) {
        applier.apply(value.getKey(), value.getValue());
      }
      return applied;
    });
    committed();
    return applied;
  }

  /** The names of the next things that this node knows of, in order; forgets old ones. */
  public List<String> subjects(String after) throws OperatorListsException {
    return table(sql -> {
      List<SharedRow> rows = SharedRow.page(sql, after, PAGE);
      for (SharedRow row : rows) {
        if (!row.waits() && row.isOld(redisMillis(clock.instant()))) {
          sql.change("DELETE FROM fleet WHERE subject = ?", row.subject());
        }
      }
      return rows.stream().map(SharedRow::subject).toList();
    });
  }

  /** Queues what Redis has lost. */
  public void sendAgain(List<String> subjects) throws OperatorListsException {
    table(sql -> {
      for (String subject : subjects) {
        SharedRow.sendAgain(sql, subject);
      }
      return subjects;
    });
    committed();
  }

  /** The word of the hash that this node read last; empty when it never read one. */
  public String word() throws OperatorListsException {
    return table(sql -> OperatorDatabase.remembered(sql, WORD)).orElse("");
  }

  /** Notes that the hash of this word was read whole. */
  public void read(String word) throws OperatorListsException {
    remember(WORD, word);
  }

  // ---- acts

  /** The oldest act of another node that was not done yet. */
  public Optional<SharedRow> nextAct() throws OperatorListsException {
    return table(SharedRow::toDo);
  }

  /** Notes that an act was done, or that it cannot be done here. */
  public void done(SharedRow act) throws OperatorListsException {
    table(sql -> {
      sql.change(
          "UPDATE fleet SET todo = 0 WHERE subject = ? AND text = ?", act.subject(), act.text());
      return act;
    });
  }
}
