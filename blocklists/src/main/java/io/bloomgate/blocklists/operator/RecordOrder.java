package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.SharedEntries.Placed;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Which records of each node were read: by their numbers a copy is known, and what was removed from
 * the stream is missed. {@link SharedEntries} asks it within its transactions.
 */
final class RecordOrder {

  /** With the name of a node: the highest number of its changes, whatever stream they were in. */
  private static final String SEEN = "fleet_seen:";

  /** With the name of a node: the word of a stream, and the number of its last record there. */
  private static final String LAST = "fleet_last:";

  private final OperatorDatabase database;
  private final String self;

  /** The highest number that was given since this gateway was started. */
  private long given;

  RecordOrder(OperatorDatabase database, String self) {
    this.database = database;
    this.self = self;
  }

  /** The highest number of a change of this node that was applied. */
  private long seen(String node) throws SQLException {
    return database.remembered(SEEN + node).map(Long::parseLong).orElse(0L);
  }

  /** Notes that a change was applied. */
  void noteSeen(String node, long seq) throws SQLException {
    if (seq > seen(node)) {
      database.remember(SEEN + node, Long.toString(seq));
    }
  }

  private long last(String node, String stream) throws SQLException {
    return database
        .remembered(LAST + node)
        .filter(text -> text.startsWith(stream + " "))
        .map(text -> Long.parseLong(text.substring(stream.length() + 1)))
        .orElse(0L);
  }

  private void noteLast(String node, RecordLink link) throws SQLException {
    if (link.number() > last(node, link.stream())) {
      database.remember(LAST + node, link.stream() + " " + link.number());
    }
  }

  /** Notes that a record of this node is in the stream that it reads now. */
  void noteOwn(RecordLink link, String stream) throws SQLException {
    if (link.stream().equals(stream)) {
      noteLast(self, link);
    }
  }

  /**
   * The link of the next record of this node.
   *
   * @param before the one before it, which is added with it; {@code 0} for the last in the stream
   * @param leastNumber by the clock, so that a node whose database was restored gives none twice
   */
  RecordLink next(String stream, long before, long leastNumber, long atMillis) throws SQLException {
    long last = last(self, stream);
    given = Math.max(Math.max(given, last) + 1, leastNumber);
    return new RecordLink(stream, given, before == 0 ? last : before, atMillis);
  }

  /**
   * Notes a proven record.
   *
   * @param stream that is read
   * @param applier learns what is wrong with it
   * @return true when it is to be applied
   */
  boolean isNext(Placed placed, SharedRecord record, String stream, RecordApplier applier)
      throws SQLException {
    Optional<RecordLink> link = Optional.ofNullable(placed.link());
    if (link.isPresent() && !isNextLink(placed, record, link.get(), stream, applier)) {
      return false;
    }
    if (record.isState()) {
      return true;
    }
    String node = record.node();
    if (record.seq() <= seen(node)) {
      if (!node.equals(self)) {
        applier.refuse(
            placed.id(),
            "record "
                + record.seq()
                + " of that node or a later one was applied already; it was copied, or the clock of"
                + " that node was set back");
      }
      return false;
    }
    noteSeen(node, record.seq());
    return true;
  }

  private boolean isNextLink(
      Placed placed, SharedRecord record, RecordLink link, String stream, RecordApplier applier)
      throws SQLException {
    String node = record.node();
    if (!link.stream().equals(stream)) {
      // What was done may have been on its way while the stream was started over; its number
      // counts.
      if (record.isState()) {
        applier.refuse(placed.id(), "it is of another stream, so it was copied");
      }
      return !record.isState();
    }
    long last = last(node, stream);
    boolean own = node.equals(self);
    if (!own && link.number() <= last) {
      applier.refuse(placed.id(), "it or a later one of that node was read already; it was copied");
      return false;
    }
    if (!own && link.before() > last) {
      applier.miss(placed.id(), node);
    }
    noteLast(node, link);
    return true;
  }
}
