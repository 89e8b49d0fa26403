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
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sender whose message is another one at each try, as of programs that write a new date or
 * boundary into it, over LMTP: its recipients have remembered answers for several contents.
 */
final class ChangedMessageTest {

  private static final String FULL = "552 5.2.2 full";

  @TempDir Path folder;

  /** What the mail server answers behind the dot, if not 250. */
  private final Map<String, String> answers = new ConcurrentHashMap<>();

  @Test
  void recipientsWhoseAnswersAreRememberedOfSeveralContentsGetTheirAnswers() throws Exception {
    try (ScriptedUpstream server = ScriptedUpstream.start();
        MailRoutes routes =
            TestGateway.mailRoutes(
                "domains: [example.com]\ndownstream: {host: 127.0.0.1, protocol: lmtp,"
                    + " client_address: none, port: "
                    + server.port()
                    + "}\n");
        AnswerMemory memory =
            AnswerMemory.open(
                folder.resolve("answers"), InstantSource.system(), new SecureRandom());
        TestGateway gateway = TestGateway.before(routes, memory, new RecordingTelemetry())) {
      server.offering("PIPELINING").always(ScriptedUpstream.FINAL_DOT, this::answerEach);
      answers.putAll(Map.of("<bob@example.com>", FULL, "<eve@example.com>", FULL));
      expect("451 4.2.0", send(gateway, "first", "bob", "ann"));
      expect("451 4.2.0", send(gateway, "first", "eve", "dan"));
      answers.remove("<bob@example.com>");
      expect("451 4.2.0", send(gateway, "second", "bob", "eve"));
      // Each was refused once; of this content one was taken, and the other was not.
      expect("250", send(gateway, "second", "bob", "eve"));
      assertEquals(FULL, send(gateway, "second", "eve"));
    }
  }

  private void answerEach(UpstreamConnection connection) throws IOException {
    for (String to : connection.recipients()) {
      connection.reply(answers.getOrDefault(to, "250 2.0.0 saved"));
    }
  }

  /** The reply to the final dot. */
  private static String send(TestGateway gateway, String text, String... recipients)
      throws IOException {
    try (SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("250", client.ask("EHLO client.example"));
      expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
      for (String to : recipients) {
        client.ask("RCPT TO:<" + to + "@example.com>");
      }
      expect("354", client.ask("DATA"));
      client.raw("Subject: " + text + "\r\n\r\n.\r\n");
      return client.reply();
    }
  }
}
