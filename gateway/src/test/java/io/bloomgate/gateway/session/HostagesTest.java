package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.relay.MailServer;
import io.bloomgate.gateway.testkit.LoopbackServer;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that begin transactions and wait, so that no connection is left for others. */
final class HostagesTest {

  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n";
  private static final int CONNECTIONS = 8;

  private static MailServer before(ScriptedUpstream server, TestGateway gateway) {
    return LoopbackServer.at(server.port())
        .connections(CONNECTIONS)
        .idle(5, Duration.ofSeconds(20))
        .server(() -> System.nanoTime() + gateway.ahead.get());
  }

  @Test
  void idleTransactionsOfFourNetworksDoNotStopTheMailOfOthers() throws Exception {
    try (ScriptedUpstream server = ScriptedUpstream.start();
        TestGateway gateway = TestGateway.behindProxies();
        MailServer upstream = before(server, gateway)) {
      gateway.relayTo(upstream).tended(upstream::tick);
      List<SmtpClient> idle = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        SmtpClient client =
            gateway.connect("198.51." + i % 4 + "." + i).upToMail("alice@sender.example");
        expect("250", client.ask("RCPT TO:<bob@example.com>"));
        idle.add(client);
      }
      assertEquals(CONNECTIONS, upstream.state().connections());
      try (SmtpClient good = gateway.connect("203.0.113.7").upToMail("alice@sender.example")) {
        good.raw("RCPT TO:<carol@example.com>\r\n");
        gateway.ahead.addAndGet(Duration.ofSeconds(3).toNanos());
        expect("250", good.reply());
        expect("250", good.message(MESSAGE));
      }
      // The slow honest clients lose nothing.
      for (SmtpClient client : idle) {
        expect("250", client.message(MESSAGE));
      }
      assertEquals(CONNECTIONS + 1, server.deliveredCount());
      // The connection that was taken served the other mail, and then its first owner again.
      assertEquals(CONNECTIONS, server.connections().size());
    }
  }
}
