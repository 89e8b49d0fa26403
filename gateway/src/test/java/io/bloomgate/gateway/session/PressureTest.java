package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strangers that hold sessions open, and everybody else meanwhile. */
@Timeout(60)
final class PressureTest {

  private static final String PROXIED = "proxy_protocol: v2, trusted_proxies: [127.0.0.1]";
  private static final String SHED = "421 4.7.0 Too many sessions; try again later";
  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n";
  private static final List<String> STEPS =
      List.of("MAIL FROM:<>", "RCPT TO:<bob@example.com>", "RCPT TO:<eve@example.com>", "DATA");
  private static final long SECOND = 1_000_000_000L;

  // ---- who has to go: sessions that wait, on a clock that stands still

  private final long[] now = {100 * SECOND};
  private final SessionRegistry registry =
      new SessionRegistry(
          () -> now[0], Runnable::run, 1 << 20, new Pressure.Heap(1 << 20, () -> 0));
  private final List<Held> all = new ArrayList<>();

  /** Ten of them may be there. */
  private final Pressure.Bound ten =
      new Pressure.Bound() {
        @Override
        public long permitted() {
          return 10;
        }

        @Override
        public long heldBy(SessionControl session) {
          return 1;
        }

        @Override
        public String says(long held) {
          return held + " of 10";
        }
      };

  /** A session whose thread waits for its client. */
  private final class Held {
    final WatchedSocket socket;
    final SessionControl control;
    private final CountDownLatch waits = new CountDownLatch(1);

    Held(String client, boolean withinTransaction) throws Exception {
      socket =
          new WatchedSocket(() -> now[0], registry.watchdog()) {
            @Override
            protected InputStream rawInput() {
              return new Silence(waits);
            }
          };
      control = new SessionControl(socket, Thread.currentThread(), 1L << 62, registry.pressure());
      control.messagesTake(new ContentBudget(1 << 20).of(address(client)));
      if (!withinTransaction) {
        control.idleBegins();
      } else {
        control.pins(new GenerationPin(() -> new FakeLists().current().snapshot(), () -> now[0]));
      }
      registry.watchdog().round();
      socket.until(now[0] + 300 * SECOND);
      Thread.ofVirtual().start(() -> silently(socket));
      waits.await();
      registry.enter(control);
      all.add(this);
    }
  }

  /** Sessions of a network, each silent for a second longer than the next. */
  private void hold(String network, int sessions, boolean withinTransaction) throws Exception {
    for (int i = 0; i < sessions; i++) {
      Held _ = new Held(network + i, withinTransaction);
      now[0] += SECOND;
    }
  }

  /** Those that were ended, by their order in {@link #all}. */
  private List<Integer> ended() {
    registry.tick();
    List<Integer> ended = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).socket.isClosed()) {
        ended.add(i);
      }
    }
    return ended;
  }

  private static void silently(WatchedSocket socket) {
    try {
      int _ = socket.getInputStream().read();
    } catch (IOException e) {
      // It was ended.
    }
  }

  /** Tells that somebody reads from it, and has nothing. */
  private static final class Silence extends InputStream {
    private final CountDownLatch read;

    Silence(CountDownLatch read) {
      this.read = read;
    }

    @Override
    public int read() throws IOException {
      return read(new byte[1], 0, 1);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      read.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return -1;
    }
  }

  private static IpAddress address(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  @Test
  void longestSilentOfTheNetworksThatHoldMostGoFirst() throws Exception {
    registry.pressure().add(ten);
    hold("203.0.113.", 4, false);
    hold("198.51.100.", 2, false);
    assertEquals(List.of(), ended());
    for (int i = 0; i < 5; i++) {
      Held _ = new Held("2001:db8:" + i + "::7", false);
      now[0] += SECOND / 10;
    }
    now[0] += 3 * SECOND;
    assertEquals(List.of(0, 6, 7), ended());
    assertEquals(List.of(0, 6, 7), ended(), "eight of ten may stay");
    assertTrue(registry.alarms().getFirst().startsWith("11 of 10: silent clients get 421"));
  }

  @Test
  void transactionsStayUntilNearlyAllIsUsed() throws Exception {
    registry.pressure().add(ten);
    hold("203.0.113.", 2, true);
    hold("198.51.100.", 7, true);
    assertEquals(List.of(), ended());
    hold("192.0.2.", 1, true);
    assertEquals(List.of(2), ended(), "of the network that holds most");
  }

  @ParameterizedTest
  @CsvSource({"true, 1", "false, 2"})
  void sessionsStayForARoundTrip(boolean withinTransaction, int goLater) throws Exception {
    registry.pressure().add(ten);
    for (int i = 0; i < 10; i++) {
      Held _ = new Held("203.0.113." + i, withinTransaction);
    }
    now[0] += 2 * SECOND;
    assertEquals(List.of(), ended());
    now[0] += 2 * SECOND;
    assertEquals(goLater, ended().size());
  }

  @Test
  void underPressureSilenceLastsTenSeconds() throws Exception {
    registry.pressure().add(ten);
    hold("203.0.113.", 8, true);
    now[0] += 60 * SECOND;
    assertEquals(List.of(), ended());
    hold("198.51.100.", 1, true);
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), ended());
    now[0] += 61 * SECOND;
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), ended());
    assertEquals(List.of(), registry.alarms(), "a minute later");
  }

  // ---- what clients see

  private static SmtpClient greeted(TestGateway gateway, String address) throws IOException {
    gateway.registry.watchdog().round(); // its waits have no timeout, as in a whole gateway
    return gateway.connect(address).upToEhlo();
  }

  /** One that comes again until there is a place for it. */
  private static SmtpClient patient(TestGateway gateway, String address) throws IOException {
    SmtpClient client = gateway.connect(address);
    while (!client.reply().startsWith("220")) {
      client.close();
      client = gateway.connect(address);
    }
    return client;
  }

  private static void deliver(SmtpClient client) throws IOException {
    expect("354", client.fromGreetingToRcpt().ask("DATA"));
    expect("250", client.content(MESSAGE));
  }

  @Test
  void idleSessionsOfFourNetworksGiveWay() throws Exception {
    ScriptedUpstream upstream = new ScriptedUpstream();
    try (TestGateway gateway = new TestGateway(PROXIED + ", max_sessions: 20", "", upstream)) {
      SmtpClient busy = greeted(gateway, "198.51.1.77").fromGreetingToRcpt();
      List<SmtpClient> idle = new ArrayList<>();
      for (int i = 0; i < 19; i++) {
        idle.add(greeted(gateway, "198.51." + (2 + i) % 4 + "." + i));
      }
      assertEquals(SHED, gateway.connect("203.0.113.7").reply());

      gateway.tended();
      gateway.ahead.addAndGet(4 * SECOND);
      deliver(patient(gateway, "203.0.113.7"));
      expect("250", busy.message(MESSAGE));
      int closed = 0;
      for (SmtpClient each : idle) {
        closed += each.ask("NOOP").equals(SHED) ? 1 : 0;
      }
      assertTrue(closed >= 4, closed + " were closed");
      String alarm = gateway.registry.alarms().getFirst();
      assertTrue(alarm.contains(" of its 20 sessions (max_sessions): silent"), alarm);
    }
  }

  @ParameterizedTest
  @CsvSource({"20, NOOP, 18", "17, NOOP, 16", "20, RCPT TO:<bob@example.com>, 18"})
  void sessionsThatGetNoFurtherGiveWay(int sessions, String says, int left) throws IOException {
    ScriptedUpstream upstream = new ScriptedUpstream();
    try (TestGateway gateway = new TestGateway(PROXIED + ", max_sessions: 20", "", upstream)) {
      List<SmtpClient> strangers = new ArrayList<>();
      for (int i = 0; i < sessions; i++) {
        strangers.add(greeted(gateway, "198.51." + i % 4 + "." + i).fromGreetingToRcpt());
      }
      for (int round = 0; round < 20; round++) {
        gateway.ahead.addAndGet(2 * SECOND);
        gateway.registry.tick();
        for (SmtpClient each : List.copyOf(strangers)) {
          if (each.ask(says).equals(SHED)) {
            strangers.remove(each);
          }
        }
      }
      assertTrue(strangers.size() <= left, strangers.size() + " are left");
      deliver(patient(gateway, "203.0.113.7"));
    }
  }

  /** Each step of the way to a message is one, and the next message begins the way again. */
  @Test
  void sessionsThatGetFurtherStay() throws IOException {
    ScriptedUpstream upstream = new ScriptedUpstream();
    try (TestGateway gateway = new TestGateway(PROXIED + ", max_sessions: 10", "", upstream)) {
      List<SmtpClient> slow = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        slow.add(greeted(gateway, "203.0.113." + i));
      }
      for (int message = 0; message < 2; message++) {
        for (String step : STEPS) {
          gateway.ahead.addAndGet(SECOND);
          gateway.registry.tick();
          for (SmtpClient each : slow) {
            expect(step.equals("DATA") ? "354" : "250", each.ask(step));
          }
        }
        for (SmtpClient each : slow) {
          expect("250", each.content(MESSAGE));
        }
      }
      assertFalse(gateway.registry.alarms().isEmpty());
    }
  }

  /** Of ten sessions, which have begun a message each and say no more. */
  @Test
  void messagesThatNeverEndGiveWayWhenTheHeapIsUsedUp() throws Exception {
    long room = 10 * (Pressure.SESSION_OCTETS + 40 * 1024);
    try (TestGateway gateway = TestGateway.inHeap(new Pressure.Heap(room / 3 * 4, () -> 0), null)) {
      for (int i = 0; !gateway.registry.pressure().isFull(); i++) {
        String answer = greeted(gateway, "198.51." + i + ".7").fromGreetingToRcpt().ask("DATA");
        assertTrue(answer.startsWith("354") || answer.startsWith("452 4.3.1"), answer);
      }
      assertEquals(SHED, gateway.connect("203.0.113.7").reply());

      gateway.tended();
      gateway.ahead.addAndGet(4 * SECOND);
      deliver(patient(gateway, "203.0.113.7"));
      assertTrue(gateway.telemetry.limits.contains(Limit.SESSIONS));
      assertTrue(gateway.telemetry.outcomes().contains("abandoned"));
      assertEquals(1, gateway.upstream.taken.size(), "of none of the others");
      String alarm = gateway.registry.alarms().getFirst();
      assertTrue(alarm.contains("MiB of heap that the lists leave"), alarm);
    }
  }

  /** P1: the mail server has it, and is slow to say so. */
  @Test
  void messageThatTheMailServerHasIsAnswered() throws Exception {
    CountDownLatch dot = new CountDownLatch(1);
    CountDownLatch accepted = new CountDownLatch(1);
    ScriptedUpstream slow = new ScriptedUpstream();
    slow.onFinalDot =
        _ -> {
          dot.countDown();
          try {
            accepted.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return ScriptedUpstream.TAKEN;
        };
    try (TestGateway gateway = new TestGateway(PROXIED + ", max_sessions: 5", "", slow)) {
      SmtpClient sender = greeted(gateway, "203.0.113.7").fromGreetingToRcpt();
      expect("354", sender.ask("DATA"));
      sender.raw(MESSAGE + ".\r\n");
      dot.await();
      for (int i = 0; i < 4; i++) {
        greeted(gateway, "198.51." + i + ".7");
      }
      do {
        gateway.ahead.addAndGet(SECOND);
        gateway.registry.tick();
      } while (gateway.registry.count() > 1);
      assertFalse(gateway.telemetry.limits.isEmpty());
      accepted.countDown();
      assertEquals("250 2.0.0 Ok: queued as UPSTREAM", sender.reply());
    }
  }

  @Test
  void nothingBeginsWhenTheHeapIsUsedUp() throws Exception {
    AtomicLong lists = new AtomicLong();
    long room = 3 * Pressure.SESSION_OCTETS + Pressure.TLS_OCTETS;
    try (TestGateway gateway =
        TestGateway.inHeap(
            new Pressure.Heap(room / 3 * 4, lists::get), ThrowawayKey.serverCertificate())) {
      SmtpClient first = greeted(gateway, "198.51.1.7").fromGreetingToRcpt();
      SmtpClient second = greeted(gateway, "198.51.2.7");
      second.startTls();
      SmtpClient third = greeted(gateway, "198.51.3.7");
      assertEquals(SHED, third.ask("STARTTLS"));
      lists.set(room);
      gateway.registry.pressure().relieve(List.of(), 0);
      expect("452 4.3.1", first.ask("DATA"));
      assertEquals(SHED, gateway.connect("203.0.113.7").reply());
    }
  }
}
