package io.bloomgate.gateway.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.doctor.DoctorFinding.State;
import io.bloomgate.gateway.tls.ServerCertificate;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of a certificate that no public authority has signed. */
final class TlsTrustTest {

  @TempDir private Path folder;

  @Test
  void aSelfSignedOneNeedsNoIntermediateCertificates() {
    ServerCertificate certificate =
        new ServerCertificate(
            folder.resolve("own.pem"), InstantSource.system(), new SecureRandom());
    certificate.useSelfSigned("mx.company.example");
    List<X509Certificate> chain = certificate.shown().orElseThrow().tls().chain();
    DoctorFinding finding = TlsChecks.trust(chain, "CN=mx.company.example");
    assertEquals(State.WARN, finding.state());
    assertTrue(finding.what().startsWith("it is self-signed"), finding.what());
    assertFalse(finding.fix().contains("intermediate"), finding.fix());
  }
}
