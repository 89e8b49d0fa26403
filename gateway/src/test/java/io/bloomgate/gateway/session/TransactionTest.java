package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.relay.UpstreamFaultFixture;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions with an upstream that takes, refuses and breaks, and the limits on messages. */
final class TransactionTest {

  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n";

  // ---- promise P1

  /** 554 would end mail that the upstream only puts off. */
  @Test
  void dataWithoutRecipientsIsPutOffWhereOneOfThemWas() throws Exception {
    ScriptedUpstream upstream =
        new ScriptedUpstream() {
          @Override
          Reply onRcpt(String to) {
            return to.startsWith("full@")
                ? Reply.of(452, "4.2.2", "Mailbox full")
                : Reply.of(550, "5.1.1", "No such user");
          }
        };
    try (TestGateway gateway = TestGateway.plain(upstream);
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("250", client.ask("EHLO client.example"));
      expect("250", client.ask("MAIL FROM:<a@sender.example>"));
      expect("452", client.ask("RCPT TO:<full@example.com>"));
      expect("550", client.ask("RCPT TO:<nobody@example.com>"));
      assertEquals(
          "451 4.3.0 No recipient could be taken now; try again later", client.ask("DATA"));
      expect("250", client.ask("RSET"));
      expect("250", client.ask("MAIL FROM:<a@sender.example>"));
      expect("550", client.ask("RCPT TO:<nobody@example.com>"));
      expect("554 5.5.1", client.ask("DATA"));
    }
  }

  @Test
  void relaysAndSaysWhatTheUpstreamSaid() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw(MESSAGE + ".\r\n");
      assertEquals("250 2.0.0 Ok: queued as UPSTREAM", client.reply());
      ScriptedUpstream.Taken taken = gateway.upstream.taken.getFirst();
      assertEquals("alice@sender.example", taken.from());
      assertEquals(List.of("bob@example.com"), taken.to());
      assertTrue(taken.content().startsWith("Received: from client.example (unknown"));
      assertTrue(taken.content().endsWith(MESSAGE), taken.content());
      assertEquals("221 2.0.0 Bye", client.ask("QUIT"));
      gateway.awaitQuiet();
      assertEquals(List.of("delivered"), gateway.telemetry.outcomes());
      assertEquals(List.of("accepted"), gateway.telemetry.downstream);
      DecisionRecord decision = gateway.telemetry.decisions.getFirst();
      assertEquals(MESSAGE.length(), decision.sizeOctets());
      assertEquals("ESMTP", decision.protocol());
      assertEquals(0, gateway.telemetry.open.get());
    }
  }

  @Test
  void upstreamIsOpenedOnceForSeveralMessages() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw(MESSAGE + ".\r\n");
      expect("250", client.reply());
      client.raw("MAIL FROM:<>\r\nRCPT TO:<eve@example.com>\r\nDATA\r\n");
      expect("250", client.reply());
      expect("250", client.reply());
      expect("354", client.reply());
      client.raw(MESSAGE + ".\r\n");
      expect("250", client.reply());
      assertEquals(1, gateway.upstream.identities.size());
      assertEquals("", gateway.upstream.taken.get(1).from());
    }
  }

  @Test
  void abortedTransactionIsResetUpstreamBeforeTheNext() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect().upToRcpt()) {
      expect("250", client.ask("RSET"));
      expect("250", client.ask("MAIL FROM:<second@sender.example>"));
      expect("250", client.ask("RCPT TO:<bob@example.com>"));
      assertEquals(
          List.of(
              "OPEN",
              "MAIL alice@sender.example",
              "RCPT bob@example.com",
              "RSET",
              "MAIL second@sender.example",
              "RCPT bob@example.com"),
          gateway.upstream.commands);
      // Another HELO is another identity: the connection that carries the old one is dropped.
      expect("250", client.ask("HELO other.example"));
      expect("250", client.ask("MAIL FROM:<third@sender.example>"));
      expect("250", client.ask("RCPT TO:<bob@example.com>"));
      assertEquals("other.example", gateway.upstream.identities.get(1).helo());
      assertTrue(gateway.upstream.commands.contains("CLOSE"));
    }
  }

  @Test
  void upstreamRefusalsArePassedOn() throws Exception {
    ScriptedUpstream upstream =
        new ScriptedUpstream() {
          @Override
          Reply onRcpt(String to) {
            return to.startsWith("nobody")
                ? Reply.of(550, "5.1.1", "No such user")
                : Reply.of(250, "2.1.5", "Ok");
          }

          @Override
          Reply onMail(String from) {
            return from.startsWith("bad")
                ? Reply.of(553, "5.1.8", "Sender unknown")
                : Reply.of(250, "2.1.0", "Ok");
          }

          @Override
          Reply onData() {
            return Reply.of(452, "4.3.1", "Disk full");
          }
        };
    try (TestGateway gateway = TestGateway.plain(upstream);
        SmtpClient client = gateway.connect()) {
      gateway.mode.set(Mode.SOFT);
      expect("220", client.reply());
      expect("250", client.ask("EHLO client.example"));
      expect("250", client.ask("MAIL FROM:<bad@sender.example>"));
      // Mode soft softens what is ours, never what the mail server says.
      assertEquals("553 5.1.8 Sender unknown", client.ask("RCPT TO:<a@example.com>"));
      assertEquals("553 5.1.8 Sender unknown", client.ask("RCPT TO:<b@example.com>"));
      expect("451 4.5.1", client.ask("DATA"));
      expect("250", client.ask("RSET"));
      expect("250", client.ask("MAIL FROM:<good@sender.example>"));
      assertEquals("550 5.1.1 No such user", client.ask("RCPT TO:<nobody@example.com>"));
      expect("250", client.ask("RCPT TO:<bob@example.com>"));
      expect("354", client.ask("DATA"));
      client.raw(MESSAGE + ".\r\n");
      assertEquals("452 4.3.1 Disk full", client.reply());
      expect("250", client.ask("MAIL FROM:<good@sender.example>"));
      assertEquals(
          List.of("upstream_refused", "upstream_refused", "upstream_refused", "upstream_refused"),
          gateway.telemetry.outcomes());
    }
  }

  @Test
  void unreachableUpstreamIsFourFiftyOne() throws Exception {
    ScriptedUpstream upstream =
        new ScriptedUpstream() {
          @Override
          void onOpen() throws UpstreamException {
            throw UpstreamFaultFixture.unreachable();
          }
        };
    try (TestGateway gateway = TestGateway.plain(upstream);
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("250", client.ask("EHLO client.example"));
      expect("250", client.ask("MAIL FROM:<a@sender.example>"));
      expect("451 4.4.1", client.ask("RCPT TO:<bob@example.com>"));
      expect("451 4.4.1", client.ask("RCPT TO:<eve@example.com>"));
      expect("451 4.3.0", client.ask("DATA"));
      assertEquals(List.of("failed"), gateway.telemetry.downstream);
      assertEquals(List.of("upstream_failed", "upstream_failed"), gateway.telemetry.outcomes());
    }
  }

  @Test
  void lostUpstreamBetweenRecipientsFailsTheMessage() throws Exception {
    ScriptedUpstream upstream =
        new ScriptedUpstream() {
          @Override
          Reply onRcpt(String to) throws UpstreamException {
            if (to.startsWith("second")) {
              throw UpstreamFaultFixture.unreachable();
            }
            return super.onRcpt(to);
          }
        };
    try (TestGateway gateway = TestGateway.plain(upstream);
        SmtpClient client = gateway.connect().upToRcpt()) {
      expect("451", client.ask("RCPT TO:<second@example.com>"));
      expect("451", client.ask("RCPT TO:<third@example.com>"));
      expect("451", client.ask("DATA"));
      expect("503", client.ask("DATA"));
      assertEquals(List.of(), gateway.upstream.taken);
    }
  }

  @Test
  void deadKeptConnectionIsReplacedOnce() throws Exception {
    ScriptedUpstream upstream =
        new ScriptedUpstream() {
          @Override
          Reply onMail(String from) throws UpstreamException {
            // The first connection dies while the client idles.
            if (from.startsWith("later") && identities.size() == 1) {
              throw UpstreamFaultFixture.unreachable();
            }
            return super.onMail(from);
          }
        };
    try (TestGateway gateway = TestGateway.plain(upstream);
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw(MESSAGE + ".\r\n");
      expect("250", client.reply());
      expect("250", client.ask("MAIL FROM:<later@sender.example>"));
      expect("250", client.ask("RCPT TO:<bob@example.com>"));
      assertEquals(2, upstream.identities.size());
    }
  }

  @Test
  void upstreamThatBreaksInContentIsFourFiftyOneAfterDraining() throws Exception {
    ScriptedUpstream upstream =
        new ScriptedUpstream() {
          @Override
          void onContent() throws UpstreamException {
            throw UpstreamFaultFixture.unreachable();
          }
        };
    try (TestGateway gateway = TestGateway.plain(upstream);
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw(MESSAGE + "QUIT\r\n".repeat(20_000) + ".\r\n");
      expect("451 4.4.1", client.reply());
      expect("250", client.ask("NOOP"));
    }
  }

  @Test
  void lossBehindTheFinalDotIsUnknown() throws Exception {
    ScriptedUpstream upstream =
        new ScriptedUpstream() {
          @Override
          Reply onFinalDot() throws UpstreamException {
            throw UpstreamFaultFixture.lostAfterFinalDot();
          }
        };
    try (TestGateway gateway = TestGateway.plain(upstream);
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw(MESSAGE + ".\r\n");
      expect("451 4.4.2", client.reply());
      assertEquals("221 2.0.0 Bye", client.ask("QUIT"));
      assertEquals(List.of("unknown"), gateway.telemetry.outcomes());
    }
  }

  @Test
  void clientThatLeavesInContentDeliversNothing() throws Exception {
    try (TestGateway gateway = TestGateway.plain()) {
      try (SmtpClient client = gateway.connect().upToContent()) {
        client.raw(MESSAGE + "\r\n.");
      }
      gateway.awaitQuiet();
      assertEquals(List.of(), gateway.upstream.taken);
      assertFalse(gateway.upstream.commands.contains("."));
      assertTrue(gateway.upstream.commands.contains("CLOSE"));
      assertEquals(List.of("abandoned"), gateway.telemetry.outcomes());
    }
  }

  // ---- limits on messages

  @Test
  void headersAndHopsAreLimited() throws Exception {
    try (TestGateway gateway = TestGateway.limited("header_size: 2KiB, hops: 3")) {
      try (SmtpClient client = gateway.connect().upToContent()) {
        client.raw("X-Long: " + "y".repeat(3000) + "\r\n\r\nbody\r\n.\r\n");
        expect("552 5.3.4", client.reply());
        expect("250", client.ask("NOOP"));
      }
      try (SmtpClient client = gateway.connect().upToContent()) {
        client.raw("Received: x\r\n".repeat(4) + MESSAGE + ".\r\n");
        expect("554 5.4.6", client.reply());
      }
      try (SmtpClient client = gateway.connect().upToContent()) {
        client.raw("Received: x\r\n".repeat(3) + MESSAGE + ".\r\n");
        expect("250", client.reply());
      }
      assertEquals(List.of(Limit.HEADER_SIZE, Limit.HOPS), gateway.telemetry.limits);
      assertEquals(1, gateway.upstream.taken.size());
    }
  }

  @Test
  void recipientsAreLimited() throws Exception {
    try (TestGateway gateway = TestGateway.limited("recipients: 2");
        SmtpClient client = gateway.connect().upToRcpt()) {
      expect("250", client.ask("RCPT TO:<two@example.com>"));
      expect("452 4.5.3", client.ask("RCPT TO:<three@example.com>"));
      assertEquals(List.of(Limit.RECIPIENTS), gateway.telemetry.limits);
      expect("354", client.ask("DATA"));
    }
  }

  // ---- extensions

  @Test
  void ehloOffersOursAndTheUpstreams() throws Exception {
    try (TestGateway gateway = TestGateway.limited("message_size: 50MiB");
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      assertEquals(
          "250-mx.test.example\n250-PIPELINING\n250-SIZE 52428800\n250-ENHANCEDSTATUSCODES\n"
              + "250-8BITMIME\n250-SMTPUTF8\n250 DSN",
          client.ask("EHLO client.example"));
      gateway.upstream.announced =
          new UpstreamExtensions(
              false,
              false,
              false,
              false,
              false,
              1000,
              java.util.Set.of(),
              java.util.Set.of(),
              UpstreamExtensions.NO_MAXIMUM,
              UpstreamExtensions.NO_MAXIMUM);
      assertEquals(
          "250-mx.test.example\n250-PIPELINING\n250-SIZE 1000\n250 ENHANCEDSTATUSCODES",
          client.ask("EHLO client.example"));
      expect("555 5.5.4", client.ask("MAIL FROM:<a@b.example> BODY=8BITMIME"));
      expect("552 5.3.4", client.ask("MAIL FROM:<a@b.example> SIZE=1001"));
      expect("250", client.ask("MAIL FROM:<a@b.example> SIZE=1000 BODY=7BIT"));
      expect("555 5.5.4", client.ask("RCPT TO:<bob@example.com> NOTIFY=NEVER"));
      assertEquals("250 mx.test.example", client.ask("HELO client.example"));
    }
  }

  @Test
  void whatTheConnectionInHandLacksIsRefusedAtRcpt() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect()) {
      gateway.upstream.inHand = UpstreamExtensions.NONE;
      expect("220", client.reply());
      expect("250", client.ask("EHLO client.example"));
      String[][] cases = {
        {"SMTPUTF8", "550 5.6.7"}, {"BODY=8BITMIME", "554 5.6.3"}, {"RET=HDRS", "555 5.5.4"}
      };
      for (String[] each : cases) {
        expect("250", client.ask("MAIL FROM:<a@b.example> " + each[0]));
        expect(each[1], client.ask("RCPT TO:<bob@example.com>"));
        expect("250", client.ask("RSET"));
      }
      assertFalse(gateway.upstream.commands.contains("MAIL a@b.example"));
    }
  }
}
