package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.fleet.FleetTroubles.Work;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * Counts together with other nodes, by keys with an expiry in Redis: rates and visits. A session
 * asks what others have counted in one round trip, and waits {@link #PATIENCE} at most; a reply
 * that comes later counts for the next mail. Each node decides by its own counters, to which those
 * of others are added, so it counts alone when Redis is slow or away. Texts about known senders and
 * copies go by {@link CountTexts}. One thread sends, one reads texts; questions have threads of
 * their own.
 */
public final class SharedCounts implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SharedCounts.class);

  /** The time that a session waits for Redis. */
  public static final Duration PATIENCE = Duration.ofMillis(50);

  /** The time in which Redis is not asked after a late reply, so that not each mail waits. */
  private static final Duration REST = Duration.ofSeconds(1);

  private static final long EVERY_MILLIS = 50;
  private static final long RETRY_MILLIS = 500;
  private static final int CONNECTIONS = 16;

  /** Parts of the time of a rate that are counted apart: so old counts end. */
  private static final int PARTS = 4;

  private static final int MAX_SEEN = 100_000;
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,12}");

  /**
   * A number that all nodes count under one key.
   *
   * @param time in which a rate regains its burst
   * @param burst no more than these of others are of interest
   */
  public record Counter(String key, Duration time, int burst, Adder adder) {
    private long partMillis() {
      return Math.max(1_000, time.toMillis() / PARTS);
    }

    private String key(long part) {
      return "rate:" + key + ":" + part;
    }
  }

  /** Adds to the counter of this node what others have counted, on any thread. */
  @FunctionalInterface
  public interface Adder {
    /** Adds some that were counted that long ago, at least. */
    void add(long count, long agoNanos);
  }

  /**
   * The things around it that it uses.
   *
   * @param threads for commands that block
   * @param run a random word of this start of the gateway
   * @param patience how long a session waits
   * @param alarm receives sentences for the operator
   */
  public record Surroundings(
      LongSupplier nanoTime,
      ThreadFactory threads,
      String run,
      Duration patience,
      Consumer<String> alarm) {}

  /**
   * Figures of this moment.
   *
   * @param connected false while Redis is lost, and where nothing is counted together
   * @param sent counts of this node that are in Redis
   * @param sentOctets of their keys and texts
   * @param merged counts of other nodes, and of earlier starts of this one
   * @param dropped counts of this node that no other one gets, because Redis was away for long
   * @param skipped values that could not be read
   * @param waiting counts of this node that are not in Redis yet
   * @param problem why Redis is lost, or why nothing is counted together; empty for none
   */
  public record Figures(
      boolean connected,
      long sent,
      long sentOctets,
      long merged,
      long dropped,
      long skipped,
      long waiting,
      String problem) {

    /** Figures of a gateway that counts alone. */
    public static Figures alone(String why) {
      return new Figures(false, 0, 0, 0, 0, 0, 0, why);
    }
  }

  private final RedisAddress address;
  private final String prefix;
  private final Surroundings around;
  private final FleetThreads threads;
  private final FleetTroubles troubles;
  private final CountWrites writes;
  private final CountTexts texts;
  private final RareLine unread;
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong sentOctets = new AtomicLong();
  private final AtomicLong merged = new AtomicLong();
  private final AtomicLong skipped = new AtomicLong();

  /** The counts of others that were added here, by key; those not asked for longest go. */
  private final Map<String, Long> seen = new LinkedHashMap<>(16, 0.75f, true);

  private volatile @Nullable RedisServer live;
  private volatile long restUntil;

  /**
   * Connects to nothing yet.
   *
   * @param settings with Redis
   */
  public SharedCounts(FleetSettings settings, Surroundings around) {
    this.address = Objects.requireNonNull(settings.redis());
    this.prefix = settings.keyPrefix();
    this.around = around;
    this.threads =
        new FleetThreads(around.threads(), RedisServer.TIMEOUT.multipliedBy(2), around.alarm());
    this.troubles =
        new FleetTroubles(
            "fleet counts", "this gateway counts alone until it is back", around.alarm());
    this.writes = new CountWrites(prefix, settings.node() + ":" + around.run());
    this.texts = new CountTexts(prefix, writes.run(), around.nanoTime());
    this.unread =
        new RareLine(around.nanoTime(), text -> around.alarm().accept("fleet counts: " + text));
    this.restUntil = around.nanoTime().getAsLong();
  }

  /** Starts to connect. */
  public void start(CountTexts.Taker by) {
    CountTexts.Taker counted =
        (kind, text, ago) -> {
          boolean isTaken = by.take(kind, text, ago);
          if (isTaken) {
            merged.incrementAndGet();
          } else {
            skip();
          }
          return isTaken;
        };
    threads.repeat("reading counts of other nodes", () -> read(counted));
    threads.repeat("sending counts to other nodes", this::send);
  }

  // ---- questions of sessions

  /**
   * Asks what others have counted, which is added to the counters of this node.
   *
   * @return waits for that, {@link #PATIENCE} from now at most
   */
  public Runnable ask(List<Counter> counters) {
    Supplier<Optional<Boolean>> asked = begin(server -> add(counters, server));
    return () -> {
      var _ = asked.get();
    };
  }

  /** Asks in time; the question keeps its answer itself, for a reply that comes late. */
  private <T> Supplier<Optional<T>> begin(Function<RedisServer, T> question) {
    RedisServer server = live;
    long now = around.nanoTime().getAsLong();
    if (server == null || now - restUntil < 0) {
      return Optional::empty;
    }
    FutureTask<T> task = new FutureTask<>(() -> question.apply(server));
    around.threads().newThread(task).start();
    return () -> waitFor(task, now + around.patience().toNanos());
  }

  private <T> Optional<T> waitFor(FutureTask<T> task, long deadline) {
    try {
      long left = Math.max(0, deadline - around.nanoTime().getAsLong());
      return Optional.ofNullable(task.get(left, TimeUnit.NANOSECONDS));
    } catch (TimeoutException | ExecutionException e) {
      restUntil = around.nanoTime().getAsLong() + REST.toNanos();
      LOG.debug("fleet counts: no reply in time", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  private boolean add(List<Counter> counters, RedisServer server) {
    long now = millis();
    List<Response<Map<String, String>>> replies = new ArrayList<>();
    try (AbstractPipeline pipeline = server.commands().pipelined()) {
      for (Counter counter : counters) {
        for (int back = 0; back < PARTS; back++) {
          replies.add(pipeline.hgetAll(prefix + counter.key(now / counter.partMillis() - back)));
        }
      }
      pipeline.sync();
    }
    for (int i = 0; i < replies.size(); i++) {
      Counter counter = counters.get(i / PARTS);
      long part = now / counter.partMillis() - i % PARTS;
      long news = news(counter.key(part), replies.get(i).get());
      if (news > 0) {
        long ago = Math.max(0, now - (part + 1) * counter.partMillis());
        counter.adder().add(Math.min(news, counter.burst()), TimeUnit.MILLISECONDS.toNanos(ago));
        merged.addAndGet(news);
      }
    }
    return true;
  }

  /** The counts of others that are not added yet. */
  private long news(String key, Map<String, String> counts) {
    long others = 0;
    for (Map.Entry<String, String> one : counts.entrySet()) {
      others += one.getKey().equals(writes.run()) ? 0 : number(one.getValue());
    }
    synchronized (seen) {
      long before = seen.getOrDefault(key, 0L);
      if (others > before) {
        seen.put(key, others);
        if (seen.size() > MAX_SEEN) {
          seen.remove(seen.keySet().iterator().next());
        }
      }
      return others - before;
    }
  }

  private long number(String text) {
    if (DIGITS.matcher(text).matches()) {
      return Long.parseLong(text);
    }
    skip();
    return 0;
  }

  private void skip() {
    skipped.incrementAndGet();
    unread.line("a count or a text of another node cannot be read and is skipped", 1);
  }

  /** Has other nodes count this, too; returns at once. */
  public void count(List<Counter> counters) {
    for (Counter counter : counters) {
      long part = counter.partMillis();
      writes.count(counter.key(millis() / part), Duration.ofMillis(part * (PARTS + 1)));
    }
  }

  /**
   * Keeps a value where no node has kept one; else gives that one to {@code found}, also when it
   * comes late.
   */
  public void first(String key, String value, Duration life, Consumer<String> found) {
    var _ = begin(server -> first(server, key, value, life, found)).get();
  }

  private boolean first(
      RedisServer server, String key, String value, Duration life, Consumer<String> found) {
    Response<String> kept;
    try (AbstractPipeline pipeline = server.commands().pipelined()) {
      SetParams free = SetParams.setParams().nx().px(life.toMillis());
      var _ = pipeline.set(prefix + key, value, free);
      kept = pipeline.get(prefix + key);
      pipeline.sync();
    }
    String text = kept.get();
    if (text != null && !text.equals(value)) {
      found.accept(text);
      merged.incrementAndGet();
    }
    return true;
  }

  /** Reads a value that a node has kept; empty when Redis does not say it in time. */
  public Optional<String> value(String key) {
    return begin(server -> server.commands().get(prefix + key)).get();
  }

  /** Keeps a value for all nodes; returns at once. */
  public void put(String key, String value, Duration life) {
    writes.put(key, value, life);
  }

  /** Gives all nodes a text; returns at once. */
  public void tell(String kind, String text) {
    writes.text(kind, text);
  }

  /** Returns the time of Redis, which all nodes have in common. */
  public long millis() {
    return texts.millis();
  }

  // ---- the two threads

  private void read(CountTexts.Taker by) {
    try (RedisServer connected = RedisServer.at(address, CONNECTIONS)) {
      texts.readOld(connected, by);
      live = connected;
      troubles.works(Work.READ, address);
      while (!threads.isClosed()) {
        texts.readNext(connected, by);
      }
    } catch (JedisException e) {
      lost(e);
    } finally {
      live = null;
    }
    threads.pause(RETRY_MILLIS);
  }

  private void lost(JedisException e) {
    troubles.failed(Work.READ, RedisException.of(address, e).problem());
  }

  private void send() {
    threads.pause(sendAll() ? EVERY_MILLIS : RETRY_MILLIS);
  }

  /** Sends what waits; false when Redis is lost. */
  private boolean sendAll() {
    RedisServer server = live;
    try {
      while (server != null && writes.waiting() > 0) {
        CountWrites.Sent some = writes.send(server);
        sent.addAndGet(some.writes());
        sentOctets.addAndGet(some.octets());
        troubles.works(Work.READ, address);
      }
      return true;
    } catch (JedisException e) {
      if (server != null && server.equals(live)) { // else the thread that reads has reported it
        lost(e);
      }
      return false;
    }
  }

  /** Returns the figures of this moment. */
  public Figures figures() {
    String problem = troubles.problem();
    return new Figures(
        live != null && problem.isEmpty(),
        sent.get(),
        sentOctets.get(),
        merged.get(),
        writes.dropped(),
        skipped.get(),
        writes.waiting(),
        problem);
  }

  /** Sends what is left, for a bounded time, and ends the threads. */
  @Override
  public void close() {
    troubles.end();
    var _ = sendAll();
    threads.close();
  }
}
