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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Mail of a listed client in mode observe that the protocol or the mail server refuses: {@code
 * explain} of its id shows both, and one does not contradict the other.
 */
class ObservedProtocolStoryTest {

  private static final String CLIENT = "45.66.0.9";

  @TempDir private Path folder;

  @Test
  void explainShowsTheReplyAndWhatTheListsWouldHaveDone() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      sendBareLineEnd(gateway, CLIENT);
      Conditions.await("the session", () -> sessions(gateway).size() == 1);
      JsonObject session = sessions(gateway).getFirst();
      assertEquals("protocol", session.text("outcome").orElseThrow(), session::toString);
      assertEquals(1, explained(gateway).exitCode());
      String out = shown(gateway);
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

  /** The exit code says that the mail was refused, also without a list. */
  @Test
  void aRefusalWithoutAListIsOneToo() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      sendBareLineEnd(gateway, "45.66.0.10");
      Conditions.await("the session", () -> sessions(gateway).size() == 1);
      CommandLineInProcess.Result done = explained(gateway);
      assertTrue(done.out().contains(": 550 5.5.2 "), done.out());
      assertEquals(1, done.exitCode(), done.out());
    }
  }

  /** The mail server does not know the first recipient. */
  @Test
  void mailIsKeptUnderTheRecipientThatTheMailServerTook() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start().on("RCPT", "550 5.1.1 No such user");
        GatewayFixture gateway = gateway(upstream)) {
      try (SmtpClient client = begun(gateway)) {
        SmtpClient.expect("550", client.command("RCPT TO:<nobody@example.com>"));
        SmtpClient.expect("250", client.command("RCPT TO:<joe@example.com>"));
        SmtpClient.expect("250", client.message("Subject: hi\r\n\r\n"));
      }
      Conditions.await(
          "the mail",
          () ->
              sessions(gateway).stream()
                  .anyMatch(session -> session.text("outcome").orElse("").equals("delivered")));
      String shown = shown(gateway);
      assertTrue(shown.contains("to=joe@example.com, delivered"), shown);
      assertTrue(shown.contains("would have been REFUSED, was delivered"), shown);
    }
  }

  /** One session with one recipient, refused by the mail server or not taken for now. */
  @ParameterizedTest
  @CsvSource({
    "550 5.1.1 No such user, was refused by the mail server",
    "451 4.3.0 Try again, was put off by the mail server"
  })
  void aRecipientThatTheMailServerRefusedWasNotLetThrough(String reply, String met)
      throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start().on("RCPT", reply);
        GatewayFixture gateway = gateway(upstream)) {
      try (SmtpClient client = begun(gateway)) {
        SmtpClient.expect(reply.substring(0, 3), client.command("RCPT TO:<nobody@example.com>"));
      }
      Conditions.await("the session", () -> sessions(gateway).size() == 1);
      JsonObject session = sessions(gateway).getFirst();
      assertEquals(1, session.number("recipients").orElseThrow(), session::toString);
      String shown = shown(gateway);
      assertTrue(shown.contains("would have been REFUSED, " + met), shown);
      assertTrue(shown.contains("  listed   mine  " + CLIENT), shown);
      assertFalse(shown.contains("was let through"), shown);
    }
  }

  /** What {@code explain} shows of the only session. */
  private String shown(GatewayFixture gateway) {
    return explained(gateway).out();
  }

  private CommandLineInProcess.Result explained(GatewayFixture gateway) {
    String id = sessions(gateway).getFirst().text("id").orElseThrow();
    return CommandLineInProcess.run(
        "explain", id, "-c", folder.resolve("bloomgate.yaml").toString());
  }

  private static SmtpClient begun(GatewayFixture gateway) throws IOException {
    return begun(gateway, CLIENT);
  }

  private static SmtpClient begun(GatewayFixture gateway, String from) throws IOException {
    SmtpClient client = SmtpClient.proxied(gateway.port("mx"), from);
    client.lines();
    client.command("EHLO mail.partner.example");
    SmtpClient.expect("250", client.command("MAIL FROM:<a@partner.example>"));
    return client;
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
    gateway.start();
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
    return gateway;
  }

  private static void sendBareLineEnd(GatewayFixture gateway, String from) throws IOException {
    try (SmtpClient client = begun(gateway, from)) {
      SmtpClient.expect("250", client.command("RCPT TO:<bob@example.com>"));
      SmtpClient.expect("550", client.message("Subject: hi\r\n\r\none\ntwo\r\n"));
    }
  }

  private static List<JsonObject> sessions(GatewayFixture gateway) {
    return gateway
        .control(new ControlRequest.SessionsList(Instant.EPOCH, null, null, null, null, null, 9))
        .items();
  }
}
