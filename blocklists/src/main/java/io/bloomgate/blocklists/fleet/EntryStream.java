package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.SharedEntries;
import io.bloomgate.blocklists.operator.SharedEntries.Part;
import io.bloomgate.blocklists.operator.SharedEntries.Placed;
import io.bloomgate.blocklists.operator.SharedEntries.Position;
import io.bloomgate.blocklists.operator.SharedEntries.Waiting;
import io.bloomgate.blocklists.operator.SharedRecord;
import io.bloomgate.blocklists.operator.StreamId;
import io.bloomgate.config.name.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import java.util.function.Supplier;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisDataException;
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
  private static final String FIELD = "r";

  private final RedisServer server;
  private final SharedEntries entries;
  private final String stream;
  private final String word;
  private final Supplier<String> newWord;
  private final ObjIntConsumer<String> skipped;

  /**
   * @param newWord a random word
   * @param skipped receives why a record was not applied
   */
  EntryStream(
      RedisServer server,
      String prefix,
      SharedEntries entries,
      Supplier<String> newWord,
      ObjIntConsumer<String> skipped) {
    this.server = server;
    this.entries = entries;
    this.stream = prefix + "entries";
    this.word = prefix + "entries:id";
    this.newWord = newWord;
    this.skipped = skipped;
  }

  /**
   * Finds the place in the stream, or begins at the start of a new one.
   *
   * @return true when the stream is another one than before
   */
  boolean join() throws OperatorListsException {
    String found = server.commands().get(word);
    if (found == null) {
      server.commands().set(word, newWord.get(), SetParams.setParams().nx());
      found = String.valueOf(server.commands().get(word));
    }
    boolean known = found.equals(entries.stream());
    StreamId place = known ? entries.place() : StreamId.START;
    boolean whole = place.equals(StreamId.START) ? isWhole() : holds(place);
    if (known && whole) {
      return false;
    }
    // Lost its end, as without appendfsync always, or somebody removed what was not read here yet.
    entries.begin(whole ? found : startOver());
    return true;
  }

  /** True when the stream is no longer the one that was joined. */
  boolean isReplaced() throws OperatorListsException {
    if (server.commands().xlen(stream) > MOST_RECORDS) {
      startOver();
    }
    return !entries.stream().equals(server.commands().get(word));
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
    String next = newWord.get();
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
    StreamId place = entries.place();
    XReadParams params = XReadParams.xReadParams().count(READ_RECORDS);
    var answer =
        server
            .commands()
            .xread(
                block ? params.block(BLOCK_MILLIS) : params,
                Map.of(stream, new StreamEntryID(place.millis(), place.number())));
    if (answer == null || answer.isEmpty()) {
      return 0;
    }
    List<Placed> records = new ArrayList<>();
    int bad = 0;
    String first = "";
    for (StreamEntry entry : answer.getFirst().getValue()) {
      StreamId id = new StreamId(entry.getID().getTime(), entry.getID().getSequence());
      switch (SharedRecord.parse(entry.getFields().get(FIELD))) {
        case Parsed.Ok<SharedRecord>(SharedRecord record, var ignored) ->
            records.add(new Placed(id, record));
        case Parsed.Bad<SharedRecord>(String reason) -> {
          first = bad == 0 ? "record " + id + " of the fleet is skipped: " + reason : first;
          bad++;
          records.add(new Placed(id, null));
        }
      }
    }
    entries.apply(records);
    if (bad > 0) {
      // One line for all: who fills the stream must not fill the log.
      skipped.accept(bad == 1 ? first : first + "; and " + (bad - 1) + " more", bad);
    }
    return records.size();
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
    server.commands().xadd(stream, params, Map.of(FIELD, record.text()));
  }

  /**
   * Adds the oldest records that wait.
   *
   * @return how many
   */
  int send() throws OperatorListsException {
    List<Waiting> waiting = entries.nextWaiting(SENT_RECORDS);
    if (waiting.isEmpty()) {
      return 0;
    }
    List<Response<StreamEntryID>> replies = new ArrayList<>();
    try (AbstractPipeline pipeline = server.commands().pipelined()) {
      for (Waiting record : waiting) {
        replies.add(pipeline.xadd(stream, new XAddParams(), Map.of(FIELD, record.text())));
      }
      pipeline.sync();
    }
    List<StreamId> ids = new ArrayList<>();
    for (Response<StreamEntryID> reply : replies) {
      ids.add(new StreamId(reply.get().getTime(), reply.get().getSequence()));
    }
    entries.sent(waiting, ids);
    return ids.size();
  }
}
