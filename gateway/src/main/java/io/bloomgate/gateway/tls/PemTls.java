package io.bloomgate.gateway.tls;

import io.bloomgate.config.pem.CertificateFacts;
import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.config.pem.PemPair;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import io.bloomgate.gateway.wire.tls.TlsContext;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A certificate chain with its key, ready for handshakes. Made at start, at each reload and when
 * the files change.
 *
 * @param context with certificate and key
 * @param chain the gateway's own certificate first
 * @param warnings about the files, a sentence each; the certificate is still used
 * @param files that it was read from; {@code null} for one that was made here
 */
public record PemTls(
    TlsContext context,
    List<X509Certificate> chain,
    List<String> warnings,
    @Nullable PemFiles files) {

  private static final Set<PosixFilePermission> TOO_OPEN =
      EnumSet.of(
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.GROUP_WRITE);

  public PemTls {
    chain = List.copyOf(chain);
    warnings = List.copyOf(warnings);
  }

  /** The gateway's own certificate. */
  public X509Certificate leaf() {
    return chain.getFirst();
  }

  /** The name of its owner; a host name where it has none, as newer ones of Let's Encrypt. */
  public String name() {
    String subject = leaf().getSubjectX500Principal().getName();
    return subject.isEmpty() ? String.join(", ", CertificateFacts.names(leaf())) : subject;
  }

  /** The certificate as one that can be chosen at this time. */
  public CertificateChoice.Candidate candidate(Instant now) {
    return CertificateChoice.Candidate.of(context, leaf(), now);
  }

  /**
   * Takes what was read later. If that is the same certificate, the context stays, and with it the
   * sessions that clients may resume.
   */
  PemTls or(PemTls later) {
    return later.chain.equals(chain)
        ? new PemTls(context, chain, later.warnings, later.files)
        : later;
  }

  /**
   * Loads both files, which may be one.
   *
   * @throws PemException when they are unreadable, of an unknown form, or do not belong together
   */
  public static PemTls load(PemFiles files) throws PemException {
    PemPair pair = PemPair.read(files);
    try {
      return of(pair.chain(), pair.key(), openToOthers(files), files);
    } catch (SSLException e) {
      throw new PemException(
          files.setting() + ": " + files.certificate() + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** Makes it of a pair that is known to belong together. */
  static PemTls of(
      List<X509Certificate> chain, PrivateKey key, List<String> warnings, @Nullable PemFiles files)
      throws SSLException {
    return new PemTls(TlsContext.server(TlsEngine.inUse(), key, chain), chain, warnings, files);
  }

  /**
   * Reports who else can read or change the key, a sentence each; none where the file system knows
   * no owners. Groups may read it: Debian's {@code ssl-cert} is made for that.
   */
  private static List<String> openToOthers(PemFiles files) {
    Path file = files.key();
    List<String> warnings = new ArrayList<>();
    try {
      PosixFileAttributes attributes = Files.readAttributes(file, PosixFileAttributes.class);
      if (attributes.permissions().stream().anyMatch(TOO_OPEN::contains)) {
        warnings.add(
            files.keySetting()
                + ": other users of this machine can read or change "
                + file
                + "; chmod 0640 it (0600 without a group)");
      }
      String owner = attributes.owner().getName();
      if (!owner.equals("root") && !owner.equals(System.getProperty("user.name"))) {
        warnings.add(
            files.keySetting() + ": " + file + " belongs to " + owner + "; give it to root");
      }
    } catch (IOException | UnsupportedOperationException e) {
      // That it cannot be read is reported when its content is read.
    }
    return warnings;
  }
}
