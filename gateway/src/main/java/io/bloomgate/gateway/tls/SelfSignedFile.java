package io.bloomgate.gateway.tls;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.pem.PemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The self-signed certificate of one gateway, kept in its state directory so that it stays the same
 * over restarts: a client that has pinned it keeps working. Used by {@link ServerCertificate} on
 * its threads, one at a time.
 */
final class SelfSignedFile {

  private static final Logger LOG = LoggerFactory.getLogger(SelfSignedFile.class);

  /** A new one is made so long before the old one ends. */
  private static final Duration RENEWED_BEFORE = Duration.ofDays(30);

  /** The kind of name that is a host name in {@link X509Certificate#getSubjectAlternativeNames}. */
  private static final int DNS_NAME = 2;

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
      PemTls kept = PemTls.load(file, file);
      if (serves(kept.leaf(), hostname)) {
        return kept;
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
    return clock.instant().plus(RENEWED_BEFORE).isBefore(end) && names(certificate, hostname);
  }

  private static boolean names(X509Certificate certificate, String hostname) {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names != null && names.contains(List.of(DNS_NAME, hostname));
    } catch (CertificateParsingException e) {
      return false;
    }
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
      return PemTls.of(List.of(made.certificate()), made.keys().getPrivate(), warnings);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this Java can make no certificate", e);
    }
  }
}
