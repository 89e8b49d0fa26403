package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The listeners for Postfix that the handbook shows, in a real Postfix behind the real gateway. */
class ReadmePostfixTest {

  /** A block for master.cf at column 0: Postfix reads indented lines as part of the one before. */
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```cf\n(.*?)^```$");

  /** The settings that the page shows behind it. */
  private static final Pattern SETTINGS = Pattern.compile("with `downstream: (\\{[^`]*\\})`");

  @TempDir Path folder;

  /**
   * As the page has it.
   *
   * @param masterCf lines for master.cf
   * @param downstream in Bloomgate's settings
   */
  record Shown(String masterCf, String downstream) {}

  static List<Shown> shown() throws IOException {
    String page = Files.readString(Checkout.root().resolve("config/handbook/start.md"));
    return BLOCK
        .matcher(page)
        .results()
        .map(block -> {
          var settings = SETTINGS.matcher(page.substring(block.end()));
          return new Shown(block.group(1), settings.find() ? settings.group(1) : "none");
        })
        .toList();
  }

  @Test
  void bothWaysAreShown() throws IOException {
    String all = shown().toString();
    assertEquals(2, shown().size(), all);
    assertTrue(all.contains("smtpd_upstream_proxy_protocol"), all);
    assertTrue(all.contains("smtpd_authorized_xclient_hosts"), all);
  }

  @ParameterizedTest
  @MethodSource("shown")
  void postfixSeesTheSenderAndRelaysForNobody(Shown shown) throws Exception {
    int port = FreePort.next();
    String listener =
        shown.masterCf().replace("10025", "127.0.0.1:" + port).replace("10.0.0.2", "127.0.0.1");
    String downstream =
        shown
            .downstream()
            .replace("10025", String.valueOf(port))
            .replace("10.0.0.5", "127.0.0.1")
            .replace("}", ", reverse_names: off}");
    Path own = Files.createDirectory(folder.resolve("gateway"));
    try (PostfixServer postfix = PostfixServer.start(folder, "", listener, port);
        GatewayFixture gateway =
            GatewayFixture.in(own, 1)
                .with("downstream", downstream)
                .with("domains", "[example.com, foreign.example]")
                .start()) {
      for (String address : List.of("192.0.2.10", "2001:db8::25")) {
        try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), address)) {
          client.lines();
          client.command("EHLO mail.partner.example");
          client.command("MAIL FROM:<a@partner.example>");
          // The gateway would take it; Postfix must not, because it comes from a stranger.
          String relayed = client.command("RCPT TO:<x@foreign.example>");
          assertTrue(relayed.startsWith("554 5.7.1"), relayed);
          assertTrue(relayed.contains("Relay access denied"), relayed);
          client.command("RSET");
          String taken =
              ContentEqualityTest.deliver(client, "a@partner.example", "Subject: x\r\n\r\n");
          assertTrue(taken.startsWith("250 2.0.0 Ok"), taken);
        }
        Conditions.await(
            "Postfix logs " + address,
            () -> Files.readString(postfix.log()).contains("client=unknown[" + address + "]"));
      }
    }
  }
}
