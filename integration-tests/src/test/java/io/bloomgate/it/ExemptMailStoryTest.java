package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Postfix sends mail to postmaster and to others, where content may refuse it: each gets a
 * good mail, at the next queue run; a listed link reaches postmaster alone.
 */
class ExemptMailStoryTest {

  @TempDir Path folder;

  @Test
  void postfixSendsTheMailAgainToTheOtherKind() throws IOException, InterruptedException {
    Path own = Files.createDirectory(folder.resolve("gateway"));
    int port = FreePort.next();
    try (ScriptedUpstream sink = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(own, sink.port());
        PostfixServer postfix = sender(port, gateway.port("plain"))) {
      send(port, "hello");
      assertEquals(
          List.of("<bob@example.com>", "<postmaster@example.com>"),
          sorted(sink.nextDelivery(), sink.nextDelivery()));
      send(port, "see http://evil.example.net/login now");
      ScriptedUpstream.Delivery only = sink.nextDelivery();
      assertEquals(List.of("<postmaster@example.com>"), sorted(only));
      assertTrue(only.content().contains("X-Spam-Flag: YES"), only::content);
      Conditions.await(
          "Postfix is refused for the other recipient",
          () -> {
            String log = Files.readString(postfix.log());
            return log.lines()
                .anyMatch(line ->
                    line.contains("to=<bob@example.com>")
                        && line.contains("status=bounced")
                        && line.contains("554 5.7.1 Service unavailable; URL ["));
          });
    }
  }

  private static GatewayFixture gateway(Path own, int upstream) throws IOException {
    GatewayFixture fixture = GatewayFixture.in(own, upstream);
    fixture.write("urls.txt", "http://evil.example.net/login");
    return fixture
        .with("policy", "{exempt_mail: apart}")
        .with(
            "feeds",
            "{sources: {urls: {file: "
                + own
                + "/urls.txt, format: urls, checks: [url],"
                + " action: reject}}}")
        .start();
  }

  private PostfixServer sender(int port, int gateway) throws IOException, InterruptedException {
    return PostfixServer.start(
        folder,
        // A queue run within the second of the first attempt can meet a file that the client still
        // holds, and Postfix then leaves that file for five minutes.
        "relay_transport = relay:[127.0.0.1]:"
            + gateway
            + "\nqueue_run_delay = 1s\nminimal_backoff_time = 4s\n",
        "127.0.0.1:"
            + port
            + """
             inet n - n - 10 smtpd
            relay unix - - n - - smtp
            smtp unix - - n - - smtp
            error unix - - n - - error
            retry unix - - n - - error
            defer unix - - n - 0 bounce
            trace unix - - n - 0 bounce
            """,
        port);
  }

  private static void send(int port, String text) throws IOException {
    try (SmtpClient client = new SmtpClient(port)) {
      client.reply();
      client.command("EHLO client.example");
      SmtpClient.expect("250", client.command("MAIL FROM:<>"));
      SmtpClient.expect("250", client.command("RCPT TO:<bob@example.com>"));
      SmtpClient.expect("250", client.command("RCPT TO:<postmaster@example.com>"));
      SmtpClient.expect("354", client.command("DATA"));
      client.raw("Subject: x\r\n\r\n" + text + "\r\n.\r\n");
      SmtpClient.expect("250", client.reply());
    }
  }

  private static List<String> sorted(ScriptedUpstream.Delivery... deliveries) {
    List<String> all = new ArrayList<>();
    for (ScriptedUpstream.Delivery delivery : deliveries) {
      delivery.to().forEach(to -> all.add(to.split(" ", 2)[0]));
    }
    return all.stream().sorted().toList();
  }
}
