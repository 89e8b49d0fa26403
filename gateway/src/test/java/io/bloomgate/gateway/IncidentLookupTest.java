package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Questions of sessions to a store that answers, fails or hangs. */
final class IncidentLookupTest {

  private static IncidentLookup lookup(IncidentLookup.Store store) {
    return new IncidentLookup(store, Thread.ofVirtual().factory(), System::nanoTime);
  }

  @Test
  void whatIsKnownIsFound() {
    IncidentLookup lookup = lookup(id -> !id.equals("B"));
    for (int i = 0; i < 3 * IncidentLookup.MAX_LOOKUPS; i++) {
      assertEquals(List.of("A", "C"), lookup.known(List.of("A", "B", "C")));
    }
  }

  @Test
  void aFailureEndsTheSearch() {
    IncidentLookup lookup =
        lookup(id -> {
          if (id.equals("B")) {
            throw new IOException("a failure that this test expects");
          }
          return true;
        });
    assertEquals(List.of("A"), lookup.known(List.of("A", "B", "C")));
  }

  @Test
  void aStoreThatHangsIsLeftAndAskedByFewThreads() throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(IncidentLookup.MAX_LOOKUPS);
    IncidentLookup lookup =
        lookup(id -> {
          asked.countDown();
          return awaited(hang) && id.equals("B");
        });
    List<Thread> sessions = new ArrayList<>();
    List<List<String>> answers = new ArrayList<>();
    for (int i = 0; i < IncidentLookup.MAX_LOOKUPS; i++) {
      sessions.add(
          Thread.ofVirtual()
              .start(() -> {
                List<String> answer = lookup.known(List.of("A", "B"));
                synchronized (answers) {
                  answers.add(answer);
                }
              }));
    }
    asked.await();
    // None is free; this one does not wait.
    assertEquals(List.of(), lookup.known(List.of("B")));
    for (Thread session : sessions) {
      session.join();
    }
    synchronized (answers) {
      assertEquals(IncidentLookup.MAX_LOOKUPS, answers.size());
      answers.forEach(answer -> assertEquals(List.of(), answer));
    }
    hang.countDown();
    while (lookup.known(List.of("B")).isEmpty()) {
      Thread.onSpinWait();
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
