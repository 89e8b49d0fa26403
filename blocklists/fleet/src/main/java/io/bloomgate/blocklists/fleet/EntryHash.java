package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.SharedRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadParams;
import redis.clients.jedis.resps.ScanResult;
import redis.clients.jedis.resps.StreamEntry;

/**
 * The commands of the fleet on one connected server: a hash with the newest command about each
 * thing, and a stream that names what has changed. {@link EntrySync} calls it on its thread, and
 * methods throw {@code JedisException} when the server is lost.
 *
 * @param prefix of the keys
 */
record EntryHash(RedisServer server, String prefix) {

  /** The place before every change. */
  static final StreamEntryID START = new StreamEntryID(0, 0);

  /** Commands that are read or written at once. */
  static final int AT_ONCE = 100;

  /** Changes that the stream has, about: who is further behind reads the hash. */
  private static final long MAX_STREAM = 10_000;

  /** The time that a change is waited for; a command of this node is sent after it. */
  private static final int BLOCK_MILLIS = 50;

  /** The field whose random word changes when Redis has lost the hash; no command has this name. */
  private static final String WORD = ".";

  /**
   * Changes of the stream.
   *
   * @param subjects of the commands that changed
   * @param place of the last of them
   */
  record Changes(List<String> subjects, StreamEntryID place) {}

  private String hash() {
    return prefix + "entries";
  }

  private String stream() {
    return prefix + "changes";
  }

  /** Reads the word of the hash, or makes one. */
  String word(Supplier<String> newWord) {
    String found = server.commands().hget(hash(), WORD);
    if (found == null) {
      server.commands().hsetnx(hash(), WORD, newWord.get());
      found = String.valueOf(server.commands().hget(hash(), WORD));
    }
    return found;
  }

  /** True while nothing behind this place was removed from the stream. */
  boolean holds(StreamEntryID place) {
    return place.equals(START) || !server.commands().xrange(stream(), place, place, 1).isEmpty();
  }

  /** Returns the place of the newest change. */
  StreamEntryID newest() {
    return server.newest(stream());
  }

  /** Waits for changes behind this place; {@code null} for none. */
  @Nullable Changes next(StreamEntryID from) {
    List<StreamEntry> changes =
        server.read(stream(), from, XReadParams.xReadParams().count(AT_ONCE).block(BLOCK_MILLIS));
    if (changes.isEmpty()) {
      return null;
    }
    Set<String> subjects = new LinkedHashSet<>();
    changes.forEach(change -> subjects.addAll(change.getFields().values()));
    return new Changes(List.copyOf(subjects), changes.getLast().getID());
  }

  /** Reads the commands about these; what is not there is left out. */
  Map<String, String> commands(List<String> subjects) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < subjects.size(); i += AT_ONCE) {
      List<String> some = subjects.subList(i, Math.min(subjects.size(), i + AT_ONCE));
      List<String> values = server.commands().hmget(hash(), some.toArray(String[]::new));
      for (int j = 0; j < some.size(); j++) {
        if (values.get(j) != null && !some.get(j).equals(WORD)) {
          all.put(some.get(j), values.get(j));
        }
      }
    }
    return all;
  }

  /** Reads some of all commands; returns the cursor of the next ones, "0" at the end. */
  String scan(String cursor, Map<String, String> into) {
    ScanResult<Map.Entry<String, String>> some =
        server.commands().hscan(hash(), cursor, new ScanParams().count(AT_ONCE));
    some.getResult().forEach(field -> into.put(field.getKey(), field.getValue()));
    into.remove(WORD);
    return some.getCursor();
  }

  void remove(String subject) {
    server.commands().hdel(hash(), subject);
  }

  /** Returns those about which there is no command. */
  List<String> missing(List<String> subjects) {
    List<Response<Boolean>> known = new ArrayList<>();
    try (AbstractPipeline pipeline = server.commands().pipelined()) {
      subjects.forEach(subject -> known.add(pipeline.hexists(hash(), subject)));
      pipeline.sync();
    }
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < subjects.size(); i++) {
      if (!known.get(i).get()) {
        missing.add(subjects.get(i));
      }
    }
    return missing;
  }

  /** Writes commands, and wakes the other nodes; returns the place of the change. */
  StreamEntryID write(List<SharedRow> commands) {
    List<Response<Long>> kept = new ArrayList<>();
    Map<String, String> subjects = new HashMap<>();
    Response<StreamEntryID> change;
    try (AbstractPipeline pipeline = server.commands().pipelined()) {
      for (SharedRow one : commands) {
        kept.add(pipeline.hset(hash(), one.subject(), one.value()));
        subjects.put(Integer.toString(kept.size()), one.subject());
      }
      change =
          pipeline.xadd(
              stream(), XAddParams.xAddParams().maxLen(MAX_STREAM).approximateTrimming(), subjects);
      pipeline.sync();
    }
    kept.forEach(Response::get);
    return change.get();
  }
}
