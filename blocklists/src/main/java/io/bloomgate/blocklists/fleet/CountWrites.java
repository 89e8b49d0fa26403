package io.bloomgate.blocklists.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  /** Texts that the stream has, about. */
  private static final long MAX_STREAM = 100_000;

  private static final int AT_ONCE = 500;

  /** One write; counts of one key are one. */
  private sealed interface Write {
    /** Adds to what this start of the gateway has counted under a key. */
    record Count(String key, long count, Duration life) implements Write {}

    /** Keeps a value for a time. */
    record Put(String key, String value, Duration life) implements Write {}

    /** Tells all nodes something. */
    record Text(String kind, String text) implements Write {}
  }

  private final String prefix;
  private final String run;
  private final Map<String, Write> waiting = new LinkedHashMap<>();
  private long texts;
  private long dropped;

  CountWrites(String prefix, String run) {
    this.prefix = prefix;
    this.run = run;
  }

  void count(String key, Duration life) {
    add(key, new Write.Count(key, 1, life));
  }

  void put(String key, String value, Duration life) {
    add(key, new Write.Put(key, value, life));
  }

  synchronized void text(String kind, String text) {
    texts++;
    add(kind + " " + texts, new Write.Text(kind, text));
  }

  private synchronized void add(String name, Write write) {
    if (waiting.size() >= MAX_WAITING && !waiting.containsKey(name)) {
      dropped++;
    } else {
      waiting.merge(name, write, CountWrites::joined);
    }
  }

  private static Write joined(Write before, Write after) {
    return before instanceof Write.Count(var key, long count, var life)
            && after instanceof Write.Count more
        ? new Write.Count(key, count + more.count(), life)
        : after;
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
      some.put(name, Objects.requireNonNull(waiting.remove(name)));
    }
    return some;
  }

  /** They were not sent; what was counted meanwhile is added. */
  private synchronized void giveBack(Map<String, Write> some) {
    some.forEach((name, write) -> {
      Write after = waiting.remove(name);
      add(name, after == null ? write : joined(write, after));
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
          some.values().forEach(write -> replies.add(send(write, pipeline)));
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
    return new Sent(some.size(), some.values().stream().mapToLong(CountWrites::octets).sum());
  }

  private Response<?> send(Write write, AbstractPipeline pipeline) {
    return switch (write) {
      case Write.Count(String key, long count, Duration life) -> {
        Response<Long> reply = pipeline.hincrBy(prefix + key, run, count);
        var _ = pipeline.pexpire(prefix + key, life.toMillis());
        yield reply;
      }
      case Write.Put(String key, String value, Duration life) ->
          pipeline.set(prefix + key, value, SetParams.setParams().px(life.toMillis()));
      case Write.Text(String kind, String text) ->
          pipeline.xadd(
              prefix + CountTexts.STREAM,
              XAddParams.xAddParams().maxLen(MAX_STREAM).approximateTrimming(),
              Map.of(kind, text, CountTexts.BY, run));
    };
  }

  private static long octets(Write write) {
    return switch (write) {
      case Write.Count(String key, var ignored, var life) -> key.length() + 1L;
      case Write.Put(String key, String value, var life) -> key.length() + (long) value.length();
      case Write.Text(String kind, String text) -> kind.length() + (long) text.length();
    };
  }
}
