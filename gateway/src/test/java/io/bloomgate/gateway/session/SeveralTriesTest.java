package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A sender over LMTP whose tries are not one after the other, or not of one content: programs that
 * write a new date or boundary into each try, and those that try again while a try goes on.
 */
final class SeveralTriesTest extends BeforeServers {

  private static final String FULL = "552 5.2.2 full";

  @BeforeEach
  void begin() throws IOException {
    startLmtp();
  }

  /** A session whose message is sent, with no reply to it yet. */
  private SmtpClient sent(String text, String... recipients) throws IOException {
    SmtpClient client = upToMail();
    for (String to : recipients) {
      rcpt(client, to);
    }
    expect("354", client.ask("DATA"));
    client.raw("Subject: " + text + "\r\n\r\n.\r\n");
    return client;
  }

  private String last(String text, String... recipients) throws IOException {
    try (SmtpClient client = sent(text, recipients)) {
      return client.reply();
    }
  }

  @Test
  void whatLmtpSaidBeforeItDiedCounts() throws Exception {
    answers.put(EVE, "drop");
    expect("451 4.2.0", last("dies", BOB, EVE, SUE));
    answers.clear();
    expect("250", last("dies", BOB, EVE, SUE));
    assertEquals(List.of(BOB, EVE, SUE), held);
  }

  @Test
  void recipientsWhoseAnswersAreRememberedOfSeveralContentsGetTheirAnswers() throws Exception {
    answers.putAll(Map.of(BOB, FULL, EVE, FULL));
    expect("451 4.2.0", last("first", BOB, "ann@example.com"));
    expect("451 4.2.0", last("first", EVE, "dan@example.com"));
    answers.remove(BOB);
    expect("451 4.2.0", last("second", BOB, EVE));
    // Each was refused once; of this content one was taken, and the other was not.
    expect("250", last("second", BOB, EVE));
    assertEquals(FULL, last("second", EVE));
  }

  @Test
  void theEndOfAnEarlierTryDoesNotForgetTheAnswersOfALaterOne() throws Exception {
    CountDownLatch atServer = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    one.on(
        ScriptedUpstream.FINAL_DOT,
        connection -> {
          atServer.countDown();
          await(goOn);
          answerEach(connection);
        });
    try (SmtpClient first = sent("text", BOB, EVE)) {
      await(atServer);
      answers.put(EVE, "452 4.2.2 not now");
      expect("451 4.2.0 Taken for 1", last("text", BOB, EVE));
      answers.remove(EVE);
      goOn.countDown();
      expect("250", first.reply());
    }
    expect("250", last("text", BOB, EVE));
    assertEquals(List.of(BOB, BOB, EVE, EVE), held, "what the second try said of bob still counts");
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new IOException("the other side did not come");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
