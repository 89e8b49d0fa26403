package io.bloomgate.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodic work: one thread wakes once a second and runs the chores that are due. A chore that
 * fails is logged and tried again. Slow chores get a platform thread each: on a virtual thread,
 * work that computes or reads files would keep a carrier thread from sessions.
 *
 * <p>It also knows the threads that have to live as long as the gateway, and whether each is late.
 * Filled by {@link Gateway} while it starts; {@link #late} is asked by `health` and `status` on any
 * thread.
 */
final class Housekeeping implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
  private static final Duration TICK = Duration.ofSeconds(1);

  /** Time without a round after which sessions are no longer watched. */
  static final Duration LATE = Duration.ofSeconds(10);

  /**
   * Time that the end of the program waits for slow chores, which may write in the state directory.
   */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

  private final LongSupplier nanoTime;
  private final Function<String, ThreadFactory> threads;
  private final List<Chore> chores = new ArrayList<>();

  /** Threads that the gateway cannot do without; true for one that ended, or hangs. */
  private final Map<String, BooleanSupplier> watched = new ConcurrentSkipListMap<>();

  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Slow chores that run, by name. */
  private final Map<String, Thread> slow = new ConcurrentHashMap<>();

  private volatile long lastRound;

  /**
   * Makes it without chores.
   *
   * @param nanoTime monotonic time in nanoseconds
   * @param threads makes platform threads of a name: one for all chores, and one for each slow
   *     chore
   */
  Housekeeping(LongSupplier nanoTime, Function<String, ThreadFactory> threads) {
    this.nanoTime = nanoTime;
    this.threads = threads;
  }

  private static final class Chore {
    private final String name;
    private final long everyNanos;
    private final Runnable work;
    private long dueNanos;

    Chore(String name, Duration every, Runnable work, long dueNanos) {
      this.name = name;
      this.everyNanos = every.toNanos();
      this.work = work;
      this.dueNanos = dueNanos;
    }
  }

  /** A chore for every second. */
  void eachSecond(String name, Runnable work) {
    every(TICK, name, work);
  }

  /** A chore that is due at once and then each time this has passed. Only before {@link #start}. */
  void every(Duration period, String name, Runnable work) {
    chores.add(new Chore(name, period, work, nanoTime.getAsLong()));
  }

  /** The same for work that may block; it is skipped while the last run goes on. */
  void everySlowly(Duration period, String name, Runnable work) {
    every(period, name, () -> startSlowly(name, work));
  }

  /**
   * The same for work that is due only after the first period: the start belongs to the first
   * mails, which find cold code and need the processor.
   */
  void everySlowlyButFirst(Duration period, String name, Runnable work) {
    long first = nanoTime.getAsLong() + period.toNanos();
    chores.add(new Chore(name, period, () -> startSlowly(name, work), first));
  }

  /**
   * Adds a thread that has to live as long as the gateway.
   *
   * @param thread its name for operators
   * @param late true when it ended, or hangs in one piece of work
   */
  void watch(String thread, BooleanSupplier late) {
    watched.put(thread, late);
  }

  /** Names of watched threads that ended or hang. */
  List<String> late() {
    return watched.entrySet().stream()
        .filter(each -> each.getValue().getAsBoolean())
        .map(Map.Entry::getKey)
        .toList();
  }

  void start() {
    lastRound = nanoTime.getAsLong();
    threads.apply("housekeeping").newThread(this::run).start();
  }

  @Override
  public void close() {
    stopped.countDown();
    long end = nanoTime.getAsLong() + CLOSE_WAIT.toNanos();
    try {
      for (Thread running : slow.values()) {
        if (running.getState() == Thread.State.NEW) {
          continue; // it finds that the end came, and does nothing
        }
        running.join(Duration.ofNanos(Math.max(0, end - nanoTime.getAsLong())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      do {
        runDue();
      } while (!stopped.await(TICK.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** True when no round has begun for {@link #LATE}. */
  boolean isLate() {
    return nanoTime.getAsLong() - lastRound > LATE.toNanos();
  }

  private void runDue() {
    long now = nanoTime.getAsLong();
    lastRound = now;
    for (Chore chore : chores) {
      // Half a tick early is better than half a tick late each time.
      if (now - chore.dueNanos >= -TICK.toNanos() / 2) {
        chore.dueNanos = now + chore.everyNanos;
        runOne(chore.name, chore.work);
      }
    }
  }

  /** Starts the work on a thread; if there is none, the work is tried again at its next time. */
  private void startSlowly(String name, Runnable work) {
    boolean started = false;
    Thread thread = threads.apply(name).newThread(() -> runSlowly(name, work));
    if (slow.putIfAbsent(name, thread) != null) {
      return;
    }
    try {
      thread.start();
      started = true;
    } finally {
      if (!started) {
        slow.remove(name);
      }
    }
  }

  private void runSlowly(String name, Runnable work) {
    try {
      // One that was due when the end came must not begin behind it.
      if (stopped.getCount() > 0) {
        runOne(name, work);
      }
    } finally {
      slow.remove(name);
    }
  }

  private static void runOne(String name, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{} failed and will be tried again", name, e);
    }
  }
}
