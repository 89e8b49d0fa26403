package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Settings and lists change under 200 sessions, and none of them notices. */
class ReloadStoryTest extends Story {

  private static final int SESSIONS = 200;

  /** A session and what it has to say next. */
  private record Open(SmtpClient client, List<String> rest) {}

  @Test
  void sessionsOfEveryStageGoOnAcrossAReload() throws IOException {
    gateway.with("downstream", downstream(upstream)).start();
    try (ScriptedUpstream newUpstream = ScriptedUpstream.start()) {
      List<Open> sessions = new ArrayList<>();
      for (int i = 0; i < SESSIONS; i++) {
        sessions.add(open(i));
      }
      gateway.with("downstream", downstream(newUpstream)).with("mode", "soft").writeSettings();
      assertEquals(0, gateway.control(new ControlRequest.ConfigReload(false)).exitCode());
      gateway.write("drop.txt", "192.0.2.77");
      assertEquals(
          0, gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true)).exitCode());

      for (Open session : sessions) {
        for (String command : session.rest()) {
          String reply = session.client().command(command);
          assertTrue(reply.startsWith("2") || reply.startsWith("354"), reply);
        }
        session.client().close();
      }
      assertEquals(markers(), delivered(upstream, newUpstream));

      // Sessions that begin now see the new settings and the new list.
      try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), "192.0.2.77")) {
        String refusal =
            client.rcpt("mail.partner.example", "a@partner.example", "bob@example.com");
        assertTrue(refusal.startsWith("451 4.7.1 Service unavailable; Client host"), refusal);
      }
    }
  }

  private static String downstream(ScriptedUpstream upstream) {
    return "{host: 127.0.0.1, port: "
        + upstream.port()
        + ", client_address: none, max_connections: 1200}";
  }

  /** Session i, taken to one of five stages. */
  private Open open(int i) throws IOException {
    SmtpClient client =
        SmtpClient.proxied(gateway.port("mx"), "198.18." + i / 250 + "." + (1 + i % 250));
    client.lines();
    List<String> commands =
        List.of(
            "EHLO mail.partner.example",
            "MAIL FROM:<m" + i + "@partner.example>",
            "RCPT TO:<bob@example.com>",
            "DATA",
            "Subject: m" + i + "\r\n\r\nbody\r\n.",
            "QUIT");
    int said = i % 5;
    for (String command : commands.subList(0, said)) {
      client.command(command);
    }
    return new Open(client, commands.subList(said, commands.size()));
  }

  private static Set<String> markers() {
    Set<String> markers = new HashSet<>();
    for (int i = 0; i < SESSIONS; i++) {
      markers.add("<m" + i + "@partner.example>");
    }
    return markers;
  }

  private static Set<String> delivered(ScriptedUpstream... upstreams) {
    Set<String> senders = new HashSet<>();
    for (ScriptedUpstream upstream : upstreams) {
      for (int i = upstream.deliveredCount(); i > 0; i--) {
        assertTrue(senders.add(upstream.nextDelivery().from()), "no message twice");
      }
    }
    return senders;
  }
}
