package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Postfix as the sender of messages for recipients on two routes, and behind each route a
 * real Postfix that takes XCLIENT; what these say of a message is scripted behind them.
 */
class PostfixRoutesStoryTest {

  @TempDir Path folder;
  private final ScriptedUpstream sink = ScriptedUpstream.start();
  private final ScriptedUpstream otherSink = ScriptedUpstream.start();

  @AfterEach
  void close() {
    sink.close();
    otherSink.close();
  }

  private static String route(int port, ScriptedUpstream sink) {
    return """
    127.0.0.1:%d inet n - n - 10 smtpd
      -o smtpd_proxy_filter=127.0.0.1:%d -o smtpd_authorized_xclient_hosts=127.0.0.0/8
    """
        .formatted(port, sink.port());
  }

  private static String sender(int port) {
    return """
    127.0.0.1:%d inet n - n - 10 smtpd
      -o mynetworks=127.0.0.0/8 -o smtpd_relay_restrictions=permit_mynetworks,reject
    smtp unix - - n - - smtp
    relay unix - - n - - smtp
    defer unix - - n - 0 bounce
    retry unix - - n - - error
    """
        .formatted(port);
  }

  @Test
  void eachRecipientGetsOneCopyOrHisOwnRefusal() throws Exception {
    int port = FreePort.next();
    int otherPort = FreePort.next();
    int senderPort = FreePort.next();
    String downstream =
        "{host: 127.0.0.1, port: %d, routes: {.sub.example.com: {host: 127.0.0.1, port: %d}}}"
            .formatted(port, otherPort);
    try (GatewayFixture gateway =
            GatewayFixture.in(Files.createDirectory(folder.resolve("gateway")), 1)
                .with("downstream", downstream)
                .start();
        PostfixServer postfix =
            // A queue run in the second of the deferral finds the message locked by the delivery
            // that is about to end; Postfix then waits 60 s. So the retry comes 3 s later.
            PostfixServer.start(
                folder,
                """
                relayhost = [127.0.0.1]:%d
                queue_run_delay = 1s
                minimal_backoff_time = 3s
                maximal_backoff_time = 4s
                """
                    .formatted(gateway.port("plain")),
                route(port, sink) + route(otherPort, otherSink) + sender(senderPort),
                port,
                otherPort,
                senderPort)) {
      otherSink.on(ScriptedUpstream.FINAL_DOT, "452 4.2.2 a bad moment");
      send(senderPort, "bob@example.com", "sue@one.sub.example.com", "eve@example.com");
      assertEquals(List.of("<bob@example.com>", "<eve@example.com>"), taken(sink));
      assertEquals(List.of("<sue@one.sub.example.com>"), taken(otherSink));
      for (String name : List.of("bob@", "eve@", "sue@one.sub.")) {
        await(postfix, "to=<" + name + "example.com>", "status=sent");
      }
      String log = Files.readString(postfix.log());
      assertTrue(log.contains("said: 451 4.2.0 Taken for 2 of 3 recipients"), log);
      // The next one is refused for good there; only her sender's copy for her comes back.
      otherSink.always(ScriptedUpstream.FINAL_DOT, c -> c.reply("554 5.7.1 not this"));
      send(senderPort, "joe@example.com", "max@one.sub.example.com");
      await(postfix, "to=<joe@example.com>", "status=sent");
      await(postfix, "to=<max@one.sub.example.com>", "554 5.7.1 not this", "status=bounced");
      assertEquals(List.of("<joe@example.com>"), taken(sink));
    }
    assertEquals(2, sink.deliveredCount());
    assertEquals(1, otherSink.deliveredCount());
  }

  /** For whom the next message came, without parameters. */
  private static List<String> taken(ScriptedUpstream sink) {
    return sink.nextDelivery().to().stream().map(to -> to.split(" ", 2)[0]).toList();
  }

  private static void send(int port, String... recipients) throws IOException {
    try (SmtpClient client = new SmtpClient(port)) {
      client.lines();
      client.command("EHLO sender.example");
      client.command("MAIL FROM:<a@partner.example>");
      for (String to : recipients) {
        assertEquals("250", client.command("RCPT TO:<" + to + ">").substring(0, 3));
      }
      client.command("DATA");
      assertEquals("250", client.content("Subject: x\r\n\r\nbody\r\n").substring(0, 3));
      client.command("QUIT");
    }
  }

  /** Until a line of the log has all these words. */
  private static void await(PostfixServer postfix, String... words) throws IOException {
    Conditions.await(
        String.join(" ", words),
        () ->
            Files.readString(postfix.log())
                .lines()
                .anyMatch(line -> List.of(words).stream().allMatch(line::contains)));
  }
}
