package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.RecordLink;
import io.bloomgate.blocklists.operator.SharedEntries;
import io.bloomgate.blocklists.operator.SharedEntries.Applied;
import io.bloomgate.blocklists.operator.SharedEntries.Part;
import io.bloomgate.blocklists.operator.SharedEntries.Placed;
import io.bloomgate.blocklists.operator.SharedEntries.Position;
import io.bloomgate.blocklists.operator.SharedEntries.Waiting;
import io.bloomgate.blocklists.operator.SharedRecord;
import io.bloomgate.blocklists.operator.StreamId;
import io.bloomgate.config.name.Parsed;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadParams;
import redis.clients.jedis.resps.StreamEntry;

/**
 * The stream of operator entries on one connected server: reads it in order into the store, adds
 * what waits. {@link StreamWord} says which stream it is. {@link EntrySync} calls it on its
 * threads; methods throw {@code JedisException} when the server is lost.
 */
final class EntryStream {

  private static final int READ_RECORDS = 100;
  private static final int SENT_RECORDS = 50;
  private static final int BLOCK_MILLIS = 500;

  /** Of a record that changes nothing. */
  private static final RecordLink NO_LINK = new RecordLink("-", 0, 0, 0);

  /** The place of a record is of the time under its proof, within this time. */
  static final Duration MOST_LATE = Duration.ofMinutes(10);

  private final RedisServer server;
  private final SharedEntries entries;
  private final String stream;
  private final StreamWord word;
  private final Parts parts;

  /**
   * What it takes from around it.
   *
   * @param newWord a random word
   * @param older nodes of older releases that are here
   */
  record Parts(
      String prefix,
      SharedEntries entries,
      RecordSeal seal,
      InstantSource clock,
      Supplier<String> newWord,
      Function<RedisServer, Set<String>> older,
      Remarks remarks) {}

  /** What the operator should know of records that were read. */
  interface Remarks {
    /**
     * Records were not applied, or not all of them.
     *
     * @param why of the first
     */
    void refused(String why, int records);

    /** Records were removed from the stream, which is started over. */
    void missing(String what);

    /** False when a stream of others was replaced a moment ago, and another one is there. */
    boolean mayReplace();

    /** Changes are in force that need {@code --force} at a command. */
    void wide(List<String> changes);
  }

  EntryStream(RedisServer server, Parts parts) {
    this.server = server;
    this.parts = parts;
    this.entries = parts.entries();
    this.stream = parts.prefix() + "entries";
    this.word = new StreamWord(server, parts);
  }

  /** As {@link StreamWord#join}. */
  boolean join() throws OperatorListsException {
    return word.join();
  }

  /** As {@link StreamWord#isReplaced}. */
  boolean isReplaced() throws OperatorListsException {
    return word.isReplaced();
  }

  /**
   * Applies the next records.
   *
   * @param block wait for a record
   * @return how many there were
   */
  int read(boolean block) throws OperatorListsException {
    List<StreamEntry> found;
    try {
      found = after(entries.place(), block);
    } catch (NumberFormatException e) {
      // The number of a record is beyond those that Redis makes of its clock.
      refuseFuture("a record of the fleet is refused: its time is after every other");
      return 0;
    }
    if (found.isEmpty()) {
      return 0;
    }
    long latest = word.latestMillis();
    Placer placer = new Placer(entries.stream());
    List<Placed> records = new ArrayList<>();
    for (StreamEntry entry : found) {
      StreamId id = new StreamId(entry.getID().getTime(), entry.getID().getSequence());
      if (id.millis() > latest) {
        break;
      }
      records.add(placer.placed(id, entry.getFields()));
    }
    Applied applied = entries.apply(records, parts.seal().isStrict());
    List<String> refused = placer.refused;
    refused.addAll(applied.refused());
    if (!refused.isEmpty()) {
      parts.remarks().refused(refused.getFirst(), refused.size());
    }
    if (!applied.wide().isEmpty()) {
      parts.remarks().wide(applied.wide());
    }
    if (!applied.missing().isEmpty()) {
      word.startOver(applied.missing().getFirst());
    }
    if (records.size() < found.size()) {
      StreamEntryID id = found.get(records.size()).getID();
      refuseFuture(
          "record %s of the fleet is refused: its time is %d s after that of Redis"
              .formatted(id, (id.getTime() - latest + StreamWord.MOST_AHEAD.toMillis()) / 1_000));
    }
    return records.size();
  }

  private List<StreamEntry> after(StreamId place, boolean block) {
    XReadParams params = XReadParams.xReadParams().count(READ_RECORDS);
    var answer =
        server
            .commands()
            .xread(
                block ? params.block(BLOCK_MILLIS) : params,
                Map.of(stream, new StreamEntryID(place.millis(), place.number())));
    return answer == null || answer.isEmpty() ? List.of() : answer.getFirst().getValue();
  }

  /** Redis places no record before that one any more, so the stream ends here. */
  private void refuseFuture(String why) throws OperatorListsException {
    if (word.isJoined()) {
      parts.remarks().refused(why + "; the stream is started over", 1);
      word.startOver();
    }
  }

  /** Reads records of one reply. */
  private final class Placer {
    private final String joined;
    private final List<String> refused = new ArrayList<>();
    private @Nullable Set<String> older;

    Placer(String joined) {
      this.joined = joined;
    }

    Placed placed(StreamId id, Map<String, String> fields) {
      String text = RecordSeal.text(fields);
      Optional<RecordLink> link =
          parts.seal().isStrict() ? parts.seal().link(fields) : Optional.empty();
      Parsed<SharedRecord> record =
          parts.seal().isGenuine(fields)
              ? SharedRecord.parse(text)
              : Parsed.bad("the secret of fleet.secret_file did not make it");
      return switch (record) {
        case Parsed.Ok<SharedRecord>(SharedRecord read, var ignored) -> {
          if (read.changes().isEmpty() && read.act() == null) {
            yield new Placed(id, null, "", null); // the mark of a start changes nothing
          }
          Optional<String> refusal =
              parts.seal().isStrict() ? refusal(id, read, fields, link) : Optional.empty();
          yield refusal.isPresent()
              ? none("record " + id + " of the fleet is refused: " + refusal.get(), id)
              : new Placed(id, read, String.valueOf(text), link.orElse(null));
        }
        case Parsed.Bad<SharedRecord>(String reason) ->
            none("record " + id + " of the fleet is skipped: " + reason, id);
      };
    }

    private Placed none(String why, StreamId id) {
      refused.add(why);
      return new Placed(id, null, "", null);
    }

    /** Why a record counts for nothing though the secret made it. */
    private Optional<String> refusal(
        StreamId id, SharedRecord record, Map<String, String> fields, Optional<RecordLink> link) {
      if (link.isEmpty()) {
        return RecordSeal.isWithoutLink(fields) && isOlder(record.node())
            ? Optional.empty()
            : Optional.of("it says no place, and no older release of that node is here");
      }
      long late = Math.abs(id.millis() - link.get().atMillis());
      long early = parts.seal().began(joined).orElse(0) - link.get().atMillis();
      return Math.max(late, early) > MOST_LATE.toMillis()
          ? Optional.of("it is of another time, so it was copied")
          : Optional.empty();
    }

    private boolean isOlder(String node) {
      Set<String> all = older == null ? parts.older().apply(server) : older;
      older = all;
      return all.contains(node);
    }
  }

  /** Adds what this node has and the stream has not, once it was read to its end. */
  void tell() throws OperatorListsException {
    if (entries.isComplete()) {
      return;
    }
    StreamId highest = entries.highest();
    try {
      // What is added from now on is newer than everything that any node has.
      SharedRecord mark = entries.have(new Position(Integer.MAX_VALUE, 0, "\uffff")).record();
      StreamEntryID _ = add(mark, new XAddParams().id(highest.millis() + 1, 0), NO_LINK);
    } catch (JedisDataException e) {
      // It is already.
    }
    Part part = entries.have(Position.START);
    while (!part.end()) {
      if (!part.record().changes().isEmpty()) {
        long latest = word.latestMillis();
        RecordLink link = links(1, latest).getFirst();
        if (add(part.record(), new XAddParams(), link).getTime() > latest) {
          throw new JedisException("it places records after its own time");
        }
        entries.added(link);
      }
      part = entries.have(part.last());
    }
    entries.complete(parts.seal().isStrict());
  }

  private StreamEntryID add(SharedRecord record, XAddParams params, RecordLink link) {
    return server.commands().xadd(stream, params, parts.seal().fields(record.text(), link));
  }

  private List<RecordLink> links(int count, long latest) throws OperatorListsException {
    return entries.links(count, latest - StreamWord.MOST_AHEAD.toMillis());
  }

  /**
   * Adds the oldest records that wait, all or none of those after the first, so that their order is
   * that of their numbers.
   *
   * @return how many
   */
  int send() throws OperatorListsException {
    List<Waiting> waiting = entries.nextWaiting(SENT_RECORDS);
    if (waiting.isEmpty()) {
      return 0;
    }
    long latest = word.latestMillis();
    if (word.isAhead(latest)) {
      word.startOver();
      return 0;
    }
    // Alone: of a refused transaction Redis does not say why it was refused.
    List<RecordLink> alone = links(1, latest);
    StreamEntryID first =
        server
            .commands()
            .xadd(stream, new XAddParams(), fields(waiting.getFirst(), alone.getFirst()));
    int sent = sent(waiting.subList(0, 1), List.of(first), alone, latest);
    if (sent == 0 || waiting.size() == 1) {
      return sent;
    }
    List<Waiting> others = waiting.subList(1, waiting.size());
    List<RecordLink> links = links(others.size(), latest);
    List<Response<StreamEntryID>> replies = new ArrayList<>();
    try (AbstractTransaction all = server.commands().multi()) {
      for (int i = 0; i < others.size(); i++) {
        replies.add(all.xadd(stream, new XAddParams(), fields(others.get(i), links.get(i))));
      }
      all.exec();
    }
    return sent + sent(others, replies.stream().map(Response::get).toList(), links, latest);
  }

  private Map<String, String> fields(Waiting record, RecordLink link) {
    return parts.seal().fields(record.text(), link);
  }

  /** What other nodes refuse for its time waits until the stream was started over. */
  private int sent(
      List<Waiting> records, List<StreamEntryID> replies, List<RecordLink> links, long latest)
      throws OperatorListsException {
    List<StreamId> ids =
        replies.stream().map(id -> new StreamId(id.getTime(), id.getSequence())).toList();
    if (ids.getLast().millis() > latest) {
      return 0;
    }
    entries.sent(records, ids, links.getLast());
    return ids.size();
  }
}
