package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.testkit.LoopbackServer;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise P1 for messages that several mail servers answer, as a ledger: servers that disagree and
 * fail, senders that try again otherwise than before, and a gateway that is killed at any moment
 * and started again with nothing that it remembered. {@code -Dledger.messages=100000} makes each
 * run long, {@code -Dseed=N} repeats a run (as far as threads let it).
 */
final class DividedLedgerTest {

  private static final int MESSAGES = Integer.getInteger("ledger.messages", 300);
  private static final int CLIENTS = 8;

  /** Messages between two kills. */
  private static final int KILL_EVERY = 50;

  private static final List<String> RECIPIENTS =
      List.of(
          "ann@example.com",
          "sue@sub.example.com",
          "bob@example.com",
          "eve@example.com",
          "max@one.sub.example.com");

  private AnswerMemory remembered() {
    return new AnswerMemory(InstantSource.system());
  }

  @Timeout(value = 2, unit = TimeUnit.HOURS) // for long runs
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nobodyGetsASecondCopyThatNoFaultExplains(boolean lmtp) throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    DividedLedger ledger = new DividedLedger(MESSAGES, RECIPIENTS);
    AtomicReference<TestGateway> gateway = new AtomicReference<>();
    List<Thread> clients = new ArrayList<>();
    int kills = 0;
    try (DividedLedgerServer one = new DividedLedgerServer(ledger, lmtp, seed);
        DividedLedgerServer other = new DividedLedgerServer(ledger, false, seed + 1_000_000);
        MailRoutes upstreams = upstreams(one, other, lmtp)) {
      AnswerMemory memory = remembered();
      gateway.set(started(upstreams, memory));
      for (int i = 0; i < CLIENTS; i++) {
        DividedLedgerClient client =
            new DividedLedgerClient(() -> running(gateway), ledger, seed - 1 - i);
        clients.add(Thread.ofVirtual().start(client::run));
      }
      int next = KILL_EVERY;
      while (clients.stream().anyMatch(Thread::isAlive)) {
        if (ledger.taken() >= next) {
          next += KILL_EVERY;
          kills++;
          running(gateway).close();
          // A kill ends all sessions at once; here the last ones may take a moment longer.
          running(gateway).awaitQuiet();
          ledger.forgotten();
          memory = remembered();
          gateway.set(started(upstreams, memory));
        }
        LockSupport.parkNanos(1_000_000);
      }
      running(gateway).awaitQuiet();
      running(gateway).close();
      memory.close();
    }
    DividedLedger.Balance balance = ledger.balance();
    String where = "seed " + seed + ", lmtp " + lmtp + ", kills " + kills + ", " + balance;
    List<String> first = ledger.violations.stream().limit(10).toList();
    assertEquals(List.of(), first, () -> ledger.violations.size() + " wrong; " + where);
    // A ledger of clean runs, or of nothing but failures, would prove nothing.
    assertEquals(0, balance.open(), where);
    assertTrue(balance.heard() > MESSAGES, where);
    assertTrue(balance.refused() > MESSAGES / 20, where);
    assertTrue(balance.retried() > MESSAGES / 4, where);
  }

  private static TestGateway running(AtomicReference<TestGateway> gateway) {
    return Objects.requireNonNull(gateway.get());
  }

  private static TestGateway started(MailRoutes upstreams, AnswerMemory memory) throws IOException {
    return TestGateway.before(upstreams, memory, new RecordingTelemetry()).tended(upstreams::tick);
  }

  private static MailRoutes upstreams(
      DividedLedgerServer one, DividedLedgerServer other, boolean lmtp) {
    return LoopbackServer.at(one.port())
        .lmtp(lmtp)
        .connections(400)
        .routes(
            Map.of(".sub.example.com", LoopbackServer.at(other.port()).connections(400).settings()))
        .mailRoutes(System::nanoTime);
  }
}
