package io.bloomgate.blocklists.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.params.XAddParams;

/**
 * Keeps what this node has counted and Redis does not know yet, bounded: more of it is dropped and
 * counted. Sessions add on their threads and never wait; {@link SharedCounts} sends on one thread.
 */
final class CountWrites {

  /** Keys and texts that wait: those of a minute and more at 1,000 mails a second. */
  static final int MAX_WAITING = 100_000;

  /** Octets of their keys and values (16 MiB). */
  private static final long MAX_WAITING_OCTETS = 16L << 20;

  /** Texts that the stream has, about. */
  private static final long MAX_STREAM = 100_000;

  private static final int AT_ONCE = 500;

  /** One write to Redis, of what came that many times. */
  @FunctionalInterface
  private interface Sending {
    Response<?> send(AbstractPipeline pipeline, long times);
  }

  /**
   * A write that waits under its name.
   *
   * @param octets of key and value
   */
  private record Write(long times, long octets, Sending sending) {
    Write and(Write later) {
      return new Write(times + later.times, later.octets, later.sending);
    }
  }

  private final String prefix;
  private final String run;
  private final Map<String, Write> waiting = new LinkedHashMap<>();
  private long waitingOctets;
  private long texts;
  private long dropped;

  CountWrites(String prefix, String run) {
    this.prefix = prefix;
    this.run = run;
  }

  /** Adds one to what this start of the gateway has counted under a key. */
  void count(String key, Duration life) {
    Sending sending =
        (pipeline, times) -> {
          Response<Long> reply = pipeline.hincrBy(prefix + key, run, times);
          var _ = pipeline.pexpire(prefix + key, life.toMillis());
          return reply;
        };
    add(key, new Write(1, key.length() + 1L, sending));
  }

  /** Keeps a value for a time. */
  void put(String key, String value, Duration life) {
    SetParams until = SetParams.setParams().px(life.toMillis());
    long octets = key.length() + (long) value.length();
    add(key, new Write(1, octets, (pipeline, _) -> pipeline.set(prefix + key, value, until)));
  }

  /** Tells all nodes something. */
  synchronized void text(String kind, String text) {
    texts++;
    Sending sending =
        (pipeline, _) ->
            pipeline.xadd(
                prefix + CountTexts.STREAM,
                XAddParams.xAddParams().maxLen(MAX_STREAM).approximateTrimming(),
                Map.of(kind, text, CountTexts.BY, run));
    add(kind + " " + texts, new Write(1, kind.length() + (long) text.length(), sending));
  }

  private synchronized void add(String name, Write write) {
    boolean isFull = waiting.size() >= MAX_WAITING || waitingOctets > MAX_WAITING_OCTETS;
    if (isFull && !waiting.containsKey(name)) {
      dropped++;
    } else {
      Write before = remove(name);
      Write merged = before == null ? write : before.and(write);
      waitingOctets += merged.octets();
      waiting.put(name, merged);
    }
  }

  private synchronized @Nullable Write remove(String name) {
    Write write = waiting.remove(name);
    waitingOctets -= write == null ? 0 : write.octets();
    return write;
  }

  /** The name under which this start of the gateway counts. */
  String run() {
    return run;
  }

  synchronized long dropped() {
    return dropped;
  }

  synchronized long waiting() {
    return waiting.size();
  }

  private synchronized Map<String, Write> take() {
    Map<String, Write> some = new LinkedHashMap<>();
    for (String name : List.copyOf(waiting.keySet().stream().limit(AT_ONCE).toList())) {
      some.put(name, Objects.requireNonNull(remove(name)));
    }
    return some;
  }

  /** They were not sent; what was counted meanwhile is added. */
  private synchronized void giveBack(Map<String, Write> some) {
    some.forEach((name, write) -> {
      Write after = remove(name);
      add(name, after == null ? write : write.and(after));
    });
  }

  /**
   * Writes that were sent.
   *
   * @param octets of keys and values
   */
  record Sent(long writes, long octets) {}

  /** Sends some of it; a server that refuses a part of it, or is lost, gets it again later. */
  Sent send(RedisServer server) {
    Map<String, Write> some = take();
    boolean done = false;
    try {
      if (!some.isEmpty()) {
        List<Response<?>> replies = new ArrayList<>();
        try (AbstractPipeline pipeline = server.commands().pipelined()) {
          for (Write write : some.values()) {
            replies.add(write.sending().send(pipeline, write.times()));
          }
          pipeline.sync();
        }
        replies.forEach(Response::get);
      }
      done = true;
    } finally {
      if (!done) {
        giveBack(some);
      }
    }
    return new Sent(some.size(), some.values().stream().mapToLong(Write::octets).sum());
  }
}
