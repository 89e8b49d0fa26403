package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.SharedTable.Row;
import io.bloomgate.config.name.Parsed;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Stores the share of a node of a fleet beside its lists, in the same transactions: the newest
 * command about each entry and each act, and which of them Redis has not. The time of the command
 * decides which is the newest, on every node. Commands, the sender and the reader of the fleet call
 * it; changes take the lock of {@link StoreWriter}.
 */
public final class SharedEntries {

  /** Removals, and acts that end by themselves, are forgotten after this time. */
  private static final Duration KEEP = Duration.ofDays(30);

  /** A name with "yes" while each stored entry has its command, and "no" until then. */
  static final String COMPLETE = "fleet_complete";

  private static final String STREAM = "fleet_word";
  private static final int PAGE = 200;

  /** The latest time that is believed: later commands still have room behind it. */
  private static final long MAX_MILLIS = 1L << 60;

  private final StoreWriter writer;
  private final OperatorDatabase database;
  private final SharedTable table;
  private final String node;
  private final InstantSource clock;
  private final Supplier<WidthRules> widths;
  private final AtomicLong waiting = new AtomicLong();
  private volatile long acts;
  private volatile Runnable woken = () -> {};

  /**
   * Queues changes of commands from now on.
   *
   * @param widths rules of this moment
   */
  SharedEntries(
      StoreWriter writer,
      OperatorDatabase database,
      String node,
      InstantSource clock,
      Supplier<WidthRules> widths)
      throws OperatorListsException {
    this.writer = writer;
    this.database = database;
    this.table = database.shared();
    this.node = node;
    this.clock = clock;
    this.widths = widths;
    waiting.set(
        writer.change(change -> {
          table.create();
          if (database.remembered(COMPLETE).isEmpty()) {
            table.clear(); // what was commanded while this gateway was no node is not in it
            database.remember(COMPLETE, "no");
          }
          acts = table.countToDo();
          return table.countToSend();
        }));
    writer.share(this);
  }

  /** Says whom to wake when something waits for Redis. */
  public void onWaiting(Runnable wake) {
    woken = wake;
  }

  /** Commands that Redis has not. */
  public long waiting() {
    return waiting.get();
  }

  // ---- commands of this node

  /** Queues the changes of a command, within its transaction; answers how many more wait then. */
  long queue(List<SharedChange> all, Origin origin) throws SQLException {
    Instant now = clock.instant();
    long more = 0;
    for (SharedChange change : all) {
      if (change.isShared()) {
        more +=
            queue(
                change.identity(),
                new SharedCommand(node, now, origin.author(), origin.command(), change, null));
      }
    }
    return more;
  }

  /** A command is later than the one that it replaces, also when the clock was set back. */
  private long queue(String subject, SharedCommand command) throws SQLException {
    Optional<Row> old = table.row(subject);
    long base =
        old.map(row -> row.send() == SharedTable.WAITS ? row.base() : row.version().millis())
            .orElse(0L);
    StreamId time = new StreamId(command.at().toEpochMilli(), 0);
    table.put(new Row(subject, time, base, SharedTable.WAITS, command.text()), false);
    return old.filter(row -> row.send() != SharedTable.SENT).isPresent() ? 0 : 1;
  }

  /** Counts and wakes, after the commit of what {@link #queue} queued. */
  void committed(long more) {
    waiting.addAndGet(more);
    woken.run();
  }

  /**
   * Queues something that this node has done and all others are to do.
   *
   * @throws OperatorListsException when it is not on the disk
   */
  public void queue(SharedCommand.Act act, String author) throws OperatorListsException {
    SharedCommand command = new SharedCommand(node, clock.instant(), author, act.kind(), null, act);
    committed(writer.aside(change -> queue(act.about(), command)));
  }

  /** Queues each stored entry that was there before this gateway was a node, with its own time. */
  public void complete() throws OperatorListsException {
    if (writer.aside(change -> database.remembered(COMPLETE).orElse("no").equals("yes"))) {
      return;
    }
    for (ListKind list : ListKind.values()) {
      for (long after = 0; after >= 0; ) {
        after = complete(list, after);
      }
    }
    writer.aside(change -> {
      database.remember(COMPLETE, "yes");
      return COMPLETE;
    });
  }

  private long complete(ListKind list, long after) throws OperatorListsException {
    long[] more = {0};
    long next =
        writer.aside(change -> {
          List<StoredRow> rows = change.entries().page(list, "", after, PAGE);
          for (StoredRow row : rows) {
            SharedChange stored = SharedChange.of(row.entry());
            if (row.file() == 0 && stored.isShared()) {
              more[0] += completed(stored);
            }
          }
          return rows.isEmpty() ? -1 : rows.getLast().seq();
        });
    committed(more[0]);
    return next;
  }

  private long completed(SharedChange stored) throws SQLException {
    String command = stored.entry().list().key() + " add";
    return table.row(stored.identity()).isPresent()
        ? 0
        : queue(
            stored.identity(),
            new SharedCommand(node, stored.created(), stored.author(), command, stored, null));
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
    StreamId version(Row row) {
      if (row.send() != SharedTable.WAITS) {
        return row.version();
      }
      long at = Math.min(row.version().millis() + redisMillis - nodeMillis, redisMillis);
      return new StreamId(Math.max(at, row.base() + 1), Long.MAX_VALUE);
    }
  }

  /**
   * A command that Redis has not.
   *
   * @param version without its number while {@code isNew}
   */
  public record Outgoing(String subject, StreamId version, boolean isNew, String text) {

    /** The same with its number. */
    public Outgoing numbered(long number) {
      return new Outgoing(subject, new StreamId(version.millis(), number), isNew, text);
    }

    /** The text in Redis. */
    public String value() {
      return version + " " + text;
    }
  }

  /** The oldest ones. */
  public List<Outgoing> next(int most, Clocks clocks) throws OperatorListsException {
    return writer.aside(change ->
        table.toSend(most).stream()
            .map(row ->
                new Outgoing(
                    row.subject(),
                    clocks.version(row),
                    row.send() == SharedTable.WAITS,
                    row.text()))
            .toList());
  }

  /** Notes that Redis has these. */
  public void sent(List<Outgoing> commands) throws OperatorListsException {
    waiting.addAndGet(
        writer.aside(change -> {
          long more = 0;
          for (Outgoing one : commands) {
            Optional<Row> row = table.row(one.subject());
            if (row.isEmpty()) {
              continue;
            }
            if (row.get().text().equals(one.text())) {
              more -= row.get().send() == SharedTable.SENT ? 0 : 1;
              table.sent(one.subject(), one.version(), SharedTable.SENT);
            } else if (row.get().send() == SharedTable.WAITS) {
              // Another command came meanwhile, and is later.
              long base = Math.max(row.get().base(), one.version().millis());
              table.put(
                  new Row(
                      one.subject(),
                      row.get().version(),
                      base,
                      SharedTable.WAITS,
                      row.get().text()),
                  false);
            }
          }
          return more;
        }));
  }

  // ---- what is read

  /** A command as Redis has it. */
  public record Found(String subject, StreamId version, String text, SharedCommand command) {

    /** Reads a field; the reason holds nothing of it. */
    public static Parsed<Found> parse(String subject, String value) {
      int space = value.indexOf(' ');
      Optional<StreamId> version = StreamId.parse(value.substring(0, Math.max(0, space)));
      if (version.isEmpty() || version.get().millis() > MAX_MILLIS) {
        return Parsed.bad("no time of a command");
      }
      String text = value.substring(space + 1);
      return switch (SharedCommand.parse(subject, text)) {
        case Parsed.Bad<SharedCommand>(String reason) -> Parsed.bad(reason);
        case Parsed.Ok<SharedCommand>(SharedCommand command, var ignored) ->
            Parsed.ok(new Found(subject, version.get(), text, command));
      };
    }

    /** True for what is forgotten everywhere. */
    public boolean isOld(long redisMillis) {
      return SharedEntries.isOld(subject, version, command, redisMillis);
    }
  }

  private static boolean isOld(
      String subject, StreamId version, SharedCommand command, long redisMillis) {
    boolean ends =
        command.change() == null ? SharedCommand.Act.isPart(subject) : command.change().removed();
    return ends && redisMillis - version.millis() > KEEP.toMillis();
  }

  /**
   * Sentences for the operator about commands that were read.
   *
   * @param wide changes that are in force but need {@code --force} at a command
   * @param refused what was not applied, and why
   * @param overtaken commands of this node that a newer one replaced
   */
  public record Applied(List<String> wide, List<String> refused, List<String> overtaken) {}

  /**
   * Applies those that are newer than what this node has, as one transaction. Acts are stored for
   * {@link #nextAct}; where this node has a newer one, it is queued for Redis.
   */
  public Applied apply(List<Found> commands, Clocks clocks) throws OperatorListsException {
    long[] more = {0};
    Applied applied =
        writer.change(change -> {
          CommandApplier applier = new CommandApplier(change, table, widths.get(), node, clocks);
          for (Found found : commands) {
            applier.apply(found);
          }
          more[0] = applier.moreToSend();
          acts = table.countToDo();
          return applier.applied();
        });
    committed(more[0]);
    return applied;
  }

  /** The names of the next things that this node knows of, in order; forgets old ones. */
  public List<String> subjects(String after, long redisMillis) throws OperatorListsException {
    return writer.aside(change -> {
      List<Row> rows = table.page(after, PAGE);
      for (Row row : rows) {
        if (row.send() == SharedTable.SENT
            && SharedCommand.parse(row.subject(), row.text()) instanceof Parsed.Ok<SharedCommand> ok
            && isOld(row.subject(), row.version(), ok.value(), redisMillis)) {
          table.remove(row.subject());
        }
      }
      return rows.stream().map(Row::subject).toList();
    });
  }

  /** Queues what Redis has not. */
  public void sendAgain(List<String> subjects) throws OperatorListsException {
    committed(
        writer.aside(change -> {
          long more = 0;
          for (String subject : subjects) {
            if (table.row(subject).filter(row -> row.send() == SharedTable.SENT).isPresent()) {
              table.send(subject, SharedTable.AGAIN);
              more++;
            }
          }
          return more;
        }));
  }

  /** The word of the hash that this node read last; empty when it never read one. */
  public String word() throws OperatorListsException {
    return writer.aside(change -> database.remembered(STREAM).orElse(""));
  }

  /** Notes that the hash of this word was read whole. */
  public void read(String word) throws OperatorListsException {
    writer.aside(change -> {
      database.remember(STREAM, word);
      return word;
    });
  }

  // ---- acts

  /** An act of another node that this one is to do. */
  public record ToDo(Row row, SharedCommand command) {}

  /** The oldest act of another node that was not done yet. */
  public Optional<ToDo> nextAct() throws OperatorListsException {
    if (acts == 0) {
      return Optional.empty();
    }
    return writer.aside(change -> {
      Optional<Row> row = table.toDo();
      return row.flatMap(one -> SharedCommand.parse(one.subject(), one.text()).toOptional())
          .map(command -> new ToDo(row.orElseThrow(), command));
    });
  }

  /** Notes that an act was done, or that it cannot be done here. */
  public void done(ToDo act) throws OperatorListsException {
    acts =
        writer.aside(change -> {
          table.done(act.row());
          return table.countToDo();
        });
  }
}
