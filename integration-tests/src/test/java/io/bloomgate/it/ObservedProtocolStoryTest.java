package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mail of a listed client in mode observe that the protocol refuses for a bare line end: {@code
 * explain} of its id shows both, and one does not contradict the other.
 */
@Timeout(120)
class ObservedProtocolStoryTest {

  private static final String CLIENT = "45.66.0.9";

  @TempDir private Path folder;

  @Test
  void explainShowsTheReplyAndWhatTheListsWouldHaveDone() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      Conditions.await(
          "the list",
          () ->
              gateway
                      .control(new ControlRequest.Status())
                      .only()
                      .object("entries")
                      .orElseThrow()
                      .number("ipv4")
                      .orElse(0)
                  == 1);
      sendBareLineEnd(gateway);
      Conditions.await("the session", () -> sessions(gateway).size() == 1);
      JsonObject session = sessions(gateway).getFirst();
      assertEquals("protocol", session.text("outcome").orElseThrow(), session::toString);
      String id = session.text("id").orElseThrow();
      CommandLineInProcess.Result done =
          CommandLineInProcess.run(
              "explain", id, "-c", folder.resolve("bloomgate.yaml").toString());
      String out = done.out();
      assertTrue(
          out.contains(
              "was refused at DATA by a rule of the protocol or a limit, not by a list; by the"
                  + " lists it would have been REFUSED   mode observe"),
          out);
      assertTrue(out.contains("  listed   mine  " + CLIENT), out);
      assertTrue(out.contains("  now      would be REFUSED at RCPT (mode observe"), out);
      assertTrue(out.contains(": 550 5.5.2 "), out);
      assertTrue(out.contains("no allow entry lifts that"), out);
      assertFalse(out.contains("no list decided"), out);
    }
  }

  private GatewayFixture gateway(ScriptedUpstream upstream) throws IOException {
    GatewayFixture gateway =
        GatewayFixture.in(folder, upstream.port())
            .with("mode", "observe")
            .with(
                "feeds",
                """

                  guard: {max_turnover: none, max_shrink: 100%}
                  sources:
                    mine: {file: FOLDER/mine.txt, format: lines, action: reject}\
                """
                    .replace("FOLDER", folder.toString()));
    gateway.prepare();
    gateway.write("mine.txt", CLIENT);
    return gateway.start();
  }

  private static void sendBareLineEnd(GatewayFixture gateway) throws IOException {
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), CLIENT)) {
      client.lines();
      client.command("EHLO mail.partner.example");
      SmtpClient.expect("250", client.command("MAIL FROM:<a@partner.example>"));
      SmtpClient.expect("250", client.command("RCPT TO:<bob@example.com>"));
      SmtpClient.expect("354", client.command("DATA"));
      client.raw("Subject: hi\r\n\r\none\ntwo\r\n.\r\n");
      SmtpClient.expect("550", client.lines().getLast());
    }
  }

  private static List<JsonObject> sessions(GatewayFixture gateway) {
    return gateway
        .control(new ControlRequest.SessionsList(Instant.EPOCH, null, null, null, null, null, 9))
        .items();
  }
}
