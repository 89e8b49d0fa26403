package io.bloomgate.gateway.tls;

import io.bloomgate.config.pem.CertificateFacts;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A certificate that sessions show. Made by {@link ServerCertificates}; immutable.
 *
 * @param problem why the files' newest content is not in use; empty when it is
 */
public record ShownCertificate(PemTls tls, String problem) {

  /** An alarm warns of the end this long before; renewals happen 30 days before. */
  private static final Duration EXPIRES_SOON = Duration.ofDays(14);

  static final String FIX_FILES = "fix the files; no reload is needed";

  static final Trouble SELF_SIGNED =
      new Trouble(
          false,
          "STARTTLS shows a self-signed certificate: senders that check it by MTA-STS deliver"
              + " nothing",
          "set tls.certificate and tls.key");

  /** True when no authority has signed it, because it was made here. */
  public boolean selfSigned() {
    return tls.files() == null;
  }

  /** Returns the file that it was read from; empty for one that was made here. */
  public String file() {
    PemFiles files = tls.files();
    return files == null ? "" : files.certificate().toString();
  }

  /** The kind of its key: ECDSA, RSA or EdDSA. */
  public String key() {
    return CertificateFacts.key(tls.leaf());
  }

  /** The time when the certificate ends. */
  public Instant expires() {
    return tls.leaf().getNotAfter().toInstant();
  }

  /** Returns all that the administrator must see to. */
  public List<Trouble> troubles(Instant now) {
    List<Trouble> troubles = new ArrayList<>();
    if (selfSigned()) {
      troubles.add(SELF_SIGNED);
    }
    validity(now).ifPresent(troubles::add);
    if (!problem.isEmpty()) {
      troubles.add(new Trouble(true, problem, FIX_FILES));
    }
    tls.warnings().forEach(text -> troubles.add(new Trouble(false, text, "")));
    return troubles;
  }

  /** Says when it cannot be used yet, any more, or soon. */
  public Optional<Trouble> validity(Instant now) {
    String which = "the certificate " + (selfSigned() ? "" : file() + " ");
    Optional<String> untimely = CertificateFacts.untimely(tls.leaf(), now);
    if (untimely.isPresent()) {
      String remedy = now.isAfter(expires()) ? "renew it" : "look at the clock";
      return Optional.of(new Trouble(true, which + untimely.get(), remedy));
    }
    Duration left = Duration.between(now, expires());
    if (left.compareTo(EXPIRES_SOON) < 0) {
      String end = String.valueOf(expires().truncatedTo(ChronoUnit.SECONDS));
      String days = "expires in " + left.toDays() + " days, at " + end;
      return Optional.of(new Trouble(false, which + days, "renew it"));
    }
    return Optional.empty();
  }
}
