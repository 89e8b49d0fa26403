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

  static final Trouble SELF_SIGNED =
      new Trouble(
          false,
          "STARTTLS shows a self-signed certificate: senders that check it (MTA-STS, DANE) deliver"
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
      troubles.add(new Trouble(true, problem, "fix the files; no reload is needed"));
    }
    tls.warnings().forEach(text -> troubles.add(new Trouble(false, text, "")));
    return troubles;
  }

  /** Says when it cannot be used yet, any more, or soon. */
  public Optional<Trouble> validity(Instant now) {
    Instant begin = tls.leaf().getNotBefore().toInstant();
    Duration left = Duration.between(now, expires());
    String end = String.valueOf(expires().truncatedTo(ChronoUnit.SECONDS));
    String which = "the certificate " + (selfSigned() ? "" : file() + " ");
    if (left.isNegative()) {
      return Optional.of(new Trouble(true, which + "expired at " + end, "renew it"));
    }
    if (left.compareTo(EXPIRES_SOON) < 0) {
      String days = "expires in " + left.toDays() + " days, at " + end;
      return Optional.of(new Trouble(false, which + days, "renew it"));
    }
    return now.isBefore(begin)
        ? Optional.of(
            new Trouble(true, which + "is not valid before " + begin, "look at the clock"))
        : Optional.empty();
  }
}
