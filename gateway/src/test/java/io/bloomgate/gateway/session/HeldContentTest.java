package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.wire.HoldingSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is held of a message while its client sends it, and what the mail server gets of it. */
final class HeldContentTest extends OneGateway {

  private static final String LINE = "0123456789012345678901234567890123456789012345678901\r\n";

  /**
   * The commands that a mail server gets when its connection was given back before the content had
   * come.
   */
  private static final String BEGUN_TWICE =
      "[OPEN, MAIL alice@sender.example, RCPT bob@example.com, CLOSE,"
          + " OPEN, MAIL alice@sender.example, RCPT bob@example.com, DATA, .]";

  /** Connections to the mail server are given back at the first silence. */
  private ScriptedUpstream impatient() {
    gateway.tended().upstream.idleLimit = Duration.ofMillis(30);
    return gateway.upstream;
  }

  @Test
  void contentOfATricklingClientKeepsNoUpstream() throws Exception {
    impatient();
    SmtpClient client = gateway.connect().upToContent();
    gateway.upstream.awaitClose();
    client.raw("Subject: drip\r\n\r\n");
    client.raw("half a line");
    assertFalse(gateway.upstream.commands.contains("DATA"));
    expect("250", client.content(" and the other half\r\n"));
    assertEquals(BEGUN_TWICE, gateway.upstream.commands.toString());
  }

  /** Octets of one TLS record keep the session's read awake, and yet they must not. */
  @Test
  void recordOfATricklingClientKeepsNoUpstream() throws Exception {
    ScriptedUpstream upstream = new ScriptedUpstream();
    // Long enough for the first octet to come before its end.
    upstream.idleLimit = Duration.ofMillis(500);
    try (TestGateway gateway = TestGateway.underTls("tls: starttls", "", upstream).tended();
        HoldingSocket socket = new HoldingSocket(gateway.port());
        SmtpClient client = ThrowawayKey.encrypted(socket).fromGreetingToRcpt()) {
      expect("354", client.ask("DATA"));
      socket.hold();
      client.raw("Subject: drip\r\n\r\n" + LINE.repeat(150) + ".\r\n");
      CountDownLatch givenBack = new CountDownLatch(1);
      Thread drip =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  while (!givenBack.await(5, TimeUnit.MILLISECONDS)) {
                    socket.send(1);
                  }
                  socket.release();
                } catch (IOException | InterruptedException e) {
                  throw new AssertionError(e);
                }
              });
      gateway.upstream.awaitClose();
      assertFalse(gateway.upstream.commands.contains("DATA"));
      givenBack.countDown();
      drip.join();
      expect("250", client.reply());
      assertEquals(BEGUN_TWICE, gateway.upstream.commands.toString());
      assertTrue(
          gateway.upstream.taken.getFirst().content().endsWith("\r\n\r\n" + LINE.repeat(150)));
    }
  }

  @Test
  void upTo256KibAreReadWholeAndMoreIsStreamed() throws Exception {
    ScriptedUpstream upstream = gateway.upstream;
    upstream.idleLimit = Duration.ofMillis(30);
    gateway.tended();
    try (SmtpClient client = gateway.connect().upToContent()) {
      String body = LINE.repeat(256 * 1024 / LINE.length() - 1);
      client.raw("A: b\r\n\r\n" + body);
      // It would not be closed inside DATA.
      upstream.awaitClose();
      assertFalse(upstream.commands.contains("DATA"));
      client.raw(".\r\n");
      expect("250", client.reply());
      assertTrue(upstream.taken.getFirst().content().endsWith("\r\n\r\n" + body));
    }
    gateway.awaitQuiet();
    upstream.awaitClose();
    upstream.commands.clear();
    upstream.idleLimit = Duration.ofMinutes(1);
    try (SmtpClient client = gateway.connect().upToContent()) {
      client.raw("A: b\r\n\r\n" + LINE.repeat(300 * 1024 / LINE.length()));
    }
    gateway.awaitQuiet();
    assertTrue(upstream.commands.contains("DATA"), "streamed from 256 KiB on");
    assertFalse(upstream.commands.contains("."));
  }

  // ---- memory

  @Test
  void memoryOfAllMessagesIsBoundedAndGivenBack() throws Exception {
    try (TestGateway gateway = TestGateway.holding(100 * 1024)) {
      try (SmtpClient greedy = gateway.connect().upToContent();
          SmtpClient client = gateway.connect().upToContent()) {
        greedy.raw("A: b\r\n\r\n" + LINE.repeat(90 * 1024 / LINE.length()));
        // It goes to the upstream sooner, and arrives.
        expect("250", client.content("A: b\r\n\r\n" + LINE.repeat(40 * 1024 / LINE.length())));
        greedy.raw(".\r\n");
        expect("250", greedy.reply());
      }
      gateway.awaitQuiet();
      assertEquals(2, gateway.upstream.taken.size());
      assertEquals(0, gateway.registry.contentBudget().takenOctets());
    }
  }

  /** Each costs a mail server nothing, and us a kilobyte for as long as the client waits. */
  @Test
  void recipientsAreBoundedByTheirOctetsAndGivenBack() throws Exception {
    int many = 200;
    String orcpt = " ORCPT=rfc822;" + "x".repeat(480);
    try (TestGateway gateway = TestGateway.holding(400 * 1024)) {
      try (SmtpClient greedy = gateway.connect().upToRcpt();
          SmtpClient client = gateway.connect()) {
        int taken = 0;
        for (int i = 0; i < many; i++) {
          String reply = greedy.ask("RCPT TO:<r" + i + "@example.com>" + orcpt);
          taken += reply.startsWith("250") ? 1 : 0;
          assertTrue(reply.startsWith("250") || reply.startsWith("452 4.5.3"), reply);
        }
        assertTrue(taken > 100 && taken < 130, "taken: " + taken);
        assertEquals(Limit.HELD_CONTENT, gateway.telemetry.limits.getFirst());
        assertTrue(gateway.registry.heldContentOctets() < 101 * 1024);
        // Others have little, and need no more.
        client.upToRcpt();
        expect("250", client.ask("RCPT TO:<eve@example.com>" + orcpt));
        expect("250", client.message("Subject: x\r\n\r\n" + LINE.repeat(500)));
        expect("250", greedy.message("Subject: x\r\n\r\nbody\r\n"));
        assertEquals(taken + 1, gateway.upstream.taken.get(1).to().size());
        greedy.raw("MAIL FROM:<a@sender.example>\r\nRCPT TO:<bob@example.com>\r\n");
        expect("250", greedy.reply());
        expect("250", greedy.reply());
      }
      gateway.awaitQuiet();
      assertEquals(0, gateway.registry.contentBudget().takenOctets());
    }
  }
}
