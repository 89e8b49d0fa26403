package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.session.ScriptedUpstream.NO_SUCH_USER;
import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients and mail servers get because of lists and the relay check, in each mode. */
final class SpokenVerdictsTest extends OneGateway {

  /** Dictionary attacks speak for a list that names their senders. */
  @Test
  void aListingIsReportedWhereTheMailServerRefusesTheRecipient() throws Exception {
    gateway.upstream.refusing("anna", NO_SUCH_USER);
    SmtpClient client = gateway.connect();
    gateway.lists.list("127.0.0.1", "tags");
    client.upToMail("a@sender.example");
    expect("550 5.1.1", client.ask("RCPT TO:<anna@example.com>"));
    DecisionRecord refused = gateway.telemetry.decisions.getFirst();
    assertEquals(List.of("upstream_refused"), gateway.telemetry.outcomes());
    assertEquals("tags", refused.deciding().orElseThrow().source());
    expect("221", client.ask("QUIT"));
  }

  /** Two newer generations, or one and ten minutes, and the client is judged by the live one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void snapshotOfMailIsNotKeptForEver(boolean anotherGeneration) throws Exception {
    SmtpClient client = gateway.connect().upToRcpt();
    gateway.lists.list("127.0.0.1", "drop");
    expect("250", client.ask("RCPT TO:<eve@example.com>"));
    if (anotherGeneration) {
      gateway.lists.list("192.0.2.1", "drop");
    } else {
      gateway.ahead.addAndGet(GenerationPin.LONGEST.toNanos());
    }
    expect("554 5.7.1", client.ask("RCPT TO:<carol@example.com>"));
  }

  /** MAIL once per generation, and silence: the memory of each would be kept for an hour. */
  @Test
  void anIdleTransactionKeepsNoOldSnapshotAlive() throws Exception {
    gateway.tended();
    SmtpClient client = gateway.connect().upToMail("a@sender.example");
    WeakReference<ListSnapshot> pinned = new WeakReference<>(gateway.lists.current().snapshot());
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (pinned.get() != null && System.nanoTime() < end) {
      gateway.lists.list("192.0.2.3", "drop");
      System.gc();
    }
    assertNull(pinned.get(), "the lists of MAIL are still in memory");
    expect("250", client.ask("RCPT TO:<bob@example.com>"));
  }

  /** Behind a malformed line the block may go on for readers who pass over it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Bloomgate: forged\r\n",
        "X-Bloomgate: verdict=tag;\r\n forged\r\n",
      })
  void nothingBehindAMalformedLinePassesForAFieldOfOurs(String forged) throws Exception {
    try (TestGateway gateway = TestGateway.limited("header_size: 1KiB")) {
      gateway.lists.list("127.0.0.1", "drop");
      gateway.mode.set(Mode.OBSERVE);
      for (int size : new int[] {0, 600}) {
        String above = "A: b\r\nno field\r\n" + "C: d\r\n".repeat(size / 6);
        String below = "E: f\r\n\r\nX-Bloomgate: body\r\n";
        expect("250", gateway.send(above + forged + below));
        String content = gateway.upstream.taken.removeLast().content();
        assertTrue(content.contains("X-Bloomgate: would=reject; kind=client_ip;"), content);
        assertTrue(content.endsWith("\r\n" + above + below), size + " octets: " + content);
      }
      assertEquals(2, gateway.telemetry.removedFields.get());
    }
  }
}
