package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In front of a real Postfix, which believes what XCLIENT and the PROXY header tell it, and refuses
 * clients by their reverse names as it does without a gateway.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostfixStoryTest {

  /** Postfix's own list, which has a client. */
  private static final String NOT_YOU = "$not_you";

  /** Where dnsjava looks before it reads the system's settings. */
  private static final String SERVER = "dns.server";

  private static final String NAMED = "203.0.113.7";
  private static final String NAMED_V6 = "2001:db8::7";
  private static final String FORGED = "203.0.113.8";
  private static final String UNNAMED = "203.0.113.9";

  private final ScriptedUpstream sink = ScriptedUpstream.start();
  private final LoopbackDns dns = LoopbackDns.start();
  private final int xclientPort = FreePort.next();
  private final int proxyPort = FreePort.next();
  private final int xforwardPort = FreePort.next();
  private final int byName = FreePort.next();
  private final int byReverseName = FreePort.next();
  private Path folder;
  private @Nullable PostfixServer postfix;

  @BeforeAll
  void startPostfix(@TempDir Path directory) throws IOException, InterruptedException {
    folder = directory;
    postfix =
        PostfixServer.start(
            folder,
            """
            unknown_client_reject_code = 550
            not_you = check_client_access inline:{{203.0.113.19 = 554 5.7.1 not you}}
            smtpd_recipient_restrictions =
              check_recipient_access inline:{{nobody@example.com = 550 5.1.1 User unknown here}}
            """,
            listener(xclientPort, "smtpd_authorized_xclient_hosts=127.0.0.0/8", NOT_YOU)
                + listener(proxyPort, "smtpd_upstream_proxy_protocol=haproxy", NOT_YOU)
                + listener(xforwardPort, "smtpd_authorized_xforward_hosts=127.0.0.0/8", NOT_YOU)
                + listener(
                    byName,
                    "smtpd_authorized_xclient_hosts=127.0.0.0/8",
                    "reject_unknown_client_hostname")
                + listener(
                    byReverseName,
                    "smtpd_authorized_xclient_hosts=127.0.0.0/8",
                    "reject_unknown_reverse_client_hostname"),
            xclientPort,
            proxyPort,
            xforwardPort,
            byName,
            byReverseName);
    dns.reverse(NAMED, "mail.partner.example").forward("mail.partner.example", NAMED);
    dns.reverse(NAMED_V6, "six.partner.example").forward("six.partner.example", NAMED_V6);
    dns.reverse(FORGED, "forged.example").forward("forged.example", "192.0.2.1");
    System.setProperty(SERVER, "127.0.0.1:" + dns.address().getPort());
  }

  @AfterAll
  void stopPostfix() throws IOException, InterruptedException {
    System.clearProperty(SERVER);
    dns.close();
    sink.close();
    if (postfix != null) {
      postfix.close();
    }
  }

  @BeforeEach
  void healDns() {
    dns.mood(Mood.NXDOMAIN);
  }

  private String listener(int port, String trust, String clients) {
    return """
    127.0.0.1:%d inet n - n - 10 smtpd
      -o smtpd_proxy_filter=127.0.0.1:%d -o %s
      -o smtpd_client_restrictions=%s
    """
        .formatted(port, sink.port(), trust, clients);
  }

  private GatewayFixture before(int port, String more) throws IOException {
    return GatewayFixture.in(Files.createTempDirectory(folder, "gateway"), 1)
        .with("downstream", "{host: 127.0.0.1, port: " + port + ", " + more + "}")
        .with("feeds", "{sources: {}}")
        .start();
  }

  @Test
  void postfixLearnsWhomAGatewayInFrontNames() throws IOException {
    try (GatewayFixture gateway =
            before(xclientPort, "client_address: xclient, reverse_names: off");
        SmtpClient front = new SmtpClient(gateway.port("near"))) {
      front.reply();
      front.command("EHLO front.example");
      assertEquals(
          "220", front.command("XCLIENT ADDR=192.0.2.77 HELO=far.example").substring(0, 3));
      front.command("EHLO far.example");
      ContentEqualityTest.deliver(front, "a@partner.example", "Subject: x\r\n\r\n");
    }
    String content = sink.nextDelivery().content();
    assertTrue(content.startsWith("Received: from far.example (unknown [192.0.2.77])"), content);
    assertTrue(content.contains("by postfix.example.com (Postfix)"), content);
  }

  @Test
  void postfixLearnsTheClientsByXforwardOnOneConnection() throws IOException {
    String[] addresses = {"192.0.2.10", "2001:db8::25", "192.0.2.11"};
    try (GatewayFixture gateway =
        before(
            xforwardPort,
            "client_address: xforward, reverse_names: off, pool: {idle_timeout: 5m}")) {
      for (String address : addresses) {
        try (SmtpClient client = greeted(gateway, address)) {
          ContentEqualityTest.deliver(client, "a@partner.example", "Subject: x\r\n\r\n");
          sink.nextDelivery();
          client.command("QUIT");
        }
        // QUIT is answered before that.
        Conditions.await(
            "the session of " + address + " gave its connection back",
            () -> gateway.control(new ControlRequest.Status()).json().contains("\"idle\":1"));
      }
    }
    Path log = folder.resolve("maillog");
    // Three clients, one connection: Postfix counts its commands when it is over.
    Conditions.await(
        "Postfix sees one session of three messages",
        () -> Files.readString(log).contains("xforward=3 mail=3 rcpt=3 data=3 quit=1"));
    for (String address : addresses) {
      assertTrue(
          Files.readString(log).contains("orig_client=unknown[" + address + "]"),
          () -> address + " is not in the log");
    }
  }

  @Test
  void postfixTakesNoSecondXclientSoEachClientHasItsConnection() throws IOException {
    try (GatewayFixture gateway =
        before(xclientPort, "client_address: xclient, reverse_names: off")) {
      for (String address : new String[] {"192.0.2.20", "2001:db8::26"}) {
        try (SmtpClient client = greeted(gateway, address)) {
          ContentEqualityTest.deliver(client, "a@partner.example", "Subject: x\r\n\r\n");
          sink.nextDelivery();
          client.command("QUIT");
        }
        Conditions.await(
            "Postfix sees the end of " + address,
            () ->
                Files.readString(folder.resolve("maillog"))
                    .contains(
                        "disconnect from unknown["
                            + address
                            + "] ehlo=2 xclient=0/1 mail=1"
                            + " rcpt=1 data=1 quit=1"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto, reverse_names: off", "proxy-v2", "proxy-v1"})
  void postfixLearnsTheClient(String way) throws IOException {
    int port = way.startsWith("proxy") ? proxyPort : xclientPort;
    try (GatewayFixture gateway = before(port, "client_address: " + way)) {
      for (String address : new String[] {"192.0.2.10", "2001:db8::25"}) {
        try (SmtpClient client = greeted(gateway, address)) {
          String reply =
              ContentEqualityTest.deliver(client, "a@partner.example", "Subject: x\r\n\r\n");
          assertEquals("250 2.0.0 Ok: queued as", reply.substring(0, 23), reply);
          String content = sink.nextDelivery().content().replaceAll("\r\n[ \t]", " ");
          String byPostfix = content.substring(0, content.indexOf("\r\n"));
          String shown = address.contains(":") ? "IPv6:" + address : address;
          assertTrue(
              byPostfix.startsWith("Received: from mail.partner.example (unknown [" + shown + "])"),
              byPostfix);
          assertTrue(byPostfix.contains("by postfix.example.com (Postfix)"), byPostfix);

          client.command("MAIL FROM:<a@partner.example>");
          String unknown = client.command("RCPT TO:<nobody@example.com>");
          assertEquals(
              "550 5.1.1 <nobody@example.com>: Recipient address rejected: User unknown here",
              unknown);
        }
      }
      // Postfix's own lists see the client too.
      try (SmtpClient client = greeted(gateway, "203.0.113.19")) {
        client.command("MAIL FROM:<a@partner.example>");
        String refused = client.command("RCPT TO:<bob@example.com>");
        assertTrue(
            refused.startsWith("554 5.7.1 <unknown[203.0.113.19]>: Client host rejected"), refused);
      }
    }
  }

  private static SmtpClient greeted(GatewayFixture gateway, String address) throws IOException {
    SmtpClient client = SmtpClient.proxied(gateway.port("mx"), address);
    client.lines();
    client.command("EHLO mail.partner.example");
    return client;
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
    try (GatewayFixture gateway = before(xforwardPort, "client_address: xforward")) {
      assertEquals("250 2.1.5 Ok", answerTo(gateway, NAMED));
    }
    Path log = folder.resolve("maillog");
    Conditions.await(
        "the client is in the log",
        () -> Files.readString(log).contains("orig_client=mail.partner.example[" + NAMED + "]"));
  }

  private String answerTo(GatewayFixture gateway, String client) throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(gateway.port("mx"), client)) {
      String answer = smtp.rcpt("mail.partner.example", "a@partner.example", "bob@example.com");
      if (answer.startsWith("250")) {
        smtp.command("DATA");
        smtp.command("Subject: x\r\n\r\nbody\r\n.");
        sink.nextDelivery();
      }
      return answer.replaceFirst("<[^>]*>: ", "");
    }
  }
}
