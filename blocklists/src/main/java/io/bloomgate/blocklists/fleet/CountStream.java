package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadParams;
import redis.clients.jedis.resps.StreamEntry;
import redis.clients.jedis.resps.StreamEntryBinary;

/**
 * The stream of counts on one connected server. It says how old a batch is by the server's clock
 * alone, so that clocks of nodes may differ. {@link SharedCounts} calls it on its threads, one of
 * which only adds and one only reads; methods throw {@code JedisException} when the server is lost.
 */
final class CountStream {

  /** What batches take in Redis, together, about: older ones make room. */
  static final long MOST_OCTETS = 64L << 20;

  /** Batches in Redis, however small; two busy gateways make them in 40 minutes. */
  static final long MOST_BATCHES = 100_000;

  /** Batches in Redis, however large: six seconds of two busy gateways. */
  private static final long LEAST_BATCHES = 256;

  /** What Redis needs for a batch besides its octets, about. */
  private static final int EACH_OCTETS = 50;

  /** The newest batch has this part in their average size. */
  private static final double NEWEST_PART = 0.01;

  private static final int READ_BATCHES = 64;
  private static final int BLOCK_MILLIS = 500;
  private static final byte[] FIELD = "b".getBytes(US_ASCII);

  private final RedisServer server;
  private final String stream;
  private final byte[] key;
  private final LongSupplier nanoTime;

  /** The time of the server is asked for this often, because somebody may set its clock. */
  private static final Duration ASKED = Duration.ofSeconds(10);

  private volatile Anchor anchor = new Anchor(0, 0);

  /** Average octets of a batch; of the thread that reads. */
  private double average = 200;

  private volatile long most = MOST_BATCHES;

  /** The server's time, and this node's, at one reply. */
  private record Anchor(long millis, long nanos) {}

  CountStream(RedisServer server, String prefix, LongSupplier nanoTime) {
    this.server = server;
    this.stream = prefix + "counts";
    this.key = stream.getBytes(US_ASCII);
    this.nanoTime = nanoTime;
  }

  /** Adds the first batch of a connection, and learns the server's time. */
  StreamEntryID begin(byte[] batch) {
    byte[] id = server.commands().xadd(key, params(), Map.of(FIELD, batch));
    ask();
    return new StreamEntryID(id);
  }

  private void ask() {
    anchor = new Anchor(server.millis(), nanoTime.getAsLong());
  }

  /** The server's time. */
  long millis() {
    Anchor last = anchor;
    return last.millis() + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - last.nanos());
  }

  /** Adds batches in order. */
  void add(List<byte[]> batches) {
    List<Response<byte[]>> replies = new ArrayList<>();
    try (AbstractPipeline pipeline = server.commands().pipelined()) {
      for (byte[] batch : batches) {
        replies.add(pipeline.xadd(key, params(), Map.of(FIELD, batch)));
      }
      pipeline.sync();
    }
    replies.forEach(Response::get);
    if (nanoTime.getAsLong() - anchor.nanos() > ASKED.toNanos()) {
      ask();
    }
  }

  private XAddParams params() {
    return XAddParams.xAddParams().maxLen(most).approximateTrimming();
  }

  /**
   * The next batches.
   *
   * @param after the last one that was read
   * @param block wait for one
   */
  List<StreamEntryBinary> read(StreamEntryID after, boolean block) {
    XReadParams params = XReadParams.xReadParams().count(READ_BATCHES);
    var answer =
        server
            .commands()
            .xreadBinary(block ? params.block(BLOCK_MILLIS) : params, Map.of(key, after));
    if (answer == null || answer.isEmpty()) {
      return List.of();
    }
    List<StreamEntryBinary> batches = answer.getFirst().getValue();
    for (StreamEntryBinary batch : batches) {
      average += NEWEST_PART * (octets(batch).length + EACH_OCTETS - average);
    }
    most = Math.clamp((long) (MOST_OCTETS / average), LEAST_BATCHES, MOST_BATCHES);
    return batches;
  }

  /** The octets of a batch; none for an entry of another program. */
  static byte[] octets(StreamEntryBinary batch) {
    return batch.getFields().values().stream().findFirst().orElseGet(() -> new byte[0]);
  }

  /** How long ago something was added, by the server's clock. */
  long ageMillis(StreamEntryID id) {
    return Math.max(0, millis() - id.getTime());
  }

  /** How far the stream reaches back. */
  long reachMillis() {
    List<StreamEntry> oldest =
        server.commands().xrange(stream, (StreamEntryID) null, (StreamEntryID) null, 1);
    return oldest.isEmpty() ? 0 : ageMillis(oldest.getFirst().getID());
  }
}
