package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.OperatorListsException;
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
import java.util.function.Supplier;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadParams;
import redis.clients.jedis.resps.StreamEntry;
import redis.clients.jedis.resps.StreamInfo;

/**
 * The stream of operator entries on one connected server: reads it in order into the store, adds
 * what waits. The key beside it holds a random word that changes when the stream was lost: then
 * each node reads the new one from its start and adds what it has. {@link EntrySync} calls it on
 * its threads; methods throw {@code JedisException} when the server is lost.
 */
final class EntryStream {

  /** Longer streams are started over: every node then tells what it has. */
  static final long MOST_RECORDS = 200_000;

  private static final int READ_RECORDS = 100;
  private static final int SENT_RECORDS = 50;
  private static final int BLOCK_MILLIS = 500;

  /** A record whose place is further after the time of Redis was not placed by its clock. */
  static final Duration MOST_AHEAD = Duration.ofMinutes(5);

  /** A server whose clock is further ahead of that of this node is not believed. */
  static final Duration MOST_CLOCK_AHEAD = Duration.ofDays(2);

  private final RedisServer server;
  private final SharedEntries entries;
  private final String stream;
  private final String word;
  private final Parts parts;

  /** Records at the last look; a shorter stream was cut or removed. */
  private long lastLength;

  /**
   * What it takes from around it.
   *
   * @param newWord a random word
   */
  record Parts(
      String prefix,
      SharedEntries entries,
      RecordSeal seal,
      InstantSource clock,
      Supplier<String> newWord,
      Remarks remarks) {}

  /** What the operator should know of records that were read. */
  interface Remarks {
    /**
     * Records were not applied, or not all of them.
     *
     * @param why of the first
     */
    void refused(String why, int records);

    /** Changes are in force that need {@code --force} at a command. */
    void wide(List<String> changes);
  }

  EntryStream(RedisServer server, Parts parts) {
    this.server = server;
    this.parts = parts;
    this.entries = parts.entries();
    this.stream = parts.prefix() + "entries";
    this.word = parts.prefix() + "entries:id";
  }

  /**
   * Finds the place in the stream, or begins at the start of a new one.
   *
   * @return true when the stream is another one than before
   */
  boolean join() throws OperatorListsException {
    String found = server.commands().get(word);
    if (found == null) {
      server.commands().set(word, parts.newWord().get(), SetParams.setParams().nx());
      found = String.valueOf(server.commands().get(word));
    }
    boolean known = found.equals(entries.stream());
    StreamId place = known ? entries.place() : StreamId.START;
    long latest = latestMillis();
    boolean whole =
        place.equals(StreamId.START) ? isWhole() : place.millis() <= latest && holds(place);
    if (known && whole) {
      return false;
    }
    // Lost its end, as without appendfsync always, or somebody removed what was not read here yet.
    entries.begin(whole ? found : startOver(), latest);
    return true;
  }

  /** Records that Redis places now have no later time, even if its clock was a little ahead. */
  private long latestMillis() {
    long now = server.millis();
    if (now - parts.clock().millis() > MOST_CLOCK_AHEAD.toMillis()) {
      throw new JedisException(
          "its clock is more than "
              + MOST_CLOCK_AHEAD.toDays()
              + " days ahead of that of this node, so its records are not applied; set both by"
              + " NTP");
    }
    return now + MOST_AHEAD.toMillis();
  }

  /** True when the stream is no longer the one that was joined, or lost what was read. */
  boolean isReplaced() throws OperatorListsException {
    long length = server.commands().xlen(stream);
    boolean isShorter = length < lastLength;
    lastLength = length;
    if (length > MOST_RECORDS) {
      startOver();
    }
    return !entries.stream().equals(server.commands().get(word))
        || (isShorter && !holds(entries.place()));
  }

  /** True while nothing was removed from it; a server before Redis 7 does not tell. */
  private boolean isWhole() {
    if (server.commands().xlen(stream) == 0 && !server.commands().exists(stream)) {
      return true;
    }
    StreamInfo info = server.commands().xinfoStream(stream);
    return !(info.getStreamInfo().get("entries-added") instanceof Long added)
        || added == info.getLength();
  }

  private boolean holds(StreamId place) {
    StreamEntryID id = new StreamEntryID(place.millis(), place.number());
    return !server.commands().xrange(stream, id, id, 1).isEmpty();
  }

  private String startOver() {
    String next = parts.newWord().get();
    try (AbstractTransaction both = server.commands().multi()) {
      both.set(word, next);
      both.del(stream);
      both.exec();
    }
    return next;
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
    long latest = latestMillis();
    List<Placed> records = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (StreamEntry entry : found) {
      StreamId id = new StreamId(entry.getID().getTime(), entry.getID().getSequence());
      if (id.millis() > latest) {
        break;
      }
      records.add(placed(id, entry.getFields(), refused));
    }
    Applied applied = entries.apply(records, parts.seal().isStrict());
    refused.addAll(applied.refused());
    if (!refused.isEmpty()) {
      parts.remarks().refused(refused.getFirst(), refused.size());
    }
    if (!applied.wide().isEmpty()) {
      parts.remarks().wide(applied.wide());
    }
    if (records.size() < found.size()) {
      StreamEntryID id = found.get(records.size()).getID();
      refuseFuture(
          "record %s of the fleet is refused: its time is %d s after that of Redis"
              .formatted(id, (id.getTime() - latest + MOST_AHEAD.toMillis()) / 1_000));
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
    if (entries.stream().equals(server.commands().get(word))) {
      parts.remarks().refused(why + "; the stream is started over", 1);
      startOver();
    }
  }

  private Placed placed(StreamId id, Map<String, String> fields, List<String> refused) {
    String text = RecordSeal.text(fields);
    Parsed<SharedRecord> record =
        parts.seal().isGenuine(fields)
            ? SharedRecord.parse(text)
            : Parsed.bad("the secret of fleet.secret_file did not make it");
    return switch (record) {
      case Parsed.Ok<SharedRecord>(SharedRecord read, var ignored) ->
          new Placed(id, read, String.valueOf(text));
      case Parsed.Bad<SharedRecord>(String reason) -> {
        refused.add("record " + id + " of the fleet is skipped: " + reason);
        yield new Placed(id, null, "");
      }
    };
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
      add(mark, new XAddParams().id(highest.millis() + 1, 0));
    } catch (JedisDataException e) {
      // It is already.
    }
    Part part = entries.have(Position.START);
    while (!part.end()) {
      if (!part.record().changes().isEmpty()) {
        add(part.record(), new XAddParams());
      }
      part = entries.have(part.last());
    }
    entries.complete();
  }

  private void add(SharedRecord record, XAddParams params) {
    server.commands().xadd(stream, params, parts.seal().fields(record.text()));
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
    long latest = latestMillis();
    // Alone: of a refused transaction Redis does not say why it was refused.
    StreamEntryID first =
        server.commands().xadd(stream, new XAddParams(), fields(waiting.getFirst()));
    int sent = sent(waiting.subList(0, 1), List.of(first), latest);
    if (sent == 0 || waiting.size() == 1) {
      return sent;
    }
    List<Waiting> others = waiting.subList(1, waiting.size());
    List<Response<StreamEntryID>> replies = new ArrayList<>();
    try (AbstractTransaction all = server.commands().multi()) {
      for (Waiting record : others) {
        replies.add(all.xadd(stream, new XAddParams(), fields(record)));
      }
      all.exec();
    }
    return sent + sent(others, replies.stream().map(Response::get).toList(), latest);
  }

  private Map<String, String> fields(Waiting record) {
    return parts.seal().fields(record.text());
  }

  /** What other nodes refuse for its time waits until the stream was started over. */
  private int sent(List<Waiting> records, List<StreamEntryID> replies, long latest)
      throws OperatorListsException {
    List<StreamId> ids =
        replies.stream().map(id -> new StreamId(id.getTime(), id.getSequence())).toList();
    if (ids.getLast().millis() > latest) {
      return 0;
    }
    entries.sent(records, ids);
    return ids.size();
  }
}
