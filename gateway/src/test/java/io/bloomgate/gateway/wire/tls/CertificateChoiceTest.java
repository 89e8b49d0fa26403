package io.bloomgate.gateway.wire.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.TestCertificate;
import io.bloomgate.gateway.wire.tls.CertificateChoice.Candidate;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of several certificates a client gets, by what it can and by the name it asks for. */
final class CertificateChoiceTest {

  private static final List<String> CHOSEN = List.of("first", "second", "third", "fourth");

  private static Candidate certificate(String names, String algorithm) {
    TestCertificate made = TestCertificate.shared(names, algorithm);
    return Candidate.of(made.server(TlsEngine.inUse()), made.certificate(), Instant.now());
  }

  private final Candidate rsa = certificate("dns:mx.a.example", "RSA");
  private final Candidate ecdsa = certificate("dns:mx.a.example,dns:mail.a.example", "EC");
  private final Candidate otherRsa = certificate("dns:mx.b.example,dns:*.c.example", "RSA");
  private final Candidate edwards = certificate("dns:mx.b.example", "Ed25519");
  private final CertificateChoice choice =
      new CertificateChoice(List.of(rsa, ecdsa, otherRsa, edwards));

  private static String chosenFrom(List<Candidate> certificates, RealHellos client)
      throws Exception {
    TlsContext context = new CertificateChoice(certificates).forClient(client.read());
    return certificates.stream()
        .filter(each -> each.context().equals(context))
        .map(each -> CHOSEN.get(certificates.indexOf(each)))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "'',                second", // the first, or a better one that has all its names
    "mx.a.example,      second",
    "MX.A.EXAMPLE,      second",
    "mail.a.example,    second",
    "mx.b.example,      fourth",
    "x.c.example,       third",
    "x.y.c.example,     second", // a star is one label
    "c.example,         second",
    "elsewhere.example, second"
  })
  void theNameChoosesAndThenTheKind(String name, String expected) throws Exception {
    List<Candidate> all = List.of(rsa, ecdsa, otherRsa, edwards);
    assertEquals(expected, chosenFrom(all, new RealHellos().named(name)));
  }

  @Test
  void inTls12SuitesAndCurvesCountToo() throws Exception {
    String withRsa = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";
    String withEcdsa = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
    List<Candidate> both = List.of(rsa, ecdsa);
    RealHellos client = new RealHellos().protocols("TLSv1.2");
    assertEquals("first", chosenFrom(both, client.suites(withRsa)));
    assertEquals("second", chosenFrom(both, client.suites(withEcdsa)));
    assertEquals("second", chosenFrom(both, client.suites(withRsa, withEcdsa)));
    assertEquals("first", chosenFrom(both, client.groups("x25519")));
    assertEquals("second", chosenFrom(both, client.groups("x25519", "secp256r1")));
  }

  /** Then every client gets the one, and the message is not read where Java does TLS. */
  @Test
  void oneCertificateIsNoChoice() {
    TestCertificate made = TestCertificate.shared("dns:mx.a.example");
    Candidate java = Candidate.of(made.server(TlsEngine.JDK), made.certificate(), Instant.now());
    CertificateChoice one = new CertificateChoice(List.of(java));
    assertFalse(one.needsHello());
    assertSame(java.context(), one.first());
    assertTrue(choice.needsHello());
  }

  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, x25519,    TLS_AES_128_GCM_SHA256,                true",
    "TLSv1.3, ffdhe2048, TLS_AES_128_GCM_SHA256,                false",
    "TLSv1.2, secp256r1, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, true",
    "TLSv1.2, secp256r1, TLS_DHE_RSA_WITH_AES_128_GCM_SHA256,   false"
  })
  void whatBoringSslWouldRefuseGoesToJava(
      String protocol, String group, String suite, boolean stays) throws Exception {
    TestCertificate made = TestCertificate.shared("dns:mx.a.example", "RSA");
    TlsContext context = made.server(TlsEngine.NATIVE);
    CertificateChoice one =
        new CertificateChoice(List.of(Candidate.of(context, made.certificate(), Instant.now())));
    RealHellos client = new RealHellos().protocols(protocol).groups(group).suites(suite);
    assertSame(stays ? context : context.byJava(), one.forClient(client.read()));
  }

  /** An expired one, or one before its time, is for clients that can check no other. */
  @Test
  void certificatesThatAreNotValidNowComeLast() throws Exception {
    TestCertificate made = TestCertificate.shared("dns:mx.a.example");
    Instant end = made.certificate().getNotAfter().toInstant();
    Instant begin = made.certificate().getNotBefore().toInstant();
    for (Instant now : List.of(end.plusSeconds(1), begin.minusSeconds(1))) {
      Candidate over = Candidate.of(made.server(TlsEngine.inUse()), made.certificate(), now);
      for (List<Candidate> both : List.of(List.of(over, rsa), List.of(over, otherRsa))) {
        CertificateChoice one = new CertificateChoice(both);
        assertSame(both.getLast().context(), one.first());
        assertEquals("second", chosenFrom(both, new RealHellos()));
      }
      List<Candidate> both = List.of(over, rsa);
      assertEquals("second", chosenFrom(both, new RealHellos().named("mx.a.example")));
      RealHellos client = new RealHellos().protocols("TLSv1.3");
      assertEquals("first", chosenFrom(both, client.signatures("ecdsa_secp256r1_sha256")));
      assertEquals("first", chosenFrom(List.of(over), new RealHellos()));
    }
    Candidate still = Candidate.of(made.server(TlsEngine.inUse()), made.certificate(), end);
    assertEquals("first", chosenFrom(List.of(still, rsa), new RealHellos()));
  }

  /** A better key is no reason to show a certificate that lacks a name. */
  @Test
  void anotherNameIsNotShownToClientsThatAskForNone() throws Exception {
    assertEquals("first", chosenFrom(List.of(ecdsa, rsa), new RealHellos()));
    assertEquals("first", chosenFrom(List.of(otherRsa, ecdsa), new RealHellos()));
    assertEquals("first", chosenFrom(List.of(otherRsa, edwards), new RealHellos()));
  }
}
