package io.bloomgate.gateway.doctor;

import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.pem.CertificateFacts;
import io.bloomgate.gateway.doctor.DoctorFinding.At;
import io.bloomgate.gateway.tls.ShownCertificate;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Checks whether senders that verify certificates would accept ours. Used by {@link Doctor}. */
record TlsChecks(ExaminedGateway gateway) {

  List<DoctorFinding> all() {
    List<ShownCertificate> certificates = gateway.certificates();
    if (certificates.isEmpty()) {
      return List.of(
          at("listeners")
              .warn(
                  "no listener offers STARTTLS, mail comes in plaintext",
                  "set tls: starttls in the listener; without a certificate a self-signed one is"
                      + " made"));
    }
    List<DoctorFinding> findings = new ArrayList<>();
    engine(TlsEngine.problem()).ifPresent(findings::add);
    certificates.forEach(each -> findings.addAll(about(each)));
    if (certificates.stream().allMatch(each -> each.key().equals("RSA"))) {
      findings.add(
          new DoctorFinding(
              Doctor.Check.TLS.word(),
              DoctorFinding.State.OK,
              "only RSA: a full handshake takes twice the processor time of one with ECDSA or more",
              "tls",
              "put an ECDSA certificate beside it in tls.certificates, RSA stays for senders that"
                  + " know no other"));
    }
    return findings;
  }

  /** Warns when BoringSSL was wanted and cannot be loaded. */
  static Optional<DoctorFinding> engine(String problem) {
    return problem.isEmpty()
        ? Optional.empty()
        : Optional.of(
            at("this machine")
                .warn(
                    "Java does TLS, which takes more of the processor: BoringSSL cannot be loaded, "
                        + problem,
                    "on Linux with x86-64 let code run from state_dir; -Dbloomgate.tls.engine=jdk"
                        + " keeps Java's engine and ends this warning"));
  }

  /** The words for a certificate. */
  static String where(ShownCertificate shown) {
    return shown.tls().name() + " (" + shown.key() + ")";
  }

  private List<DoctorFinding> about(ShownCertificate shown) {
    String where = where(shown);
    Instant now = gateway.clock().instant();
    List<DoctorFinding> findings = new ArrayList<>();
    shown.troubles(now).forEach(trouble -> findings.add(at(where).of(trouble)));
    if (shown.validity(now).isEmpty()) {
      findings.add(at(where).ok("it is valid until " + shown.expires()));
    }
    X509Certificate leaf = shown.tls().leaf();
    String hostname = gateway.settings().hostname();
    boolean isFirst = shown.equals(gateway.certificates().getFirst());
    findings.add(name(leaf, hostname, where, isFirst));
    if (!shown.selfSigned()) {
      findings.add(trust(shown.tls().chain(), where));
      findings.add(at(where).ok("its record for DANE: " + tlsa(leaf)));
    }
    return findings;
  }

  /** The content of a record that any certificate of this key matches, RFC 7671 section 5.1. */
  static String tlsa(X509Certificate leaf) {
    return "TLSA 3 1 1 "
        + Fingerprint.of(Fingerprint.sha256().digest(leaf.getPublicKey().getEncoded()));
  }

  /**
   * Compares its names with the name of the gateway.
   *
   * @param isFirst when clients get it that ask for no name, as most do
   */
  static DoctorFinding name(X509Certificate leaf, String hostname, String where, boolean isFirst) {
    List<String> names = CertificateFacts.names(leaf);
    if (names.isEmpty()) {
      return at(where)
          .warn(
              "it has no host name in its subjectAltName, so it is for no name",
              "get one with DNS:" + hostname + " in it");
    }
    if (CertificateFacts.covers(names, hostname)) {
      return at(where).ok("it is for " + hostname);
    }
    String others = "it is for " + String.join(", ", names);
    return isFirst
        ? at(where)
            .warn(
                others + " and not for " + hostname,
                "get one for the name that your MX record has, and set hostname to it")
        : at(where).ok(others + ", for senders that ask for such a name");
  }

  private static DoctorFinding selfSigned(String where) {
    return at(where)
        .warn(
            "no authority has signed it: senders that check it by MTA-STS deliver nothing",
            "use one of an authority, for example Let's Encrypt; for DANE its record TLSA 3 1 1 is"
                + " enough");
  }

  /** The judgement of a sender that knows the authorities of this Java installation. */
  static DoctorFinding trust(List<X509Certificate> chain, String where) {
    if (isSelfSigned(chain.getFirst())) {
      return selfSigned(where);
    }
    try {
      X509TrustManager authorities = authorities();
      if (authorities == null) {
        return at(where).warn("this Java knows no authorities", "");
      }
      authorities.checkServerTrusted(chain.toArray(new X509Certificate[0]), "UNKNOWN");
      return at(where).ok("a public authority has signed it, " + chain.size() + " in the chain");
    } catch (GeneralSecurityException e) {
      return at(where)
          .warn(
              "no public authority has signed it, or its chain does not lead to one: the last of "
                  + chain.size()
                  + " certificates was issued by "
                  + chain.getLast().getIssuerX500Principal().getName(),
              "put the intermediate certificates behind it in its file (fullchain.pem)");
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

  private static At at(String where) {
    return Doctor.Check.TLS.at(where);
  }
}
