package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who gets one of few connections. */
class ConnectionPermitsTest {

  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration PATIENTLY = Duration.ofSeconds(60);

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 1", "4, 1", "8, 2", "10, 2", "100, 25"})
  void givesOneNetworkAQuarterAtMostAndOneAtLeast(int max, int forOne) throws InterruptedException {
    ConnectionPermits permits = new ConnectionPermits(max, System::nanoTime);
    for (int i = 0; i < forOne; i++) {
      assertTrue(permits.take(ip("192.0.2." + i), AT_ONCE), "number " + i);
    }
    assertFalse(permits.take(ip("192.0.2.200"), AT_ONCE));
    for (int i = forOne; i < max; i++) {
      assertTrue(permits.take(ip("198.51." + i + ".1"), AT_ONCE), "number " + i);
    }
    assertEquals(max, permits.inUse());
    assertFalse(permits.take(ip("203.0.113.1"), AT_ONCE));
    assertFalse(permits.tryTake());
  }

  @Test
  void givesEachNetworkAQuarterWhateverOthersHold() throws InterruptedException {
    ConnectionPermits permits = new ConnectionPermits(8, System::nanoTime);
    for (String network : List.of("192.0.2.", "198.51.100.", "203.0.113.", "192.0.3.")) {
      assertTrue(permits.take(ip(network + 1), AT_ONCE), network);
      assertTrue(permits.take(ip(network + 2), AT_ONCE), network);
    }
    assertFalse(permits.take(ip("192.0.2.3"), AT_ONCE));
    permits.release(ip("203.0.113.2"));
    // What became free is for those below their quarter.
    assertFalse(permits.take(ip("192.0.2.3"), AT_ONCE));
    assertTrue(permits.take(ip("203.0.113.9"), AT_ONCE));
  }

  @Test
  void countsAPrefixAsOneClient() throws InterruptedException {
    ConnectionPermits permits = new ConnectionPermits(12, System::nanoTime);
    for (int i = 1; i <= 3; i++) {
      assertTrue(permits.take(ip("2001:db8:" + i + "::1"), AT_ONCE));
    }
    assertFalse(permits.take(ip("2001:db8:1:ffff::1"), AT_ONCE), "the same /48");
    assertFalse(permits.take(ip("2001:db8:f::1"), AT_ONCE), "another /48 of the same /44");
    assertTrue(permits.take(ip("2001:db8:10::1"), AT_ONCE));
    permits.release(ip("2001:db8:7:ab::1"));
    assertThrows(IllegalStateException.class, () -> permits.release(ip("2001:db8:20::1")));
  }

  @Test
  void waitingNetworksTakeTurns() throws InterruptedException {
    ConnectionPermits permits = new ConnectionPermits(1, System::nanoTime);
    assertTrue(permits.take(ip("203.0.113.1"), AT_ONCE));
    LinkedBlockingQueue<String> served = new LinkedBlockingQueue<>();
    List<String> order = List.of("192.0.2.1", "192.0.2.2", "192.0.2.3", "198.51.100.1");
    List<Thread> threads = new ArrayList<>();
    for (String client : order) {
      Thread waiter = Thread.ofVirtual().start(() -> takeAndGiveBack(permits, client, served));
      threads.add(waiter);
      awaitParked(waiter);
    }
    assertEquals(2, permits.awaited(ip("203.0.113.1")), "one of each network");
    permits.release(ip("203.0.113.1"));
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(
        List.of("192.0.2.1", "198.51.100.1", "192.0.2.2", "192.0.2.3"), List.copyOf(served));
    assertEquals(0, permits.awaited(ip("203.0.113.1")));
    assertEquals(0, permits.inUse());
  }

  @Test
  void onlyWhoCouldServeAWaiterIsAwaited() throws InterruptedException {
    ConnectionPermits permits = new ConnectionPermits(8, System::nanoTime);
    for (String holder : List.of("192.0.2.1", "192.0.2.2", "198.51.1.1", "198.51.1.2")) {
      assertTrue(permits.take(ip(holder), AT_ONCE));
    }
    LinkedBlockingQueue<String> served = new LinkedBlockingQueue<>();
    Thread greedy = Thread.ofVirtual().start(() -> takeAndGiveBack(permits, "192.0.2.3", served));
    awaitParked(greedy);
    assertEquals(1, permits.awaited(ip("192.0.2.1")), "its own network waits for its quarter");
    assertEquals(0, permits.awaited(ip("198.51.1.1")), "half of the house is free");
    for (String holder : List.of("198.51.2.1", "198.51.2.2", "198.51.3.1", "198.51.3.2")) {
      assertTrue(permits.take(ip(holder), AT_ONCE));
    }
    assertEquals(0, permits.awaited(ip("198.51.1.1")), "full, and the waiter has its 25 %");
    Thread other = Thread.ofVirtual().start(() -> takeAndGiveBack(permits, "203.0.113.1", served));
    awaitParked(other);
    assertEquals(1, permits.awaited(ip("198.51.1.1")), "full, and one waits that has nothing");
    permits.release(ip("198.51.1.1"));
    other.join();
    permits.release(ip("192.0.2.1"));
    greedy.join();
    assertEquals(List.of("203.0.113.1", "192.0.2.3"), List.copyOf(served));
  }

  @Test
  void aFullHouseIsAnAlarmWhileSomebodyWaits() throws Exception {
    AtomicLong ahead = new AtomicLong();
    RelayFixture fixture = new RelayFixture();
    fixture.nanoTime = () -> System.nanoTime() + ahead.get();
    fixture.maxConnections = 1;
    try (ScriptedUpstream server = ScriptedUpstream.start()) {
      MailRoutes upstreams = fixture.to(server, new ScriptedUpstream[0]);
      UpstreamSession held = upstreams.open(RelayFixture.client());
      ahead.addAndGet(TimeUnit.SECONDS.toNanos(60));
      assertEquals(List.of(), upstreams.alarms(), "nobody wants another");
      LinkedBlockingQueue<UpstreamSession> opened = new LinkedBlockingQueue<>();
      Thread waiter =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  opened.add(upstreams.open(RelayFixture.client()));
                } catch (UpstreamException e) {
                  // It is missing below.
                }
              });
      awaitParked(waiter);
      ahead.addAndGet(TimeUnit.SECONDS.toNanos(9));
      assertEquals(List.of(), upstreams.alarms());
      ahead.addAndGet(TimeUnit.SECONDS.toNanos(2));
      String alarm = upstreams.alarms().getFirst();
      assertTrue(alarm.startsWith("all connections to downstream have been in use for"), alarm);
      held.close();
      UpstreamSession next = opened.poll(60, TimeUnit.SECONDS);
      assertNotNull(next);
      assertEquals(1, upstreams.alarms().size(), "it is as full as before");
      next.close();
      assertEquals(List.of(), upstreams.alarms());
    }
  }

  @Test
  void whoIsInterruptedOrGivesUpLosesNoPermit() throws InterruptedException {
    ConnectionPermits permits = new ConnectionPermits(1, System::nanoTime);
    assertTrue(permits.take(ip("203.0.113.1"), AT_ONCE));
    Thread waiter =
        Thread.ofVirtual()
            .start(() -> takeAndGiveBack(permits, "192.0.2.1", new LinkedBlockingQueue<>()));
    awaitParked(waiter);
    waiter.interrupt();
    waiter.join();
    assertEquals(0, permits.awaited(ip("203.0.113.1")));
    assertFalse(permits.take(ip("192.0.2.1"), Duration.ofMillis(1)));
    permits.release(ip("203.0.113.1"));
    assertTrue(permits.tryTake());
    permits.release();
    assertEquals(0, permits.inUse());
  }

  @Test
  void neverMoreThanThereAreAndNoneIsLost() throws InterruptedException {
    long seed = Long.getLong("seed", System.nanoTime());
    ConnectionPermits permits = new ConnectionPermits(5, System::nanoTime);
    AtomicInteger inUse = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Random random = new Random(seed + i);
      IpAddress client = ip("192.0." + i % 7 + ".1");
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int turn = 0; turn < 200; turn++) {
                  Duration patience = random.nextInt(10) == 0 ? AT_ONCE : PATIENTLY;
                  if (taken(permits, client, patience)) {
                    most.accumulateAndGet(inUse.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    inUse.decrementAndGet();
                    permits.release(client);
                  } else if (patience.equals(PATIENTLY)) {
                    refused.incrementAndGet();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(most.get() <= 5, "seed " + seed);
    assertEquals(0, refused.get(), "seed " + seed);
    assertEquals(0, permits.inUse(), "seed " + seed);
  }

  private static boolean taken(ConnectionPermits permits, IpAddress client, Duration patience) {
    try {
      return permits.take(client, patience);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void takeAndGiveBack(
      ConnectionPermits permits, String client, LinkedBlockingQueue<String> served) {
    try {
      if (permits.take(ip(client), PATIENTLY)) {
        served.add(client);
        permits.release(ip(client));
      }
    } catch (InterruptedException e) {
      // What the test wanted.
    }
  }

  /** Until it waits for its turn. */
  private static void awaitParked(Thread thread) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      if (System.nanoTime() > end) {
        throw new AssertionError("does not wait: " + thread.getState());
      }
      Thread.onSpinWait();
    }
  }
}
