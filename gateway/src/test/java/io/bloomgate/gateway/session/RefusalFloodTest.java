package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.RecordPaces;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No client network can fill log and incidents; each id that a client gets is found, and belongs to
 * that client.
 */
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
      try (SmtpClient client = gateway.connect().upToMail("a@sender.example")) {
        String last = "";
        for (int i = 0; i < FLOOD; i++) {
          last = client.ask("RCPT TO:<bob@example.com>");
          expect("554", last);
        }
        assertEquals(WRITTEN, gateway.telemetry.decisions.size());
        assertEquals(FLOOD - WRITTEN, gateway.telemetry.repeated.size(), "all are counted");
        assertEquals(List.of(), gateway.telemetry.sums);
        gateway.writeSums();
        DecisionRecord sum = gateway.telemetry.sums.getFirst();
        assertEquals(FLOOD - WRITTEN, sum.times());
        assertTrue(last.endsWith("[" + sum.id() + "]"), last + " is not " + sum.id());
        // Another minute, which the end of the session does not cut short.
        for (int i = 0; i <= WRITTEN; i++) {
          expect("554", client.ask("RCPT TO:<bob@example.com>"));
        }
        expect("221", client.ask("QUIT"));
      }
      gateway.awaitQuiet();
      gateway.writeSums();
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
      try (SmtpClient client = gateway.connect().upToEhlo()) {
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
      gateway.writeSums();
      assertEquals(WRITTEN, gateway.telemetry.turnedAway.size());
      assertEquals(2 * WRITTEN, gateway.telemetry.decisions.size());
      assertEquals(
          List.of(FLOOD - WRITTEN, FLOOD - WRITTEN, FLOOD - WRITTEN),
          times(gateway.telemetry.sums));
    }
  }

  @Test
  void connectingAgainBringsNoMoreRecords() throws Exception {
    try (TestGateway gateway = TestGateway.limited("errors: 1000")) {
      gateway.lists.list("127.0.0.1", "drop");
      for (int i = 0; i < FLOOD; i++) {
        try (SmtpClient client = gateway.connect().upToMail("a@sender.example")) {
          expect("554", client.ask("RCPT TO:<bob@example.com>"));
          expect("221", client.ask("QUIT"));
        }
      }
      gateway.awaitQuiet();
      assertEquals(WRITTEN, gateway.telemetry.decisions.size());
      assertEquals(FLOOD - WRITTEN, gateway.telemetry.repeated.size(), "all are counted");
      gateway.writeSums();
      assertEquals(List.of(FLOOD - WRITTEN), times(gateway.telemetry.sums));
    }
  }

  @Test
  void anIdStandsForOneListingOnlyAndBeyondTheBoundThereIsNone() throws Exception {
    int grounds = RecordPaces.GROUNDS;
    try (TestGateway gateway = TestGateway.behindProxies()) {
      Set<String> ids = new HashSet<>();
      for (int i = 0; i < grounds + 3; i++) {
        gateway.lists.list("203.0.113." + i, "drop");
        try (SmtpClient client = gateway.connect("203.0.113." + i).upToMail("a@sender.example")) {
          String reply = client.ask("RCPT TO:<bob@example.com>");
          expect("554", reply);
          String id = reply.substring(reply.lastIndexOf(' ') + 1);
          assertEquals(i < grounds, id.startsWith("[TESTID") && ids.add(id), reply);
          expect("221", client.ask("QUIT"));
        }
      }
      gateway.awaitQuiet();
      gateway.writeSums();
      assertEquals(grounds, gateway.telemetry.decisions.size());
      assertEquals(List.of(3), times(gateway.telemetry.sums));
    }
  }
}
