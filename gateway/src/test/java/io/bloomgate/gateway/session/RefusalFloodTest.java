package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.session.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.observe.DecisionRecord;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One session cannot fill log and incidents, and each id that it hears is found again. */
final class RefusalFloodTest {

  private static final int FLOOD = 60;
  private static final int WRITTEN = 20;

  private static List<Integer> times(List<DecisionRecord> sums) {
    return sums.stream().map(DecisionRecord::times).toList();
  }

  @Test
  void aFloodOfRefusalsIsTwentyRecordsAndASumThatSharesItsId() throws Exception {
    try (TestGateway gateway = TestGateway.limited("errors: 1000")) {
      gateway.lists.list("127.0.0.1", "drop");
      try (SmtpClient client = gateway.connect()) {
        expect("220", client.reply());
        expect("250", client.ask("EHLO client.example"));
        expect("250", client.ask("MAIL FROM:<a@sender.example>"));
        String last = "";
        for (int i = 0; i < FLOOD; i++) {
          last = client.ask("RCPT TO:<bob@example.com>");
          expect("554", last);
        }
        assertEquals(WRITTEN, gateway.telemetry.decisions.size());
        assertEquals(FLOOD - WRITTEN, gateway.telemetry.repeated.size(), "all are counted");
        assertEquals(List.of(), gateway.telemetry.sums);
        gateway.ahead.addAndGet(Duration.ofMinutes(1).toNanos());
        expect("250", client.ask("NOOP"));
        DecisionRecord sum = gateway.telemetry.sums.getFirst();
        assertEquals(FLOOD - WRITTEN, sum.times());
        assertTrue(last.endsWith("[" + sum.id() + "]"), last + " is not " + sum.id());
        // Another minute, which the end of the session cuts short.
        for (int i = 0; i <= WRITTEN; i++) {
          expect("554", client.ask("RCPT TO:<bob@example.com>"));
        }
        expect("221", client.ask("QUIT"));
      }
      gateway.awaitQuiet();
      assertEquals(2 * WRITTEN, gateway.telemetry.decisions.size());
      assertEquals(List.of(FLOOD - WRITTEN, 1), times(gateway.telemetry.sums));
    }
  }

  /** What needs no list at all: foreign domains, bad commands, transactions that are dropped. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void everythingThatAClientHasAtWillIsPaced(Mode mode) throws Exception {
    try (TestGateway gateway = TestGateway.limited("errors: 1000, commands: 1000")) {
      gateway.mode.set(mode);
      gateway.lists.list("127.0.0.1", "drop");
      try (SmtpClient client = gateway.connect()) {
        expect("220", client.reply());
        expect("250", client.ask("EHLO client.example"));
        for (int i = 0; i < FLOOD; i++) {
          client.ask("BAD");
          expect("250", client.ask("MAIL FROM:<a@sender.example>"));
          client.ask("RCPT TO:<bob@elsewhere.example>");
          client.ask("RCPT TO:<bob@example.com>");
          expect("250", client.ask("RCPT TO:<postmaster@example.com>"));
          expect("250", client.ask("RSET"));
        }
        expect("221", client.ask("QUIT"));
      }
      gateway.awaitQuiet();
      assertEquals(WRITTEN, gateway.telemetry.turnedAway.size());
      assertEquals(2 * WRITTEN, gateway.telemetry.decisions.size());
      assertEquals(
          List.of(FLOOD - WRITTEN, FLOOD - WRITTEN, FLOOD - WRITTEN),
          times(gateway.telemetry.sums));
    }
  }
}
