package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.SharedTable.Version;
import io.bloomgate.config.name.Parsed;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node of a fleet stores besides its lists, in the same transactions: own changes that wait
 * for the stream, its place in the stream, and the version of each entry, by which the last change
 * in the order of the stream wins on every node. Commands, the sender and the reader of the fleet
 * call it; changes take the lock of {@link StoreWriter}.
 */
public final class SharedEntries {

  /** Records that wait while Redis is away; commands are refused beyond them. */
  public static final int MOST_WAITING = 100_000;

  /** Removals are added again within this time when a stream is lost. */
  private static final Duration KEEP_REMOVED = Duration.ofDays(30);

  private static final String STREAM = "fleet_stream";
  private static final String PLACE = "fleet_place";
  private static final String LAST_SEQ = "fleet_seq";
  private static final String COMPLETE = "fleet_complete";

  /** Added with links, by which others know a copy; releases before wrote another word. */
  private static final String LINKED = "linked";

  private final StoreWriter writer;
  private final OperatorDatabase database;
  private final SharedTable table;
  private final RecordOrder order;
  private final String node;
  private final InstantSource clock;
  private final Supplier<WidthRules> widths;
  private volatile long waiting;
  private volatile long acts;
  private volatile Sent lastSent = new Sent(0, StreamId.START);
  private volatile Runnable woken = () -> {};

  /**
   * From now on changes of commands are queued.
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
    this.order = new RecordOrder(database, node);
    this.node = node;
    this.clock = clock;
    this.widths = widths;
    this.waiting =
        writer.change(change -> {
          table.create();
          acts = table.countActs();
          return table.countWaiting();
        });
    writer.share(this);
  }

  /** Says whom to wake when something waits for the stream. */
  public void onWaiting(Runnable wake) {
    woken = wake;
  }

  /** Records that wait. */
  public long waiting() {
    return waiting;
  }

  /** The newest own record that is in the stream, and where. */
  public record Sent(long seq, StreamId id) {}

  /** The last one since this node was started. */
  public Sent lastSent() {
    return lastSent;
  }

  /** Queues the changes of a command, within its transaction; answers how many wait then. */
  long queue(List<SharedChange> all, Origin origin) throws SQLException {
    List<SharedChange> changes = all.stream().filter(SharedChange::isShared).toList();
    long queued = table.countWaiting();
    if (queued >= MOST_WAITING) {
      throw new SQLException(
          MOST_WAITING + " changes wait for Redis, which is away; nothing more is queued");
    }
    Instant now = clock.instant();
    for (int from = 0; from < changes.size(); from += SharedRecord.MOST_CHANGES) {
      List<SharedChange> part =
          changes.subList(from, Math.min(changes.size(), from + SharedRecord.MOST_CHANGES));
      long seq = nextSeq(now);
      SharedRecord record =
          new SharedRecord(
              node, seq, now, origin.author(), origin.command(), part, List.of(), null);
      table.enqueue(seq, record.text());
      for (SharedChange change : part) {
        Version old = table.current(change.identity());
        table.put(change.identity(), new Version(old.id(), change.removed(), seq, old.stream()));
      }
      queued++;
    }
    return queued;
  }

  /** By the clock, so that a node whose database was restored gives no number twice. */
  private long nextSeq(Instant now) throws SQLException {
    long last = database.remembered(LAST_SEQ).map(Long::parseLong).orElse(0L);
    long seq = Math.max(last + 1, now.toEpochMilli() * 1_000);
    database.remember(LAST_SEQ, Long.toString(seq));
    return seq;
  }

  /**
   * Queues something that this node has done and all others are to do.
   *
   * @throws OperatorListsException when it is not on the disk
   */
  public void queue(SharedRecord.Act act, Origin origin) throws OperatorListsException {
    Instant now = clock.instant();
    waiting =
        writer.aside(change -> {
          long seq = nextSeq(now);
          SharedRecord record =
              new SharedRecord(
                  node, seq, now, origin.author(), origin.command(), List.of(), List.of(), act);
          table.enqueue(seq, record.text());
          return table.countWaiting();
        });
    woken.run();
  }

  /** After the commit of what {@link #queue} queued. */
  void committed(long nowWaiting) {
    waiting = nowWaiting;
    woken.run();
  }

  /** A record that waits. */
  public record Waiting(long seq, String text) {}

  /** The oldest ones, in order. */
  public List<Waiting> nextWaiting(int most) throws OperatorListsException {
    return writer.aside(
        change -> table.waiting(most).stream().map(w -> new Waiting(w.seq(), w.record())).toList());
  }

  /** The number of the newest record that was ever queued. */
  public long lastSeq() throws OperatorListsException {
    return writer.aside(change -> database.remembered(LAST_SEQ).map(Long::parseLong).orElse(0L));
  }

  /**
   * Notes that own records are in the stream, in their order.
   *
   * @param last link of the last one
   */
  public void sent(List<Waiting> records, List<StreamId> ids, RecordLink last)
      throws OperatorListsException {
    waiting =
        writer.aside(change -> {
          String stream = database.remembered(STREAM).orElse("");
          for (int i = 0; i < records.size(); i++) {
            if (SharedRecord.parse(records.get(i).text()) instanceof Parsed.Ok<SharedRecord> ok) {
              acknowledge(ok.value(), ids.get(i), stream);
            }
            table.dequeue(records.get(i).seq());
            order.noteSeen(node, records.get(i).seq());
          }
          order.noteOwn(last, stream);
          return table.countWaiting();
        });
    if (!records.isEmpty()) {
      lastSent = new Sent(records.getLast().seq(), ids.getLast());
    }
  }

  private void acknowledge(SharedRecord record, StreamId id, String stream) throws SQLException {
    for (SharedChange change : record.changes()) {
      Version old = table.current(change.identity());
      boolean newer = id.compareTo(old.id()) > 0;
      table.put(
          change.identity(),
          new Version(
              newer ? id : old.id(),
              old.removed(),
              old.pending() == record.seq() ? 0 : old.pending(),
              newer ? stream : old.stream()));
    }
  }

  /** The stream that this node reads; empty when it never read one. */
  public String stream() throws OperatorListsException {
    return writer.aside(change -> database.remembered(STREAM).orElse(""));
  }

  /** The last record that this node has applied. */
  public StreamId place() throws OperatorListsException {
    return writer.aside(
        change -> database.remembered(PLACE).flatMap(StreamId::parse).orElse(StreamId.START));
  }

  /** False when this node has to tell what it has, because the stream is new. */
  public boolean isComplete() throws OperatorListsException {
    return writer.aside(change -> database.remembered(COMPLETE).isPresent());
  }

  /**
   * Begins with another stream, at its start.
   *
   * @param latest the latest time, in milliseconds, at which Redis can have placed a record
   */
  public void begin(String stream, long latest) throws OperatorListsException {
    writer.aside(change -> {
      database.remember(STREAM, stream);
      database.remember(PLACE, StreamId.START.toString());
      database.forget(COMPLETE);
      table.forgetRemoved(clock.instant().minus(KEEP_REMOVED).toEpochMilli());
      table.age(latest);
      return stream;
    });
  }

  /** True when this node added what it has without links. */
  public boolean isAddedWithoutLinks() throws OperatorListsException {
    return writer.aside(
        change -> database.remembered(COMPLETE).filter(how -> !how.equals(LINKED)).isPresent());
  }

  /** Notes that everything that this node has is in the stream. */
  public void complete(boolean linked) throws OperatorListsException {
    writer.aside(change -> {
      database.remember(COMPLETE, linked ? LINKED : "yes");
      return "";
    });
  }

  /**
   * Links of the next records of this node, of which all or none will be added.
   *
   * @param atMillis the time of Redis
   */
  public List<RecordLink> links(int count, long atMillis) throws OperatorListsException {
    return writer.aside(change -> {
      String stream = database.remembered(STREAM).orElse("");
      List<RecordLink> links = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        long before = links.isEmpty() ? 0 : links.getLast().number();
        links.add(order.next(stream, before, clock.millis() * 1_000, atMillis));
      }
      return links;
    });
  }

  /** Notes that a record with this link is in the stream. */
  public void added(RecordLink link) throws OperatorListsException {
    writer.aside(change -> {
      order.noteOwn(link, database.remembered(STREAM).orElse(""));
      return "";
    });
  }

  /**
   * A record at its place.
   *
   * @param record {@code null} for one that cannot be read and is passed
   * @param text as it was read
   * @param link {@code null} where no proof covers one
   */
  public record Placed(
      StreamId id, @Nullable SharedRecord record, String text, @Nullable RecordLink link) {}

  /**
   * What the operator should know of records that were applied.
   *
   * @param wide changes that are in force but need {@code --force} at a command
   * @param refused what was not applied, and why
   * @param missing before which records others were removed
   */
  public record Applied(List<String> wide, List<String> refused, List<String> missing) {}

  /**
   * Applies records in order and keeps the place behind them, as one transaction. What others did
   * besides is stored for {@link #nextAct}.
   *
   * @param proven only nodes of the fleet can have written them, so their numbers count: none is
   *     applied again
   */
  public Applied apply(List<Placed> records, boolean proven) throws OperatorListsException {
    return writer.change(change -> {
      String stream = database.remembered(STREAM).orElse("");
      RecordApplier applier = new RecordApplier(change, table, widths.get(), node, stream);
      for (Placed placed : records) {
        if (placed.record() != null
            && isToApply(placed, placed.record(), stream, applier, proven)) {
          applier.apply(placed);
          if (placed.record().act() != null && !placed.record().node().equals(node)) {
            table.putAct(placed.record().text());
            acts = table.countActs();
          }
        }
      }
      if (!records.isEmpty()) {
        database.remember(PLACE, records.getLast().id().toString());
      }
      return new Applied(
          List.copyOf(applier.wide()),
          List.copyOf(applier.refused()),
          List.copyOf(applier.missing()));
    });
  }

  private boolean isToApply(
      Placed placed, SharedRecord record, String stream, RecordApplier applier, boolean proven)
      throws SQLException {
    boolean own = record.node().equals(node);
    Optional<String> waits = own ? table.waiting(record.seq()) : Optional.empty();
    if (waits.isPresent()) {
      if (!waits.get().equals(placed.text())) {
        applier.refuse(placed.id(), "it has the name of this node, which did not write it");
        return false;
      }
      if (placed.link() != null) {
        order.noteOwn(placed.link(), stream);
      }
      acknowledge(record, placed.id(), stream);
      table.dequeue(record.seq());
      order.noteSeen(node, record.seq());
      lastSent = new Sent(record.seq(), placed.id());
      waiting = table.countWaiting();
      return false;
    }
    return !proven || order.isNext(placed, record, stream, applier);
  }

  /** The highest version that this node knows: no record of a new stream may be below it. */
  public StreamId highest() throws OperatorListsException {
    return writer.aside(change -> table.highest());
  }

  /**
   * A part of what this node has and the stream has not.
   *
   * @param last give it to the next call
   */
  public record Part(SharedRecord record, Position last, boolean end) {}

  /** Where a walk over all entries is. */
  public record Position(int list, long seq, String removed) {
    public static final Position START = new Position(0, 0, "");
  }

  /** The next part. */
  public Part have(Position from) throws OperatorListsException {
    return writer.aside(change -> {
      OwnState.Found found =
          OwnState.part(change, table, from, database.remembered(STREAM).orElse(""));
      SharedRecord record =
          new SharedRecord(
              node, 0, clock.instant(), "", "", found.changes(), found.versions(), null);
      return new Part(record, found.last(), found.end());
    });
  }

  /** What another node did and this one is to do. */
  public record ToDo(long id, SharedRecord record) {}

  /** The oldest act of another node that was not done yet, in the order of the stream. */
  public Optional<ToDo> nextAct() throws OperatorListsException {
    return acts == 0 ? Optional.empty() : writer.aside(change -> table.firstAct());
  }

  /** Notes that an act was done, or that it cannot be done here. */
  public void done(ToDo act) throws OperatorListsException {
    acts =
        writer.aside(change -> {
          table.removeAct(act.id());
          return table.countActs();
        });
  }
}
