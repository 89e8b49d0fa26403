package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.SharedEntries;
import io.bloomgate.blocklists.operator.StreamId;
import java.time.Duration;
import redis.clients.jedis.AbstractTransaction;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.StreamInfo;

/**
 * Which stream of entries a server has: the key beside the stream holds a random word that changes
 * when the stream was lost or is started over. Then each node reads the new one from its start and
 * adds what it has. With the fleet's secret the word has the time at which the stream began and a
 * proof, so that nobody brings an old stream back. Used by {@link EntryStream} on the thread that
 * reads; methods throw {@code JedisException} when the server is lost.
 */
final class StreamWord {

  /** Longer streams are started over: every node then tells what it has. */
  static final long MOST_RECORDS = 200_000;

  /** A record whose place is further after the time of Redis was not placed by its clock. */
  static final Duration MOST_AHEAD = Duration.ofMinutes(5);

  /** A server whose clock is further ahead of that of this node is not believed. */
  static final Duration MOST_CLOCK_AHEAD = Duration.ofDays(2);

  private final RedisServer server;
  private final EntryStream.Parts parts;
  private final SharedEntries entries;
  private final String stream;
  private final String key;

  /** Records at the last look; a shorter stream was cut or removed. */
  private long lastLength;

  StreamWord(RedisServer server, EntryStream.Parts parts) {
    this.server = server;
    this.parts = parts;
    this.entries = parts.entries();
    this.stream = parts.prefix() + "entries";
    this.key = parts.prefix() + "entries:id";
  }

  /**
   * Finds the place in the stream, or begins at the start of a new one.
   *
   * @return true when the stream is another one than before
   */
  boolean join() throws OperatorListsException {
    long latest = latestMillis();
    String found = server.commands().get(key);
    if (found == null) {
      server.commands().set(key, next(), SetParams.setParams().nx());
      found = String.valueOf(server.commands().get(key));
    }
    boolean known = found.equals(entries.stream());
    StreamId place = known ? entries.place() : StreamId.START;
    boolean whole =
        isOfNow(found, latest)
            && (place.equals(StreamId.START)
                ? isWhole()
                : place.millis() <= latest && holds(place));
    if (known && whole) {
      return false;
    }
    // Lost its end, as without appendfsync always, or somebody removed what was not read here yet.
    entries.begin(whole ? found : startOver(), latest);
    lastLength = 0; // that was of the stream before: a shorter one would seem to have lost records
    return true;
  }

  /**
   * With the secret: true when a node of this fleet made the word, not before that of the stream
   * that this node reads, and this node said its place with all that it added.
   */
  private boolean isOfNow(String found, long latest) throws OperatorListsException {
    if (!parts.seal().isStrict()) {
      return true;
    }
    long began = parts.seal().began(found).orElse(-1);
    long least = parts.seal().began(entries.stream()).orElse(0);
    boolean ofNow = began >= 0 && began <= latest && (began >= least || least > latest);
    if (!ofNow && !parts.remarks().mayReplace()) {
      throw new JedisException(
          "others write the key "
              + key
              + " with another fleet.secret_file or none; give all nodes the same, or each fleet"
              + " its own fleet.key_prefix");
    }
    return ofNow && !(found.equals(entries.stream()) && entries.isAddedWithoutLinks());
  }

  /** Records that Redis places now have no later time, even if its clock was a little ahead. */
  long latestMillis() {
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

  /** True when the stream is no longer the one that was joined, or lost records. */
  boolean isReplaced() throws OperatorListsException {
    long length = server.commands().xlen(stream);
    boolean isShorter = length < lastLength;
    lastLength = length;
    if (length > MOST_RECORDS) {
      startOver();
    } else if (isShorter) {
      startOver("records were removed from the stream of entries");
    }
    return !isJoined();
  }

  /** True while the stream is the one that was joined. */
  boolean isJoined() throws OperatorListsException {
    return entries.stream().equals(server.commands().get(key));
  }

  /** True when the clock of Redis was set back behind the begin of the stream. */
  boolean isAhead(long latest) throws OperatorListsException {
    return parts.seal().isStrict() && parts.seal().began(entries.stream()).orElse(0) > latest;
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

  /** Starts the stream over where records are missing: all nodes add what they have. */
  void startOver(String missing) throws OperatorListsException {
    if (isJoined()) {
      parts.remarks().missing(missing);
      startOver();
    }
  }

  /** Removes the stream; answers the word of the next one. */
  String startOver() throws OperatorListsException {
    String next = next();
    try (AbstractTransaction both = server.commands().multi()) {
      both.set(key, next);
      both.del(stream);
      both.exec();
    }
    return next;
  }

  /** A word after that of the stream that this node reads, unless that is of a wrong clock. */
  private String next() throws OperatorListsException {
    long now = server.millis();
    long last = parts.seal().began(entries.stream()).orElse(0);
    long began = last > now + MOST_AHEAD.toMillis() ? now : Math.max(now, last + 1);
    return parts.seal().word(parts.newWord().get(), began);
  }
}
