package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.TestCertificate;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients ask for in the first message of a handshake, in octets. */
final class ClientHelloTest {

  private static final Supplier<CertificateChoice> ONE = ThrowawayKey.serverCertificate();
  private static final Supplier<CertificateChoice> SEVERAL =
      ThrowawayKey.choice(
          TlsEngine.inUse(),
          TestCertificate.shared("dns:mx.test.example", "RSA"),
          TestCertificate.shared("dns:mx.test.example"));

  private static TestGateway gateway() throws IOException {
    return TestGateway.underTls("tls: starttls", "", new ScriptedUpstream());
  }

  /** Hellos in octets, because this Java would not even offer what is to be refused. */
  @ParameterizedTest
  @CsvSource({
    "0301, c009, 70, TLS 1.0: protocol_version",
    "0302, c009, 70, TLS 1.1: protocol_version",
    "0303, 002f, 40, RSA key exchange: handshake_failure",
    "0303, c009, 40, CBC: handshake_failure",
    "0303, c02b, 0, ECDHE with AES-GCM is taken",
    "0303, cca9, 0, ECDHE with ChaCha20 is taken"
  })
  void onlyModernHellosAreTaken(String version, String suite, int alert) throws Exception {
    try (TestGateway gateway = gateway();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("220 2.0.0", client.ask("STARTTLS"));
      client.socket().getOutputStream().write(hello(version, suite, ""));
      byte[] record = client.socket().getInputStream().readNBytes(7);
      int handshake = 22;
      int fatalAlert = 21;
      assertEquals(alert == 0 ? handshake : fatalAlert, record[0]);
      assertEquals(alert, alert == 0 ? 0 : record[6]);
    }
  }

  /**
   * RFC 6066 section 3: a server that does not know the name may go on. Names in octets, because
   * this Java would not send most of them.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mx.local.test",
        "MX.local.test",
        "mx.local.test.",
        "mx_1.local.test",
        "-mx.local.test",
        "mx..local.test",
        "mx.local.test:25",
        "[192.0.2.1]",
        "192.0.2.1",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.test",
        "mx\0.local.test",
        "b\u00fccher.test",
        "a b",
        ".",
        "",
        "one.test two.test",
      })
  void everyServerNameGetsTheCertificate(String name) throws Exception {
    String repeated = name.equals(".") ? ".a".repeat(300) : name;
    StringBuilder names = new StringBuilder();
    for (String each : repeated.split(" ", -1)) {
      String octets = HexFormat.of().formatHex(each.getBytes(StandardCharsets.UTF_8));
      names.append("00").append(length(octets, 4)).append(octets);
    }
    String list = length(names.toString(), 4) + names;
    String extension = "0000" + length(list, 4) + list;
    for (Supplier<CertificateChoice> certificates : List.of(ONE, SEVERAL)) {
      try (TestGateway gateway =
              new TestGateway(
                  "tls: starttls",
                  "tls: {certificate: cert.pem, key: key.pem}\n",
                  new ScriptedUpstream(),
                  certificates);
          SmtpClient client = gateway.connect()) {
        expect("220", client.reply());
        expect("220 2.0.0", client.ask("STARTTLS"));
        client.socket().getOutputStream().write(hello("0303", "c02b", extension));
        byte[] record = client.socket().getInputStream().readNBytes(7);
        int handshake = 22;
        assertEquals(handshake, record[0], HexFormat.of().formatHex(record));
      }
    }
  }

  @Test
  void aHandshakeThatFailsIsReported() throws Exception {
    try (TestGateway gateway = gateway();
        SmtpClient client = gateway.connect().upToEhlo()) {
      expect("220 2.0.0", client.ask("STARTTLS"));
      client.socket().getOutputStream().write(hello("0301", "c009", ""));
      gateway.awaitQuiet();
      DecisionRecord record = gateway.telemetry.turnedAway.getFirst();
      expect("454 4.7.0 TLS handshake failed: ", record.reply().toString());
      assertEquals("client.example", record.helo());
    }
  }

  /** A ClientHello (RFC 5246 section 7.4.1.2) of one suite, with the NIST curves. */
  private static byte[] hello(String version, String suite, String extension) {
    String extensions = "000a0006000400170018" + "000d0006000404030503" + extension;
    String body =
        version
            + "00".repeat(32)
            + "00"
            + "0002"
            + suite
            + "0100"
            + length(extensions, 4)
            + extensions;
    String handshake = "01" + length(body, 6) + body;
    return HexFormat.of().parseHex("160301" + length(handshake, 4) + handshake);
  }

  private static String length(String hex, int digits) {
    return HexFormat.of().toHexDigits(hex.length() / 2, digits);
  }
}
