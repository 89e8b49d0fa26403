package io.bloomgate.gateway.doctor;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.pem.CertificateFacts;
import io.bloomgate.config.settings.Settings.Listener;
import io.bloomgate.config.settings.Settings.Listener.ProxyProtocol;
import io.bloomgate.config.settings.Settings.Listener.StartTls;
import io.bloomgate.gateway.doctor.DoctorFinding.At;
import io.bloomgate.gateway.relay.SimpleClient;
import io.bloomgate.gateway.tls.ShownCertificate;
import io.bloomgate.gateway.wire.ProxyHeader;
import io.bloomgate.gateway.wire.tls.TlsContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
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
 * Tries to have mail relayed to a foreign domain through each listener, with recipient forms that
 * open relays accept. Uses a socket, because only the listener's replies count. Used by {@link
 * Doctor}.
 */
record ListenerProbe(ExaminedGateway gateway, String foreign) {

  ListenerProbe(ExaminedGateway gateway) {
    this(gateway, gateway.foreignDomain());
  }

  private static final String START_TLS = "STARTTLS";

  /** The time for a reply, in addition to {@code banner_delay}. */
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  /** Names of the listeners that can be tried. */
  List<String> listeners() {
    return gateway.ports().keySet().stream()
        .filter(gateway.settings().listeners()::containsKey)
        .toList();
  }

  /** Tries one of the {@link #listeners}. */
  DoctorFinding probe(String name) {
    Listener listener = gateway.settings().listeners().get(name);
    Integer port = gateway.ports().get(name);
    return listener == null || port == null
        ? notTried(name, "it is not there any more")
        : probe(name, listener, port);
  }

  private DoctorFinding probe(String name, Listener listener, int port) {
    try (SimpleClient client = connect(gateway, listener, port)) {
      if (listener.tls() == StartTls.IMPLICIT) {
        client.encrypt();
      }
      return converse(name, client, listener.tls() == StartTls.STARTTLS_REQUIRED);
    } catch (IOException e) {
      return notTried(name, Faults.words(e));
    }
  }

  /** Connects as a probe, with a PROXY header where the listener awaits one. */
  static SimpleClient connect(ExaminedGateway gateway, Listener listener, int port)
      throws IOException {
    ExaminedGateway.Probes probes = gateway.probes();
    SimpleClient client =
        SimpleClient.probe(
            new InetSocketAddress(host(listener), port),
            PATIENCE.plus(listener.bannerDelay()),
            probes.begin(),
            probes.end());
    if (awaitsProxyHeader(listener, client.ownAddress())) {
      client.write(proxyHeader(gateway, listener));
    }
    return client;
  }

  private static byte[] proxyHeader(ExaminedGateway gateway, Listener listener) {
    ProxyHeader stranger = gateway.stranger().proxied();
    return listener.proxyProtocol().acceptsV2() ? stranger.v2() : stranger.v1();
  }

  private DoctorFinding converse(String name, SimpleClient client, boolean encrypted)
      throws IOException {
    String hello = "EHLO doctor." + foreign;
    List<String> lines = new ArrayList<>(List.of("", hello));
    if (encrypted) {
      lines.addAll(List.of(START_TLS, hello));
    }
    lines.add("MAIL FROM:<doctor@" + foreign + ">");
    for (String line : lines) {
      String reply = lastLine(line.isEmpty() ? client.read() : client.ask(line));
      if (!reply.startsWith("2")) {
        return notTried(name, "it said: " + reply);
      }
      if (line.equals(START_TLS)) {
        client.encrypt();
      }
    }
    String refusal = "";
    for (String recipient : recipients()) {
      refusal = lastLine(client.ask("RCPT TO:" + recipient));
      if (refusal.startsWith("2")) {
        return at(name)
            .fail(
                "it takes mail to " + recipient,
                "this must not be: look at `domains`, and report it with `bloomgate config show"
                    + " --changed`");
      }
    }
    client.ask("QUIT");
    return at(name)
        .ok(recipients().size() + " forms of foreign recipients are refused: " + refusal);
  }

  /** A plain foreign address, and those that hide one: %, !, quoted @, source route. */
  private List<String> recipients() {
    String own =
        gateway.settings().domains().stream()
            .map(domain -> domain.startsWith(".") ? domain.substring(1) : domain)
            .findFirst()
            .orElse("localhost");
    return List.of(
        "<relay-probe%" + foreign + "@" + own + ">",
        "<" + foreign + "!relay-probe@" + own + ">",
        "<\"relay-probe@" + foreign + "\"@" + own + ">",
        "<@" + own + ":relay-probe@" + foreign + ">",
        "<relay-probe@" + foreign + ">");
  }

  private static String lastLine(String reply) {
    return reply.lines().toList().getLast();
  }

  private static At at(String name) {
    return Doctor.Check.OPEN_RELAY.at("listener " + name);
  }

  /** The finding about a listener for which a check came to no result. */
  static DoctorFinding notTried(String name, String why) {
    return at(name)
        .warn(
            "relaying could not be tried: " + why,
            "try from another machine: RCPT TO of a foreign domain must be refused");
  }

  /** A listener on all addresses is reached on loopback. */
  private static String host(Listener listener) {
    String host = listener.address().host();
    return switch (host) {
      case "::" -> "::1";
      case "0.0.0.0" -> "127.0.0.1";
      default -> host;
    };
  }

  private static boolean awaitsProxyHeader(Listener listener, InetAddress from) {
    return listener.proxyProtocol() != ProxyProtocol.NONE
        && listener.trustedProxies().stream()
            .anyMatch(network -> network.contains(IpAddress.of(from)));
  }

  /**
   * Makes a handshake with a listener for each certificate, as a sender that asks for its name and
   * can check its kind of key only. Used by {@link Doctor}.
   */
  record HandshakeProbe(ExaminedGateway gateway) {

    private static final Map<String, String[]> SCHEMES =
        Map.of(
            "ECDSA",
            new String[] {
              "ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ecdsa_secp521r1_sha512"
            },
            "EdDSA",
            new String[] {"ed25519", "ed448"});

    private static final String[] RSA_SCHEMES = {"rsa_pss_rsae_sha256", "rsa_pkcs1_sha256"};

    /** Names of the listeners that can be tried. */
    List<String> listeners() {
      return new ListenerProbe(gateway)
          .listeners().stream()
              .filter(_ -> !gateway.certificates().isEmpty())
              .filter(name -> listener(name).tls() != StartTls.NONE)
              .toList();
    }

    private Listener listener(String name) {
      return Objects.requireNonNull(gateway.settings().listeners().get(name), name);
    }

    /** Tries one of the {@link #listeners}. */
    List<DoctorFinding> probe(String name) {
      return gateway.certificates().stream().map(wanted -> probe(name, wanted)).toList();
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
            ? at(name).ok("it shows " + which)
            : at(name)
                .warn(
                    "it does not show " + which + " to a sender that asks for its name",
                    "look for one like it in tls.certificates; after a change try again in two"
                        + " seconds");
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

    private static At at(String name) {
      return Doctor.Check.TLS.at("listener " + name);
    }

    /** The finding about a listener for which a handshake came to no result. */
    static DoctorFinding notTried(String name, String why) {
      return at(name)
          .warn(
              "a handshake failed: " + why,
              "`bloomgate tail` and the log show why; try openssl s_client -starttls smtp");
    }
  }
}
