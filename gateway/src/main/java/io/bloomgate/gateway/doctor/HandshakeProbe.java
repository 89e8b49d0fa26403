package io.bloomgate.gateway.doctor;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.pem.CertificateFacts;
import io.bloomgate.config.settings.Settings.Listener;
import io.bloomgate.config.settings.Settings.Listener.StartTls;
import io.bloomgate.gateway.relay.SimpleClient;
import io.bloomgate.gateway.tls.ShownCertificate;
import io.bloomgate.gateway.wire.tls.TlsContext;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Makes a handshake with a listener for each certificate, as a sender that asks for its name and
 * can check its kind of key only. Used by {@link Doctor}.
 */
final class HandshakeProbe {

  private static final String CHECK = Doctor.Check.TLS.word();

  private static final Map<String, String[]> SCHEMES =
      Map.of(
          "ECDSA",
          new String[] {
            "ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ecdsa_secp521r1_sha512"
          },
          "EdDSA",
          new String[] {"ed25519", "ed448"});

  private static final String[] RSA_SCHEMES = {"rsa_pss_rsae_sha256", "rsa_pkcs1_sha256"};

  private final ExaminedGateway gateway;

  HandshakeProbe(ExaminedGateway gateway) {
    this.gateway = gateway;
  }

  /** Names of the listeners that can be tried. */
  List<String> listeners() {
    Map<String, Listener> listeners = gateway.settings().listeners();
    return gateway.certificates().isEmpty()
        ? List.of()
        : gateway.ports().keySet().stream()
            .filter(listeners::containsKey)
            .filter(name -> listener(name).tls() != StartTls.NONE)
            .toList();
  }

  private Listener listener(String name) {
    return Objects.requireNonNull(gateway.settings().listeners().get(name), name);
  }

  /** Tries one of the {@link #listeners}. */
  List<DoctorFinding> probe(String name) {
    List<DoctorFinding> findings = new ArrayList<>();
    for (ShownCertificate wanted : gateway.certificates()) {
      findings.add(probe(name, wanted));
    }
    return findings;
  }

  private DoctorFinding probe(String name, ShownCertificate wanted) {
    Listener listener = listener(name);
    int port = Objects.requireNonNull(gateway.ports().get(name), name);
    String which = TlsChecks.where(wanted);
    try (SimpleClient client = ListenerProbe.connect(gateway, listener, port)) {
      if (listener.tls() != StartTls.IMPLICIT) {
        client.read();
        client.ask("EHLO doctor." + gateway.foreignDomain());
        String reply = client.ask("STARTTLS").strip();
        if (!reply.startsWith("2")) {
          return notTried(name, "it said: " + reply);
        }
      }
      return wanted.tls().leaf().equals(shown(client.socket(), wanted))
          ? DoctorFinding.ok(CHECK, where(name), "it shows " + which)
          : DoctorFinding.warn(
              CHECK,
              where(name),
              "it does not show " + which + " to a sender that asks for its name",
              "look for one like it in tls.certificates; after a change try again in two seconds");
    } catch (IOException | GeneralSecurityException e) {
      return notTried(name, Faults.words(e));
    }
  }

  private static Certificate shown(Socket plain, ShownCertificate wanted)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, TlsContext.anyCertificate(), null);
    String address = plain.getInetAddress().getHostAddress();
    try (SSLSocket tls =
        (SSLSocket)
            context.getSocketFactory().createSocket(plain, address, plain.getPort(), false)) {
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setSignatureSchemes(SCHEMES.getOrDefault(wanted.key(), RSA_SCHEMES));
      parameters.setServerNames(names(wanted.tls().leaf()));
      tls.setSSLParameters(parameters);
      tls.startHandshake();
      return tls.getSession().getPeerCertificates()[0];
    }
  }

  private static List<SNIServerName> names(X509Certificate leaf) {
    return CertificateFacts.names(leaf).stream()
        .limit(1)
        .<SNIServerName>map(
            name -> new SNIHostName(name.startsWith("*.") ? "mx" + name.substring(1) : name))
        .toList();
  }

  private static String where(String name) {
    return "listener " + name;
  }

  /** The finding about a listener for which a handshake came to no result. */
  static DoctorFinding notTried(String name, String why) {
    return DoctorFinding.warn(
        CHECK,
        where(name),
        "a handshake failed: " + why,
        "`bloomgate tail` and the log show why; try openssl s_client -starttls smtp");
  }
}
