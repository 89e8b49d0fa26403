package io.bloomgate.gateway.tls;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.pem.CertificateFacts;
import io.bloomgate.config.pem.Der;
import io.bloomgate.config.pem.PemBlock;
import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The self-signed certificate of one gateway, kept in its state directory so that it stays the same
 * over restarts: a client that has pinned it keeps working. Used by {@link ServerCertificates} on
 * its threads, one at a time.
 */
final class SelfSignedFile {

  private static final Logger LOG = LoggerFactory.getLogger(SelfSignedFile.class);

  /** A new one is made so long before the old one ends. */
  private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

  private final Path file;
  private final InstantSource clock;
  private final SecureRandom random;

  SelfSignedFile(Path file, InstantSource clock, SecureRandom random) {
    this.file = file;
    this.clock = clock;
    this.random = random;
  }

  /** The certificate in the file when it still serves for this name, else a new one. */
  PemTls current(String hostname) {
    try {
      PemTls kept = PemTls.load(new PemFiles("self-signed", file, file));
      if (serves(kept.leaf(), hostname)) {
        return new PemTls(kept.context(), kept.chain(), kept.warnings(), null);
      }
    } catch (PemException e) {
      if (Files.exists(file)) {
        LOG.warn("a new self-signed certificate replaces the old one: {}", e.getMessage());
      }
    }
    return renew(hostname);
  }

  /** True while it can still be used. */
  boolean serves(X509Certificate certificate, String hostname) {
    Instant end = certificate.getNotAfter().toInstant();
    return clock.instant().plus(RENEWED_BEFORE).isBefore(end)
        && CertificateFacts.names(certificate).contains(hostname);
  }

  private PemTls renew(String hostname) {
    try {
      SelfSigned made = SelfSigned.make(hostname, clock.instant(), random);
      List<String> warnings = List.of();
      try {
        DurableFiles.replace(file, made.pem().getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        warnings =
            List.of(
                "the self-signed certificate could not be kept in "
                    + file
                    + " ("
                    + Faults.reason(e)
                    + ")");
      }
      return PemTls.of(List.of(made.certificate()), made.keys().getPrivate(), warnings, null);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this Java can make no certificate", e);
    }
  }

  /**
   * A certificate without an authority behind it, so that mail is at least encrypted against
   * listeners where the administrator has named none. The JDK can sign but has no public builder of
   * certificates, so the few fields of RFC 5280 section 4.1 are written here.
   *
   * @param certificate for one host name
   */
  record SelfSigned(X509Certificate certificate, KeyPair keys) {

    /** The time for which it is valid. */
    static final Duration LIFETIME = Duration.ofDays(365);

    /** Clients' clocks may be behind ours. */
    private static final Duration BACKDATED = Duration.ofDays(1);

    /** RFC 5280 appendix A.1, ub-common-name. */
    private static final int MAX_COMMON_NAME = 64;

    private static final int SERIAL_BITS = 127;

    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
    private static final byte[] TRUE = {1, 1, (byte) 0xFF};

    /** The bit digitalSignature, RFC 5280 section 4.2.1.3. */
    private static final byte[] DIGITAL_SIGNATURE = {Der.BIT_STRING, 2, 7, (byte) 0x80};

    /**
     * Makes key and certificate: ECDSA over P-256, valid for a year.
     *
     * @param hostname as A-labels
     */
    static SelfSigned make(String hostname, Instant now, SecureRandom random)
        throws GeneralSecurityException {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), random);
      KeyPair keys = generator.generateKeyPair();
      byte[] content = toBeSigned(hostname, now, keys, new BigInteger(SERIAL_BITS, random));
      Signature signer = Signature.getInstance("SHA256withECDSA");
      signer.initSign(keys.getPrivate(), random);
      signer.update(content);
      byte[] der = Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(signer.sign()));
      return new SelfSigned(
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der)),
          keys);
    }

    /** RFC 5280 section 4.1, TBSCertificate of version 3. */
    private static byte[] toBeSigned(
        String hostname, Instant now, KeyPair keys, BigInteger serial) {
      String commonName = hostname.length() > MAX_COMMON_NAME ? "bloomgate" : hostname;
      byte[] name = new X500Principal("CN=" + commonName).getEncoded();
      return Der.sequence(
          Der.value(Der.EXPLICIT, Der.integer(2)),
          Der.integer(serial.setBit(0)), // never zero
          ECDSA_WITH_SHA256,
          name,
          Der.sequence(Der.time(now.minus(BACKDATED)), Der.time(now.plus(LIFETIME))),
          name,
          keys.getPublic().getEncoded(),
          Der.value(Der.EXPLICIT + 3, extensions(hostname)));
    }

    private static byte[] extensions(String hostname) {
      // RFC 5280 section 4.2.1.6: clients look for the host name here, [2] is dNSName.
      byte[] names = Der.sequence(Der.ascii(Der.IMPLICIT + 2, hostname));
      byte[] serverAuthentication = Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"));
      return Der.sequence(
          extension("2.5.29.17", false, names),
          extension("2.5.29.19", true, Der.sequence()), // basicConstraints: no authority
          extension("2.5.29.15", true, DIGITAL_SIGNATURE),
          extension("2.5.29.37", false, serverAuthentication));
    }

    private static byte[] extension(String oid, boolean critical, byte[] content) {
      byte[] value = Der.value(Der.OCTET_STRING, content);
      return critical ? Der.sequence(Der.oid(oid), TRUE, value) : Der.sequence(Der.oid(oid), value);
    }

    /** The certificate and its key as one PEM file. */
    String pem() throws GeneralSecurityException {
      return PemBlock.text("CERTIFICATE", certificate.getEncoded())
          + PemBlock.text("PRIVATE KEY", keys.getPrivate().getEncoded());
    }
  }
}
