package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Postfix that refuses clients by their reverse names, which it gets by XCLIENT and
 * XFORWARD: its answers are the same as without a gateway.
 */
class ReverseNameStoryTest {

  /** Where dnsjava looks before it reads the system's settings. */
  private static final String SERVER = "dns.server";

  private static final String NAMED = "203.0.113.7";
  private static final String NAMED_V6 = "2001:db8::7";
  private static final String FORGED = "203.0.113.8";
  private static final String UNNAMED = "203.0.113.9";

  @TempDir Path folder;
  private final ScriptedUpstream sink = ScriptedUpstream.start();
  private final LoopbackDns dns = LoopbackDns.start();
  private int byName;
  private int byReverseName;
  private int forwarded;
  private @Nullable PostfixServer postfix;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    byName = FreePort.next();
    byReverseName = FreePort.next();
    forwarded = FreePort.next();
    postfix =
        PostfixServer.start(
            folder,
            """
            unknown_client_reject_code = 550
            """,
            """
            127.0.0.1:BYNAME inet n - n - 10 smtpd
              -o smtpd_proxy_filter=127.0.0.1:SINK -o smtpd_authorized_xclient_hosts=127.0.0.0/8
              -o smtpd_client_restrictions=reject_unknown_client_hostname
            127.0.0.1:BYREVERSE inet n - n - 10 smtpd
              -o smtpd_proxy_filter=127.0.0.1:SINK -o smtpd_authorized_xclient_hosts=127.0.0.0/8
              -o smtpd_client_restrictions=reject_unknown_reverse_client_hostname
            127.0.0.1:FORWARDED inet n - n - 10 smtpd
              -o smtpd_proxy_filter=127.0.0.1:SINK -o smtpd_authorized_xforward_hosts=127.0.0.0/8
            """
                .replace("BYNAME", String.valueOf(byName))
                .replace("BYREVERSE", String.valueOf(byReverseName))
                .replace("FORWARDED", String.valueOf(forwarded))
                .replace("SINK", String.valueOf(sink.port())),
            byName,
            byReverseName,
            forwarded);
    dns.reverse(NAMED, "mail.partner.example").forward("mail.partner.example", NAMED);
    dns.reverse(NAMED_V6, "six.partner.example").forward("six.partner.example", NAMED_V6);
    dns.reverse(FORGED, "forged.example").forward("forged.example", "192.0.2.1");
    System.setProperty(SERVER, "127.0.0.1:" + dns.address().getPort());
  }

  @AfterEach
  void stop() throws IOException, InterruptedException {
    System.clearProperty(SERVER);
    dns.close();
    sink.close();
    if (postfix != null) {
      postfix.close();
    }
  }

  @Test
  void whoHasNoNameThatLeadsBackIsRefused() throws IOException {
    try (GatewayFixture gateway = before(byName, "client_address: auto")) {
      assertEquals("250 2.1.5 Ok", answerTo(gateway, NAMED));
      assertEquals("250 2.1.5 Ok", answerTo(gateway, NAMED_V6));
      assertEquals(
          "550 5.7.25 Client host rejected: cannot find your hostname, [" + FORGED + "]",
          answerTo(gateway, FORGED));
      assertEquals(
          "550 5.7.25 Client host rejected: cannot find your hostname, [" + UNNAMED + "]",
          answerTo(gateway, UNNAMED));
      dns.mood(Mood.SERVFAIL);
      assertEquals(
          "450 4.7.25 Client host rejected: cannot find your hostname, [203.0.113.10]",
          answerTo(gateway, "203.0.113.10"));
    }
  }

  @Test
  void whoHasNoNameAtAllIsRefused() throws IOException {
    try (GatewayFixture gateway = before(byReverseName, "client_address: xclient")) {
      assertEquals("250 2.1.5 Ok", answerTo(gateway, NAMED));
      assertEquals("250 2.1.5 Ok", answerTo(gateway, FORGED));
      assertEquals(
          "550 5.7.1 Client host rejected: cannot find your reverse hostname, [" + UNNAMED + "]",
          answerTo(gateway, UNNAMED));
      dns.mood(Mood.SERVFAIL);
      assertEquals(
          "450 4.7.1 Client host rejected: cannot find your reverse hostname, [203.0.113.10]",
          answerTo(gateway, "203.0.113.10"));
      // A silent server is no other than one in trouble, only slower: three seconds.
      dns.mood(Mood.SILENT);
      assertEquals(
          "450 4.7.1 Client host rejected: cannot find your reverse hostname, [203.0.113.11]",
          answerTo(gateway, "203.0.113.11"));
    }
  }

  @Test
  void theLogOfPostfixShowsTheNameThatXforwardSent() throws IOException {
    try (GatewayFixture gateway = before(forwarded, "client_address: xforward")) {
      assertEquals("250 2.1.5 Ok", answerTo(gateway, NAMED));
    }
    Path log = folder.resolve("maillog");
    Conditions.await(
        "the client is in the log",
        () -> Files.readString(log).contains("orig_client=mail.partner.example[" + NAMED + "]"));
  }

  @Test
  void aServerThatGetsNoNamesCostsNoQuestion() throws IOException {
    try (GatewayFixture gateway = before(byReverseName, "reverse_names: off")) {
      assertTrue(answerTo(gateway, NAMED).startsWith("550"));
    }
    try (GatewayFixture gateway = before(forwarded, "client_address: none")) {
      assertEquals("250 2.1.5 Ok", answerTo(gateway, NAMED));
    }
    assertEquals(List.of(), dns.questions());
  }

  private GatewayFixture before(int port, String more) throws IOException {
    Path own = Files.createTempDirectory(folder, "gateway");
    return GatewayFixture.in(own, 1)
        .with("downstream", "{host: 127.0.0.1, port: " + port + ", " + more + "}")
        .with("feeds", "{sources: {}}")
        .start();
  }

  private static String answerTo(GatewayFixture gateway, String client) throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(gateway.port("mx"), client)) {
      String answer = smtp.rcpt("mail.partner.example", "a@partner.example", "bob@example.com");
      if (answer.startsWith("250")) {
        smtp.command("DATA");
        smtp.command("Subject: x\r\n\r\nbody\r\n.");
      }
      return answer.replaceFirst("<[^>]*>: ", "");
    }
  }
}
