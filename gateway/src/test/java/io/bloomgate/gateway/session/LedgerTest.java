package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.MailServer;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.testkit.LoopbackServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise P1 as a ledger: many messages between clients that vanish and a mail server that fails,
 * over real sockets, and an account of each at the end. {@code -Dledger.messages=100000} makes each
 * run long, {@code -Dseed=N} repeats a run (as far as threads let it).
 */
final class LedgerTest {

  private static final int MESSAGES = Integer.getInteger("ledger.messages", 1_000);
  private static final int CLIENTS = 8;

  private static final String FEEDS =
      """
      urls: {file: urls.txt, format: urls, checks: [url], action: reject}
      names: {file: names.txt, format: domains, checks: [url_host], action: tag}
      """;

  /** With connections that serve one client after another, and without. */
  @Timeout(value = 2, unit = TimeUnit.HOURS) // for long runs
  @ParameterizedTest
  @ValueSource(ints = {5, 0})
  void everyPromiseIsKeptAndNothingElseIsHeld(int maxIdle) throws Exception {
    run(maxIdle, false);
  }

  /** Where lists are asked for what each message carries, and refuse and tag some of them. */
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  @ParameterizedTest
  @ValueSource(ints = {5, 0})
  void everyPromiseIsKeptWhereContentIsRead(int maxIdle) throws Exception {
    Ledger.Balance balance = run(maxIdle, true);
    assertTrue(balance.refused() > MESSAGES / 40, balance::toString);
  }

  private static Ledger.Balance run(int maxIdle, boolean carrying) throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Ledger ledger = new Ledger(MESSAGES, carrying);
    try (LedgerServer patient = new LedgerServer(ledger, seed, false);
        LedgerServer stalling = new LedgerServer(ledger, seed + 1_000_000, true);
        MailServer calm = upstream(patient, 20_000, maxIdle);
        MailServer hasty = upstream(stalling, 80, maxIdle);
        TestGateway gateway =
            TestGateway.before(new Both(calm, hasty), witness(ledger))
                .tended(calm::tick, hasty::tick)) {
      if (carrying) {
        gateway.withFeeds(FEEDS, "limits: {errors: 1000}");
        gateway.lists.list(Ledger.LISTED, "urls");
        gateway.lists.list(Ledger.TAGGED, "names");
      }
      List<Thread> clients = new ArrayList<>();
      AtomicInteger offsets = new AtomicInteger();
      for (int i = 0; i < CLIENTS; i++) {
        LedgerClient client = new LedgerClient(gateway, ledger, offsets, seed - 1 - i);
        clients.add(Thread.ofVirtual().start(client::run));
      }
      for (Thread client : clients) {
        client.join();
      }
      gateway.awaitQuiet();
      assertEquals(0, gateway.registry.contentBudget().takenOctets(), "seed " + seed);
    }
    Ledger.Balance balance = ledger.balance();
    String where = "seed " + seed + ", kept connections " + maxIdle + ", " + balance;
    List<String> first = ledger.violations.stream().limit(10).toList();
    assertEquals(List.of(), first, () -> ledger.violations.size() + " wrong; " + where);
    assertEquals(balance.behindHold(), balance.unheard(), where);
    // A ledger of clean runs, or of nothing but failures, would prove nothing.
    assertTrue(balance.heard() > MESSAGES / 10, where);
    assertTrue(balance.unheard() > MESSAGES / 40, where);
    assertTrue(balance.seen() > MESSAGES / 80, where);
    assertTrue(balance.neither() > MESSAGES / 10, where);
    return balance;
  }

  private static MailServer upstream(LedgerServer server, int stepMillis, int maxIdle) {
    return LoopbackServer.at(server.port())
        .connections(200)
        .idle(maxIdle, Duration.ofSeconds(10))
        .step(Duration.ofMillis(stepMillis))
        .server(System::nanoTime);
  }

  /**
   * Sends some sessions to a server that stalls, and gives idle connections back at once or never.
   */
  private record Both(Upstream patient, Upstream stalling, AtomicInteger sessions)
      implements Upstream {

    Both(Upstream patient, Upstream stalling) {
      this(patient, stalling, new AtomicInteger());
    }

    @Override
    public UpstreamSession open(ClientIdentity client) throws UpstreamException {
      return (client.helo().equals(LedgerClient.STALLED) ? stalling : patient).open(client);
    }

    @Override
    public UpstreamExtensions lastExtensions() {
      return patient.lastExtensions();
    }

    @Override
    public Duration idleLimit() {
      return sessions.incrementAndGet() % 3 == 0 ? Duration.ZERO : Duration.ofMinutes(1);
    }
  }

  private static Telemetry witness(Ledger ledger) {
    return new Telemetry() {
      @Override
      public void decided(DecisionRecord decision) {
        ledger.logged(decision);
      }

      @Override
      public void repeated(DecisionRecord decision) {
        ledger.logged(decision);
      }
    };
  }
}
