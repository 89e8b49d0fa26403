package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.ServerMemory;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What remembered answers do to mail that only looks like the one that they belong to. */
final class ForgedSenderTest {

  private static final String SMALL = "Subject: hi\r\n\r\nbody\r\n";
  private static final String BOB = "bob@example.com";
  private static final String EVE = "eve@example.com";
  private static final String SUE = "sue@one.sub.example.com";

  private static final String CLIENT = "127.0.0.1";

  /** Of another network. */
  private static final String STRANGER = "127.9.0.1";

  private final ScriptedUpstream one = ScriptedUpstream.start();
  private final ScriptedUpstream other = ScriptedUpstream.start();
  private MailRoutes upstreams;
  private AnswerMemory memory;
  private TestGateway gateway;

  @BeforeEach
  void begin(@TempDir Path folder) throws IOException {
    String yaml =
        "domains: [example.com, .sub.example.com]\n"
            + "downstream: {host: 127.0.0.1, client_address: none, port: "
            + one.port()
            + ", routes: {.sub.example.com: {host: 127.0.0.1, port: "
            + other.port()
            + ", client_address: none}}}\n";
    Settings settings =
        switch (SettingsFile.parse("test.yaml", yaml, Map.of(), () -> "mx.test.example")) {
          case SettingsResult.Loaded loaded -> loaded.settings();
          case SettingsResult.Invalid(var problems) -> throw new AssertionError(problems);
        };
    upstreams =
        new MailRoutes(
            settings.downstream(),
            "mx.test.example",
            System::nanoTime,
            () -> {},
            ServerMemory.ofProcess(),
            Runnable::run,
            ClientNames.OFF);
    memory = new AnswerMemory(InstantSource.system());
    gateway = TestGateway.before(upstreams, memory, new RecordingTelemetry());
  }

  @AfterEach
  void close() {
    gateway.close();
    upstreams.close();
    memory.close();
    one.close();
    other.close();
  }

  /** One message in a new session: the replies to each RCPT and to the dot. */
  private List<String> send(String from, String content, String... recipients) throws IOException {
    List<String> replies = new ArrayList<>();
    try (SmtpClient client = new SmtpClient(gateway.port(), from)) {
      greet(client);
      for (String to : recipients) {
        replies.add(client.ask("RCPT TO:<" + to + ">").substring(0, 9).strip());
      }
      expect("354", client.ask("DATA"));
      client.raw(content + ".\r\n");
      replies.add(client.reply());
      expect("221", client.ask("QUIT"));
    }
    return replies;
  }

  private static void greet(SmtpClient client) throws IOException {
    expect("220", client.reply());
    expect("250", client.ask("EHLO client.example"));
    expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
  }

  @Test
  void aStrangerWithTheSameSenderChangesNothing() throws Exception {
    other.on(ScriptedUpstream.FINAL_DOT, "552 5.2.2 full");
    expect("451 4.2.0", send(STRANGER, SMALL, BOB, SUE).getLast());
    try (SmtpClient stranger = new SmtpClient(gateway.port(), STRANGER)) {
      greet(stranger);
      expect("250", stranger.ask("RCPT TO:<" + BOB + ">"));
      expect("452", stranger.ask("RCPT TO:<" + SUE + ">"));
      expect("250", stranger.ask("RSET"));
    }
    // The true sender's equal mail: nobody waits, and nobody gets an answer that no server gave.
    List<String> replies = send(CLIENT, SMALL, BOB, SUE);
    assertEquals(List.of("250 2.1.5", "250 2.1.5"), replies.subList(0, 2));
    expect("250", replies.getLast());
    assertEquals(2, one.deliveredCount());
    assertEquals(1, other.deliveredCount());
  }

  @Test
  void aMereRcptMakesNobodyWait() throws Exception {
    other.on(ScriptedUpstream.FINAL_DOT, "552 5.2.2 full");
    expect("451 4.2.0", send(CLIENT, SMALL, BOB, SUE).getLast());
    try (SmtpClient forger = new SmtpClient(gateway.port(), CLIENT)) {
      greet(forger);
      expect("250", forger.ask("RCPT TO:<" + EVE + ">"));
      expect("452", forger.ask("RCPT TO:<" + SUE + ">"));
      expect("250", forger.ask("RSET"));
    }
    List<String> replies = send(CLIENT, "Subject: real\r\n\r\n", EVE);
    assertEquals("250 2.1.5", replies.getFirst());
    expect("250", replies.getLast());
  }

  @Test
  void equalContentIsANewMailOnceTheAnswerWasHeard() throws Exception {
    other.on(ScriptedUpstream.FINAL_DOT, "452 4.2.2 try later");
    expect("451 4.2.0", send(CLIENT, SMALL, BOB, SUE).getLast());
    expect("250", send(CLIENT, SMALL, BOB, SUE).getLast());
    assertEquals(1, one.deliveredCount());
    for (int copies = 2; copies < 4; copies++) {
      expect("250", send(CLIENT, SMALL, BOB).getLast());
      assertEquals(copies, one.deliveredCount());
    }
    assertEquals(0, memory.size());
  }
}
