package io.bloomgate.blocklists.fleet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.XReadParams;
import redis.clients.jedis.resps.StreamEntry;

/**
 * Reads the stream of texts that nodes give each other, and knows the time of Redis. A node that
 * starts reads all that the stream still has. {@link SharedCounts} calls it on the thread that
 * reads; any thread asks for the time. Methods throw {@code JedisException} when the server is
 * lost.
 */
public final class CountTexts {

  /** The name of the stream, behind the prefix. */
  static final String STREAM = "counts";

  /** The field that says which start of a gateway wrote a text. */
  static final String BY = "by";

  /** The clock of Redis is read this often, because somebody may set it. */
  private static final Duration CLOCK_EVERY = Duration.ofSeconds(10);

  private static final int BLOCK_MILLIS = 500;
  private static final int AT_ONCE = 500;

  private final String stream;
  private final String run;
  private final LongSupplier nanoTime;
  private volatile Anchor anchor = new Anchor(0, 0);
  private StreamEntryID place = new StreamEntryID(0, 0);

  /** The time of Redis, and of this node, at one reply. */
  private record Anchor(long millis, long nanos) {}

  /** Takes texts of other nodes, and of earlier starts of this one. */
  @FunctionalInterface
  public interface Taker {
    /**
     * Takes one.
     *
     * @return false when it is none of this kind
     */
    boolean take(String kind, String text, Duration ago);
  }

  CountTexts(String prefix, String run, LongSupplier nanoTime) {
    this.stream = prefix + STREAM;
    this.run = run;
    this.nanoTime = nanoTime;
  }

  /** Returns the time of Redis. */
  long millis() {
    Anchor last = anchor;
    return last.millis() + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - last.nanos());
  }

  private void look(RedisServer server) {
    anchor = new Anchor(server.millis(), nanoTime.getAsLong());
  }

  /** Begins on a connection: reads to the end of the stream. */
  void readOld(RedisServer server, Taker by) {
    look(server);
    if (server.newest(stream).compareTo(place) < 0) {
      place = new StreamEntryID(0, 0); // Redis has lost the stream
    }
    while (read(server, by, XReadParams.xReadParams().count(AT_ONCE))) {
      // To the end: what was counted before counts first.
    }
  }

  /** Waits for texts. */
  void readNext(RedisServer server, Taker by) {
    var _ = read(server, by, XReadParams.xReadParams().count(AT_ONCE).block(BLOCK_MILLIS));
    if (nanoTime.getAsLong() - anchor.nanos() > CLOCK_EVERY.toNanos()) {
      look(server);
    }
  }

  private boolean read(RedisServer server, Taker by, XReadParams params) {
    List<StreamEntry> entries = server.read(stream, place, params);
    for (StreamEntry entry : entries) {
      place = entry.getID();
      Duration ago = Duration.ofMillis(Math.max(0, millis() - place.getTime()));
      if (!run.equals(entry.getFields().get(BY))) {
        entry
            .getFields()
            .forEach((kind, text) -> {
              if (!kind.equals(BY)) {
                var _ = by.take(kind, text, ago);
              }
            });
      }
    }
    return !entries.isEmpty();
  }
}
