package io.bloomgate.gateway.tls;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.pem.CertificateFacts;
import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
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
}
