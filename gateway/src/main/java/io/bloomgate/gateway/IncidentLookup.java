package io.bloomgate.gateway;

import io.bloomgate.gateway.log.WarningPace;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the store of incidents for sessions, on a thread of the look-up's, so that a session waits
 * for a slow disk no longer than {@link #TIME}. Few look-ups run at a time: mail to postmaster
 * cannot keep the store busy. What is not answered in time counts as unknown. Thread-safe.
 */
final class IncidentLookup {

  private static final Logger LOG = LoggerFactory.getLogger(IncidentLookup.class);

  /** How long a session waits for the ids of one message. */
  static final Duration TIME = Duration.ofSeconds(1);

  /** Look-ups at a time; a message that comes while all of them run has no id looked up. */
  static final int MAX_LOOKUPS = 8;

  private static final int WARNINGS_A_MINUTE = 1;

  /** Where incidents are kept. */
  @FunctionalInterface
  interface Store {
    boolean isKnown(String id) throws IOException;
  }

  private final Store store;
  private final ThreadFactory threads;
  private final Semaphore free = new Semaphore(MAX_LOOKUPS);
  private final WarningPace warnings;

  IncidentLookup(Store store, ThreadFactory threads, LongSupplier nanoTime) {
    this.store = store;
    this.threads = threads;
    this.warnings = new WarningPace(nanoTime, WARNINGS_A_MINUTE);
  }

  /** Those of the ids that the store knows, as far as it says so in time. */
  List<String> known(List<String> ids) {
    if (!free.tryAcquire()) {
      warn("other look-ups wait for the store");
      return List.of();
    }
    List<String> found = new CopyOnWriteArrayList<>();
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    threads
        .newThread(() -> {
          try {
            ask(ids, found, over);
          } finally {
            free.release();
            open.countDown();
          }
        })
        .start();
    try {
      if (!open.await(TIME.toMillis(), TimeUnit.MILLISECONDS)) {
        warn("the store did not answer within " + TIME.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    over.countDown();
    return List.copyOf(found);
  }

  private void ask(List<String> ids, List<String> found, CountDownLatch over) {
    try {
      for (String id : ids) {
        if (over.getCount() == 0) {
          return;
        }
        if (store.isKnown(id)) {
          found.add(id);
        }
      }
    } catch (IOException | RuntimeException e) {
      warn(e.toString());
    }
  }

  private void warn(String why) {
    warnings.say(more ->
        LOG.warn(
            "mail to postmaster or abuse passes without the field X-Bloomgate-Incident: {}{}",
            why,
            more));
  }
}
