package io.bloomgate.config.pem;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads from a certificate what it is for: the host names, and the kind of its key. Used by the
 * gateway for the choice of a certificate, by the doctor and by {@code config validate}. Pure; any
 * thread.
 */
public final class CertificateFacts {

  /** The kind of name that is a host name in {@link X509Certificate#getSubjectAlternativeNames}. */
  private static final int DNS_NAME = 2;

  private CertificateFacts() {}

  /**
   * The host names in lower case, wildcards among them. Senders look at subjectAltName only; a
   * common name is no host name (RFC 9525 section 2).
   */
  public static List<String> names(X509Certificate leaf) {
    try {
      Collection<List<?>> all = leaf.getSubjectAlternativeNames();
      return all == null
          ? List.of()
          : all.stream()
              .filter(name -> name.getFirst().equals(DNS_NAME))
              .map(name -> String.valueOf(name.get(1)).toLowerCase(Locale.ROOT))
              .toList();
    } catch (CertificateParsingException e) {
      return List.of(); // then it has none that a sender could read
    }
  }

  /** True when one of these names is for this host. */
  public static boolean covers(List<String> names, String hostname) {
    return names.stream().anyMatch(name -> matches(name, hostname));
  }

  /** RFC 9525 section 6.3: a star matches the whole leftmost label. */
  private static boolean matches(String name, String hostname) {
    int dot = hostname.indexOf('.');
    return name.equals(hostname)
        || (dot > 0 && name.startsWith("*.") && name.substring(1).equals(hostname.substring(dot)));
  }

  /** The kind of key as administrators know it: ECDSA, RSA or EdDSA. */
  public static String key(X509Certificate leaf) {
    String algorithm = leaf.getPublicKey().getAlgorithm();
    return algorithm.equals("EC") ? "ECDSA" : algorithm;
  }

  /** Says that it has expired, or is not valid yet; empty from its begin to its end. */
  public static Optional<String> untimely(X509Certificate leaf, Instant now) {
    Instant begin = leaf.getNotBefore().toInstant();
    Instant end = leaf.getNotAfter().toInstant();
    if (now.isAfter(end)) {
      return Optional.of("expired at " + end.truncatedTo(ChronoUnit.SECONDS));
    }
    return now.isBefore(begin)
        ? Optional.of("is not valid before " + begin.truncatedTo(ChronoUnit.SECONDS))
        : Optional.empty();
  }

  /** True when two certificates have the same kind of key and the same names. */
  public static boolean alike(X509Certificate one, X509Certificate other) {
    return key(one).equals(key(other))
        && new HashSet<>(names(one)).equals(new HashSet<>(names(other)));
  }
}
