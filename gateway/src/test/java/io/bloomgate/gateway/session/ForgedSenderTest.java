package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What remembered answers do to mail that only looks like the one that they belong to. */
final class ForgedSenderTest extends BeforeServers {

  private static final String SMALL = "Subject: hi\r\n\r\nbody\r\n";
  private static final String CLIENT = "127.0.0.1";

  /** Of another network. */
  private static final String STRANGER = "127.9.0.1";

  @BeforeEach
  void begin() throws IOException {
    startRouted();
  }

  private SmtpClient from(String address) throws IOException {
    return new SmtpClient(gateway().port(), address);
  }

  @Test
  void aStrangerWithTheSameSenderChangesNothing() throws Exception {
    other.on(ScriptedUpstream.FINAL_DOT, "552 5.2.2 full");
    expect("451 4.2.0", sendBy(from(STRANGER), SMALL, BOB, SUE).getLast());
    try (SmtpClient stranger = from(STRANGER).upToMail("alice@sender.example")) {
      expect("250", rcpt(stranger, BOB));
      expect("451 4.5.3", rcpt(stranger, SUE));
      expect("250", stranger.ask("RSET"));
    }
    // The true sender's equal mail: nobody waits, and nobody gets an answer that no server gave.
    List<String> replies = sendBy(from(CLIENT), SMALL, BOB, SUE);
    assertEquals(List.of("250 2.1.5", "250 2.1.5"), replies.subList(0, 2));
    expect("250", replies.getLast());
    assertEquals(2, one.deliveredCount());
    assertEquals(1, other.deliveredCount());
  }

  @Test
  void aMereRcptMakesNobodyWait() throws Exception {
    other.on(ScriptedUpstream.FINAL_DOT, "552 5.2.2 full");
    expect("451 4.2.0", sendBy(from(CLIENT), SMALL, BOB, SUE).getLast());
    try (SmtpClient forger = from(CLIENT).upToMail("alice@sender.example")) {
      expect("250", rcpt(forger, EVE));
      expect("451 4.5.3", rcpt(forger, SUE));
      expect("250", forger.ask("RSET"));
    }
    List<String> replies = sendBy(from(CLIENT), "Subject: real\r\n\r\n", EVE);
    assertEquals("250 2.1.5", replies.getFirst());
    expect("250", replies.getLast());
  }

  @Test
  void equalContentIsANewMailOnceTheAnswerWasHeard() throws Exception {
    other.on(ScriptedUpstream.FINAL_DOT, "452 4.2.2 try later");
    expect("451 4.2.0", sendBy(from(CLIENT), SMALL, BOB, SUE).getLast());
    expect("250", sendBy(from(CLIENT), SMALL, BOB, SUE).getLast());
    assertEquals(1, one.deliveredCount());
    for (int copies = 2; copies < 4; copies++) {
      expect("250", sendBy(from(CLIENT), SMALL, BOB).getLast());
      assertEquals(copies, one.deliveredCount());
    }
    assertEquals(0, memory.size());
  }
}
