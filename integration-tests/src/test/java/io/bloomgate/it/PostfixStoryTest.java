package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In front of a real Postfix, which believes what XCLIENT and the PROXY header tell it. */
class PostfixStoryTest {

  @TempDir Path folder;
  private final ScriptedUpstream sink = ScriptedUpstream.start();
  private int xclientPort;
  private int proxyPort;
  private int xforwardPort;
  private @Nullable PostfixServer postfix;

  @BeforeEach
  void startPostfix() throws IOException, InterruptedException {
    xclientPort = FreePort.next();
    proxyPort = FreePort.next();
    xforwardPort = FreePort.next();
    postfix =
        PostfixServer.start(
            folder,
            """
            smtpd_recipient_restrictions =
              check_recipient_access inline:{{nobody@example.com = 550 5.1.1 User unknown here}}
            smtpd_client_restrictions = check_client_access inline:{{203.0.113.9 = 554 5.7.1 not you}}
            """,
            masterCf(),
            xclientPort,
            proxyPort,
            xforwardPort);
  }

  @AfterEach
  void stopPostfix() throws IOException, InterruptedException {
    sink.close();
    if (postfix != null) {
      postfix.close();
    }
  }

  private String masterCf() {
    return """
    127.0.0.1:XCLIENT inet n - n - 10 smtpd
      -o smtpd_proxy_filter=127.0.0.1:SINK -o smtpd_authorized_xclient_hosts=127.0.0.0/8
    127.0.0.1:PROXY inet n - n - 10 smtpd
      -o smtpd_proxy_filter=127.0.0.1:SINK -o smtpd_upstream_proxy_protocol=haproxy
    127.0.0.1:XFORWARD inet n - n - 10 smtpd
      -o smtpd_proxy_filter=127.0.0.1:SINK -o smtpd_authorized_xforward_hosts=127.0.0.0/8
    """
        .replace("XCLIENT", String.valueOf(xclientPort))
        .replace("PROXY", String.valueOf(proxyPort))
        .replace("XFORWARD", String.valueOf(xforwardPort))
        .replace("SINK", String.valueOf(sink.port()));
  }

  @Test
  void postfixLearnsWhomAGatewayInFrontNames() throws IOException {
    Path own = Files.createDirectory(folder.resolve("gateway"));
    String downstream =
        "{host: 127.0.0.1, port: " + xclientPort + ", client_address: xclient, reverse_names: off}";
    try (GatewayFixture gateway = GatewayFixture.in(own, 1).with("downstream", downstream).start();
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
    Path own = Files.createDirectory(folder.resolve("gateway"));
    String downstream =
        "{host: 127.0.0.1, client_address: xforward, reverse_names: off, pool: {idle_timeout: 5m},"
            + " port: "
            + xforwardPort
            + "}";
    String[] addresses = {"192.0.2.10", "2001:db8::25", "192.0.2.11"};
    try (GatewayFixture gateway =
        GatewayFixture.in(own, 1).with("downstream", downstream).start()) {
      for (String address : addresses) {
        try (SmtpClient client = greeted(gateway, address)) {
          ContentEqualityTest.deliver(client, "a@partner.example", "Subject: x\r\n\r\n");
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
    Path own = Files.createDirectory(folder.resolve("gateway"));
    String downstream =
        "{host: 127.0.0.1, port: " + xclientPort + ", client_address: xclient, reverse_names: off}";
    try (GatewayFixture gateway =
        GatewayFixture.in(own, 1).with("downstream", downstream).start()) {
      for (String address : new String[] {"192.0.2.10", "2001:db8::25"}) {
        try (SmtpClient client = greeted(gateway, address)) {
          ContentEqualityTest.deliver(client, "a@partner.example", "Subject: x\r\n\r\n");
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
    String downstream = "{host: 127.0.0.1, port: " + port + ", client_address: " + way + "}";
    Path own = Files.createDirectory(folder.resolve("gateway"));
    try (GatewayFixture gateway =
        GatewayFixture.in(own, 1).with("downstream", downstream).start()) {
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
      try (SmtpClient client = greeted(gateway, "203.0.113.9")) {
        client.command("MAIL FROM:<a@partner.example>");
        String refused = client.command("RCPT TO:<bob@example.com>");
        assertTrue(
            refused.startsWith("554 5.7.1 <unknown[203.0.113.9]>: Client host rejected"), refused);
      }
    }
  }

  private static SmtpClient greeted(GatewayFixture gateway, String address) throws IOException {
    SmtpClient client = SmtpClient.proxied(gateway.port("mx"), address);
    client.lines();
    client.command("EHLO mail.partner.example");
    return client;
  }
}
