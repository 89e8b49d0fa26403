package io.bloomgate.gateway.doctor;

import io.bloomgate.gateway.tls.ServerCertificate.Shown;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Checks whether senders that verify certificates would accept ours. Used by {@link Doctor}. */
final class TlsChecks {

  private static final String CHECK = Doctor.Check.TLS.word();

  /** The kind of name that is a host name in {@link X509Certificate#getSubjectAlternativeNames}. */
  private static final int DNS_NAME = 2;

  private final ExaminedGateway gateway;

  TlsChecks(ExaminedGateway gateway) {
    this.gateway = gateway;
  }

  List<DoctorFinding> all() {
    Shown shown = gateway.certificate();
    if (shown == null) {
      return List.of(
          DoctorFinding.warn(
              CHECK,
              "listeners",
              "no listener offers STARTTLS, mail comes in plaintext",
              "set tls: starttls in the listener; without a certificate a self-signed one is"
                  + " made"));
    }
    String where = shown.tls().leaf().getSubjectX500Principal().getName();
    Instant now = gateway.clock().instant();
    List<DoctorFinding> findings = new ArrayList<>();
    shown.troubles(now).forEach(trouble -> findings.add(DoctorFinding.of(CHECK, where, trouble)));
    if (shown.validity(now).isEmpty()) {
      findings.add(DoctorFinding.ok(CHECK, where, "it is valid until " + shown.expires()));
    }
    findings.add(name(shown.tls().leaf(), gateway.settings().hostname(), where));
    if (!TlsEngine.problem().isEmpty()) {
      findings.add(
          DoctorFinding.warn(
              CHECK,
              "this machine",
              "Java does TLS, which takes more of the processor: BoringSSL cannot be loaded, "
                  + TlsEngine.problem(),
              "on Linux with x86-64 let code run from state_dir; -Dbloomgate.tls.engine=jdk keeps"
                  + " Java's engine and ends this warning"));
    }
    if (!shown.selfSigned()) {
      findings.add(trust(shown.tls().chain(), where));
    }
    return findings;
  }

  /** Senders look at subjectAltName only; a common name is no host name (RFC 9525 section 2). */
  static DoctorFinding name(X509Certificate leaf, String hostname, String where) {
    List<String> names = names(leaf);
    if (names.isEmpty()) {
      return DoctorFinding.warn(
          CHECK,
          where,
          "it has no host name in its subjectAltName, so it is for no name",
          "get one with DNS:" + hostname + " in it");
    }
    return names.stream().anyMatch(name -> matches(name, hostname))
        ? DoctorFinding.ok(CHECK, where, "it is for " + hostname)
        : DoctorFinding.warn(
            CHECK,
            where,
            "it is for " + String.join(", ", names) + " and not for " + hostname,
            "get one for the name that your MX record has, and set hostname to it");
  }

  private static List<String> names(X509Certificate leaf) {
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> all = leaf.getSubjectAlternativeNames();
      if (all != null) {
        for (List<?> name : all) {
          if (name.getFirst().equals(DNS_NAME)) {
            names.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT));
          }
        }
      }
    } catch (CertificateParsingException e) {
      return names; // then it has none that a sender could read
    }
    return names;
  }

  /** RFC 9525 section 6.3: a star matches the whole leftmost label. */
  static boolean matches(String name, String hostname) {
    int dot = hostname.indexOf('.');
    return name.equals(hostname)
        || (dot > 0 && name.startsWith("*.") && name.substring(1).equals(hostname.substring(dot)));
  }

  private static DoctorFinding selfSigned(String where) {
    return DoctorFinding.warn(
        CHECK,
        where,
        "it is self-signed, no public authority has signed it: senders that check certificates"
            + " (MTA-STS, DANE) deliver nothing",
        "set tls.certificate and tls.key, for example to those of Let's Encrypt");
  }

  /** The judgement of a sender that knows the authorities of this Java installation. */
  static DoctorFinding trust(List<X509Certificate> chain, String where) {
    if (isSelfSigned(chain.getFirst())) {
      return selfSigned(where);
    }
    try {
      X509TrustManager authorities = authorities();
      if (authorities == null) {
        return DoctorFinding.warn(CHECK, where, "this Java knows no authorities", "");
      }
      authorities.checkServerTrusted(chain.toArray(new X509Certificate[0]), "UNKNOWN");
      return DoctorFinding.ok(
          CHECK, where, "a public authority has signed it, " + chain.size() + " in the chain");
    } catch (GeneralSecurityException e) {
      return DoctorFinding.warn(
          CHECK,
          where,
          "no public authority has signed it, or its chain does not lead to one: the last of "
              + chain.size()
              + " certificates was issued by "
              + chain.getLast().getIssuerX500Principal().getName(),
          "put the intermediate certificates behind it in tls.certificate (fullchain.pem)");
    }
  }

  /** The operator's own, too: intermediate certificates do not help it. */
  private static boolean isSelfSigned(X509Certificate leaf) {
    return leaf.getSubjectX500Principal().equals(leaf.getIssuerX500Principal());
  }

  private static @Nullable X509TrustManager authorities() throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager authorities) {
        return authorities;
      }
    }
    return null;
  }
}
