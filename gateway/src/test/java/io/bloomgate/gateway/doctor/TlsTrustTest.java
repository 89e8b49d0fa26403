package io.bloomgate.gateway.doctor;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static io.bloomgate.gateway.testkit.Texts.assertLacks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.config.pem.PemPair;
import io.bloomgate.gateway.doctor.DoctorFinding.State;
import io.bloomgate.gateway.testkit.TestCertificate;
import io.bloomgate.gateway.tls.ServerCertificates;
import io.bloomgate.gateway.wire.tls.TicketKeys;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of a certificate: who signed it, and which names it is for. */
final class TlsTrustTest {

  @TempDir private Path folder;

  @Test
  void aSelfSignedOneNeedsNoIntermediateCertificates() {
    ServerCertificates certificate =
        new ServerCertificates(
            folder.resolve("own.pem"),
            InstantSource.system(),
            new SecureRandom(),
            TicketKeys.ofThisProcess(new SecureRandom()));
    certificate.useSelfSigned("mx.company.example");
    List<X509Certificate> chain = certificate.shown().getFirst().tls().chain();
    DoctorFinding finding = TlsChecks.trust(chain, "CN=mx.company.example");
    assertEquals(State.WARN, finding.state());
    assertTrue(finding.what().startsWith("no authority has signed it"), finding.what());
    assertLacks(finding.fix(), "intermediate");
    assertFalse(finding.fix().contains("tls.certificate"), "certificates may be set");
  }

  @Test
  void anEngineThatCannotBeLoadedIsNamedWithTheReason() {
    assertTrue(TlsChecks.engine("").isEmpty());
    DoctorFinding finding = TlsChecks.engine("/state/native: not permitted").orElseThrow();
    assertEquals(State.WARN, finding.state());
    assertTrue(finding.what().endsWith("/state/native: not permitted"), finding.what());
    assertHas(finding.fix(), "-Dbloomgate.tls.engine=jdk");
  }

  private X509Certificate leaf(String subjectAlternative) throws PemException {
    Path certificate = folder.resolve("leaf.crt");
    Path key = folder.resolve("leaf.key");
    TestCertificate.create(subjectAlternative).writePem(certificate, key);
    return PemPair.read(new PemFiles("tls", certificate, key)).chain().getFirst();
  }

  /** The common name counts for no sender. */
  @Test
  void oneWithoutSubjectAltNameIsForNoName() throws Exception {
    X509Certificate leaf = leaf("email:a@company.example");
    DoctorFinding finding = TlsChecks.name(leaf, "mx.company.example", "CN=test", true);
    assertEquals(State.WARN, finding.state());
    assertEquals("it has no host name in its subjectAltName, so it is for no name", finding.what());
    assertEquals("get one with DNS:mx.company.example in it", finding.fix());
    leaf = leaf("dns:a.example,dns:b.example");
    assertEquals(
        "it is for a.example, b.example and not for mx.company.example",
        TlsChecks.name(leaf, "mx.company.example", "CN=test", true).what());
    assertEquals(
        State.OK,
        TlsChecks.name(leaf, "mx.company.example", "CN=test", false).state(),
        "one of several, for senders that ask for its names");
  }
}
