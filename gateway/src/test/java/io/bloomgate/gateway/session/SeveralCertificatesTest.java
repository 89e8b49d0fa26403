package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.TestCertificate;
import io.bloomgate.gateway.wire.HoldingSocket;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole handshakes with a gateway that has several certificates. */
@ParameterizedClass
@EnumSource
final class SeveralCertificatesTest {

  private static final TestCertificate RSA = TestCertificate.shared("dns:mx.test.example", "RSA");
  private static final TestCertificate ECDSA = TestCertificate.shared("dns:mx.test.example");
  private static final TestCertificate OTHER = TestCertificate.shared("dns:*.other.example", "RSA");

  private static final Map<TlsEngine, Supplier<CertificateChoice>> CHOICES =
      new ConcurrentHashMap<>();
  private final TlsEngine engine;

  SeveralCertificatesTest(TlsEngine engine) {
    this.engine = engine;
  }

  private TestGateway gateway(String listener) throws IOException {
    return new TestGateway(
        "tls: " + listener,
        "tls: {certificate: cert.pem, key: key.pem}\n",
        new ScriptedUpstream(),
        CHOICES.computeIfAbsent(engine, by -> ThrowawayKey.choice(by, RSA, ECDSA, OTHER)));
  }

  private static String name(X509Certificate certificate) {
    return certificate.equals(RSA.certificate())
        ? "RSA"
        : certificate.equals(ECDSA.certificate()) ? "ECDSA" : "OTHER";
  }

  /** Handshakes and says EHLO, which shows that both sides have the same keys. */
  private static String shown(SmtpClient client, SSLSocket tls) throws Exception {
    tls.startHandshake();
    client.continueOn(tls);
    expect("250", client.ask("EHLO client.example"));
    return name((X509Certificate) tls.getSession().getPeerCertificates()[0]);
  }

  private static void startTls(SmtpClient client) throws IOException {
    expect("220", client.reply());
    expect("220 2.0.0", client.ask("STARTTLS"));
  }

  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, '',                                          '',                ECDSA",
    "TLSv1.3, rsa_pss_rsae_sha256,                         '',                RSA",
    "TLSv1.2, rsa_pkcs1_sha512 rsa_pss_rsae_sha256,        elsewhere.example, RSA",
    "TLSv1.2, ecdsa_secp256r1_sha256 rsa_pkcs1_sha256,     '',                ECDSA",
    "TLSv1.3, '',                                          mx.other.example,  OTHER",
    "TLSv1.2, '',                                          MX.OTHER.example,  OTHER",
    "TLSv1.3, ecdsa_secp256r1_sha256,                      mx.other.example,  ECDSA",
  })
  void eachClientGetsOneThatItCanCheck(
      String protocol, String signatures, String serverName, String expected) throws Exception {
    try (TestGateway gateway = gateway("starttls");
        SmtpClient client = gateway.connect()) {
      startTls(client);
      SSLSocket tls = ThrowawayKey.over(client);
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      if (!signatures.isEmpty()) {
        parameters.setSignatureSchemes(signatures.split(" "));
      }
      if (!serverName.isEmpty()) {
        parameters.setServerNames(List.of(new SNIHostName(serverName)));
      }
      tls.setSSLParameters(parameters);
      assertEquals(expected, shown(client, tls));
    }
  }

  /** The hello may come in the segment of a PROXY header, and octet by octet. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 200})
  void aHelloInSeveralSegmentsIsWaitedFor(int octets) throws Exception {
    String proxies = ", proxy_protocol: both, trusted_proxies: [127.0.0.0/8]";
    try (TestGateway gateway = gateway("implicit" + proxies);
        HoldingSocket socket = new HoldingSocket(gateway.port());
        SmtpClient client = new SmtpClient(socket)) {
      socket.hold();
      client.raw("PROXY TCP4 203.0.113.7 192.0.2.1 40000 465\r\n");
      SSLSocket tls = ThrowawayKey.over(client);
      tls.setEnabledProtocols(new String[] {"TLSv1.3"});
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setSignatureSchemes(new String[] {"rsa_pss_rsae_sha256"});
      tls.setSSLParameters(parameters);
      List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
      Thread handshake =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  tls.startHandshake();
                } catch (IOException e) {
                  failures.add(e);
                }
              });
      // The hello comes behind the header, from the thread of the handshake.
      for (int sent = 0; sent < 300; sent += socket.send(octets)) {
        Thread.onSpinWait();
      }
      socket.release();
      handshake.join();
      assertEquals(List.of(), failures);
      client.continueOn(tls);
      expect("220", client.reply());
      assertEquals("RSA", name((X509Certificate) tls.getSession().getPeerCertificates()[0]));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"160301", "16030100500100", "", "1603010001"})
  void aHelloThatDoesNotComeIsNotWaitedForLongerThanACommand(String begun) throws Exception {
    try (TestGateway gateway = gateway("starttls").tickedOnce();
        SmtpClient client = gateway.connect()) {
      startTls(client);
      client.socket().getOutputStream().write(HexFormat.of().parseHex(begun));
      gateway.goRoundUntilEmpty();
      assertEquals(List.of(Limit.COMMAND_TIMEOUT), gateway.telemetry.limits);
    }
  }

  /** Another program's clients, which also send what Java does not. */
  @ParameterizedTest
  @CsvSource({
    "-tls1_2, RSA+SHA256:ECDSA+SHA512,                   mx.test.example,  RSA",
    "-tls1_3, ECDSA+SHA256:rsa_pss_rsae_sha256,          mx.other.example, OTHER",
    "-tls1_3, ECDSA+SHA256:rsa_pss_rsae_sha256,          mx..test:25,      ECDSA",
    "-tls1_2, ECDSA+SHA256:RSA+SHA256,                   mx_1.test.,       ECDSA"
  })
  void opensslGetsTheSame(String protocol, String signatures, String name, String expected)
      throws Exception {
    try (TestGateway gateway = gateway("starttls")) {
      ProcessBuilder client =
          new ProcessBuilder(
                  "openssl",
                  "s_client",
                  protocol,
                  "-sigalgs",
                  signatures,
                  "-servername",
                  name,
                  "-starttls",
                  "smtp",
                  "-connect",
                  "127.0.0.1:" + gateway.port())
              .redirectErrorStream(true);
      Process run = start(client);
      run.getOutputStream().close();
      String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int begin = said.indexOf("-----BEGIN CERTIFICATE-----");
      assertTrue(begin >= 0, said);
      X509Certificate shown =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(
                      new ByteArrayInputStream(
                          said.substring(begin).getBytes(StandardCharsets.US_ASCII)));
      assertEquals(expected, name(shown), said);
    }
  }

  private static Process start(ProcessBuilder program) {
    try {
      return program.start();
    } catch (IOException e) {
      return Assumptions.abort("openssl is not here");
    }
  }
}
