package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Questions of sessions to a store that answers, fails or hangs. */
final class IncidentLookupTest {

  private static IncidentLookup lookup(IncidentLookup.Store store) {
    return new IncidentLookup(store, Thread.ofPlatform().daemon().factory(), System::nanoTime);
  }

  private static IpAddress client(int network) {
    String prefix = "203." + network / 256 + "." + network % 256;
    return IpAddress.parse(prefix + ".9").toOptional().orElseThrow();
  }

  @Test
  void whatIsKnownIsFound() {
    AtomicBoolean virtual = new AtomicBoolean();
    IncidentLookup lookup =
        lookup(ids -> {
          virtual.set(Thread.currentThread().isVirtual());
          return ids.stream().filter(id -> !id.equals("B")).toList();
        });
    for (int i = 0; i < 30; i++) {
      assertEquals(List.of("A", "C"), lookup.known(client(1), List.of("A", "B", "C")));
    }
    assertFalse(virtual.get(), "native code would hold the thread that sessions run on");
  }

  @Test
  void afterAFailureItGoesOn() {
    IncidentLookup lookup =
        lookup(ids -> {
          if (ids.contains("B")) {
            throw new IOException("a failure that this test expects");
          }
          return ids;
        });
    assertEquals(List.of(), lookup.known(client(1), List.of("A", "B")));
    assertEquals(List.of("A"), lookup.known(client(1), List.of("A")));
  }

  @Test
  void aStoreThatHangsIsLeftAndANetworkAsksOnceAtATime() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    List<List<String>> questions = new ArrayList<>();
    IncidentLookup lookup =
        lookup(ids -> {
          synchronized (questions) {
            questions.add(ids);
          }
          asked.countDown();
          return awaited(hang) ? ids : List.of();
        });
    Thread first = Thread.ofVirtual().start(() -> lookup.known(client(0), List.of("A")));
    asked.await();
    List<Thread> sessions = new ArrayList<>();
    for (int i = 0; i < 3 * IncidentLookup.MAX_WAITING; i++) {
      sessions.add(
          Thread.ofVirtual().start(() -> lookup.known(client(1), List.of("of one network"))));
    }
    first.join();
    for (Thread session : sessions) {
      session.join();
    }
    for (int i = 0; i < 3 * IncidentLookup.MAX_WAITING; i++) {
      int network = i + 10;
      sessions.add(
          Thread.ofVirtual().start(() -> lookup.known(client(network), List.of("of another"))));
    }
    for (Thread session : sessions) {
      session.join();
    }
    hang.countDown();
    while (lookup.known(client(2), List.of("B")).isEmpty()) {
      LockSupport.parkNanos(1_000_000);
    }
    synchronized (questions) {
      assertEquals(
          List.of(List.of("A"), List.of("B")), questions, "nobody waits for the others any more");
    }
  }

  private static boolean awaited(CountDownLatch latch) throws IOException {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
