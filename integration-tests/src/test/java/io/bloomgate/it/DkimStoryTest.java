package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signed mail whose content the gateway reads is still verified behind it, by opendkim. */
class DkimStoryTest {

  private static final String HEAD =
      """
      From: Alice <a@sender.example>
      To: bob@example.com
      Subject: signed
      Date: Tue, 24 Nov 2026 10:00:00 +0000
      Message-ID: <1@sender.example>
      MIME-Version: 1.0
      Content-Type: text/plain; charset=ISO-8859-1
      Content-Transfer-Encoding: 8bit

      """
          .replace("\n", "\r\n");

  private static final String BODY =
      """
      .
      ..
      .starts with a dot
      trailing blanks \s
      Gr\u00fc\u00dfe

      see https://fine.example.net/x?y=1 now
      """
          .replace("\n", "\r\n");

  private static final String TAGGED = "see https://tagged.example.net/x now\r\n";

  /** More than is held of one message. */
  private static final String LARGE = "0123456789 0123456789 0123456789\r\n".repeat(12_000);

  @TempDir private Path folder;
  private DkimTool dkim;

  @BeforeEach
  void makeKey() throws IOException {
    dkim = DkimTool.inOrSkip(folder);
  }

  /** What arrives of this message is verified and ends with all of it; what is above it. */
  private String arrives(GatewayFixture gateway, ScriptedUpstream upstream, String message)
      throws IOException {
    String signed = dkim.sign(message);
    assertTrue(dkim.verify(signed).contains("succeeded"), dkim.verify(signed));
    try (SmtpClient client = ContentEqualityTest.greeted(gateway)) {
      assertTrue(
          ContentEqualityTest.deliver(client, "a@sender.example", signed).startsWith("250 "));
    }
    String arrived = upstream.nextDelivery().content();
    int above = arrived.length() - signed.length();
    assertEquals(signed, arrived.substring(Math.max(0, above)));
    String said = dkim.verify(arrived);
    assertTrue(said.contains("(s=s1, d=sender.example, 2048-bit key) succeeded"), said);
    return arrived.substring(0, above);
  }

  private GatewayFixture gateway(ScriptedUpstream upstream, String mode) throws IOException {
    GatewayFixture gateway = GatewayFixture.in(folder, upstream.port()).with("mode", mode);
    gateway.write("urls.txt", "https://listed.example.net/x");
    gateway.write("hosts.txt", "tagged.example.net");
    return gateway
        .with(
            "feeds",
            """

              guard: {max_turnover: none, max_shrink: 100%}
              sources:
                urls: {file: FOLDER/urls.txt, format: urls, checks: [url], action: reject}
                hosts: {file: FOLDER/hosts.txt, format: domains, checks: [url_host, from_domain], action: tag}\
            """
                .replace("FOLDER", folder.toString()))
        .start();
  }

  @Test
  void signaturesSurvive() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream, "enforce")) {
      String plain = arrives(gateway, upstream, HEAD + BODY);
      assertFalse(plain.contains("X-Spam-Flag"), plain);
      String tagged = arrives(gateway, upstream, HEAD + BODY + TAGGED);
      assertTrue(tagged.contains("X-Spam-Flag: YES\r\n"), tagged);
      String large = arrives(gateway, upstream, HEAD + BODY + LARGE);
      assertFalse(large.contains("X-Spam-Flag"), large);
      String largeTagged = arrives(gateway, upstream, HEAD + TAGGED + LARGE);
      assertTrue(largeTagged.contains("X-Spam-Flag: YES\r\n"), largeTagged);
      String tooLate = arrives(gateway, upstream, HEAD + LARGE + TAGGED);
      assertFalse(tooLate.contains("X-Spam-Flag"), tooLate);
    }
  }

  @Test
  void signaturesSurviveInModeObserve() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream, "observe")) {
      String above =
          arrives(gateway, upstream, HEAD + BODY + "see https://listed.example.net/x now\r\n");
      assertTrue(above.contains("X-Bloomgate: would=reject; kind=url;"), above);
    }
  }

  /** The tool finds a change of one octet: the tests above can fail. */
  @Test
  void opendkimFindsOneOctet() throws IOException {
    String signed = dkim.sign(HEAD + BODY + LARGE);
    assertTrue(dkim.verify(signed).contains("succeeded"), dkim.verify(signed));
    String changed = signed.substring(0, signed.length() - 3) + "x\r\n";
    assertEquals(signed.length(), changed.length());
    assertTrue(dkim.verify(changed).contains("failed"), dkim.verify(changed));
    String head = signed.replace("Subject: signed\r\n", "Subject: Signed\r\n");
    assertTrue(dkim.verify(head).contains("failed"), dkim.verify(head));
  }
}
