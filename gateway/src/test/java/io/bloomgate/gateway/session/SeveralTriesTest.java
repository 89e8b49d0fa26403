package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sender over LMTP whose tries are not one after the other, or not of one content: programs that
 * write a new date or boundary into each try, and those that try again while a try goes on.
 */
final class SeveralTriesTest {

  private static final String BOB = "<bob@example.com>";
  private static final String EVE = "<eve@example.com>";
  private static final String FULL = "552 5.2.2 full";

  @TempDir Path folder;
  private final ScriptedUpstream server = ScriptedUpstream.start();

  /** What the mail server answers behind the dot, if not 250. */
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  private final List<String> held = new CopyOnWriteArrayList<>();
  private AnswerMemory memory = AnswerMemory.none();
  private @Nullable MailRoutes routes;
  private @Nullable TestGateway gateway;

  @BeforeEach
  void start() throws IOException {
    routes =
        TestGateway.mailRoutes(
            "domains: [example.com]\ndownstream: {host: 127.0.0.1, protocol: lmtp,"
                + " client_address: none, port: "
                + server.port()
                + "}\n");
    memory = new AnswerMemory(InstantSource.system());
    gateway = TestGateway.before(Objects.requireNonNull(routes), memory, new RecordingTelemetry());
    server.offering("PIPELINING").always(ScriptedUpstream.FINAL_DOT, this::answerEach);
  }

  @AfterEach
  void stop() {
    Objects.requireNonNull(gateway).close();
    Objects.requireNonNull(routes).close();
    memory.close();
    server.close();
  }

  private void answerEach(UpstreamConnection connection) throws IOException {
    for (String to : connection.recipients()) {
      String answer = answers.getOrDefault(to, "250 2.0.0 saved");
      if (answer.startsWith("250")) {
        held.add(to);
      }
      connection.reply(answer);
    }
  }

  /** A session whose message is sent, with no reply to it yet. */
  private SmtpClient sent(String text, String... recipients) throws IOException {
    SmtpClient client = Objects.requireNonNull(gateway).connect();
    client.upToMail("alice@sender.example");
    for (String to : recipients) {
      client.ask("RCPT TO:" + to);
    }
    expect("354", client.ask("DATA"));
    client.raw("Subject: " + text + "\r\n\r\n.\r\n");
    return client;
  }

  private String send(String text, String... recipients) throws IOException {
    try (SmtpClient client = sent(text, recipients)) {
      return client.reply();
    }
  }

  @Test
  void recipientsWhoseAnswersAreRememberedOfSeveralContentsGetTheirAnswers() throws Exception {
    answers.putAll(Map.of(BOB, FULL, EVE, FULL));
    expect("451 4.2.0", send("first", BOB, "<ann@example.com>"));
    expect("451 4.2.0", send("first", EVE, "<dan@example.com>"));
    answers.remove(BOB);
    expect("451 4.2.0", send("second", BOB, EVE));
    // Each was refused once; of this content one was taken, and the other was not.
    expect("250", send("second", BOB, EVE));
    assertEquals(FULL, send("second", EVE));
  }

  @Test
  void theEndOfAnEarlierTryDoesNotForgetTheAnswersOfALaterOne() throws Exception {
    CountDownLatch atServer = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    server.on(
        ScriptedUpstream.FINAL_DOT,
        connection -> {
          atServer.countDown();
          await(goOn);
          answerEach(connection);
        });
    try (SmtpClient first = sent("text", BOB, EVE)) {
      await(atServer);
      answers.put(EVE, "452 4.2.2 not now");
      expect("451 4.2.0 Taken for 1", send("text", BOB, EVE));
      answers.remove(EVE);
      goOn.countDown();
      expect("250", first.reply());
    }
    expect("250", send("text", BOB, EVE));
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
