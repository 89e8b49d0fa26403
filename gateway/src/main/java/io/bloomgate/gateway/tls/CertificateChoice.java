package io.bloomgate.gateway.tls;

import io.bloomgate.config.pem.CertificateFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * The certificates of one moment, and which of them a client gets: one for the name that it asks
 * for, with the kind of key that costs the processor least of those that it can check. Made by
 * {@link ServerCertificates}, asked by sessions. Immutable; any thread.
 *
 * <pre>
 *   the client                        gets
 *   asks for a name that some have    the best of these
 *   asks for no name, or another one  the best of the first and of those that have all its names
 *   can check none of them            the best of all others: most senders do not look at names
 *   can check none at all             the first of them, and TLS ends the handshake
 * </pre>
 */
public final class CertificateChoice {

  private record Candidate(SSLContext context, List<String> names, KeyKind key) {

    static Candidate of(PemTls tls) {
      return new Candidate(
          tls.context(), CertificateFacts.names(tls.leaf()), KeyKind.of(tls.leaf().getPublicKey()));
    }

    /** True when a client that was to get the other one takes this one, too. */
    boolean replaces(Candidate other) {
      return other.names.isEmpty()
          ? names.isEmpty()
          : other.names.stream().allMatch(name -> CertificateFacts.covers(names, name));
    }
  }

  private final SSLContext first;

  /** All, the best kind of key first; of one kind in the order of the settings. */
  private final List<Candidate> all;

  /** Those for clients that ask for no name. */
  private final List<Candidate> nameless;

  /** At least one certificate, the first for clients that ask for no name. */
  public CertificateChoice(List<PemTls> certificates) {
    List<Candidate> candidates = new ArrayList<>(certificates.stream().map(Candidate::of).toList());
    Candidate standard = candidates.getFirst();
    first = standard.context();
    candidates.sort(Comparator.comparing(Candidate::key));
    all = List.copyOf(candidates);
    nameless = all.stream().filter(each -> each.replaces(standard)).toList();
  }

  /** True when there is a choice, for which the client's first message is needed. */
  public boolean needsHello() {
    return all.size() > 1;
  }

  /** The context of the first certificate, where there is no choice. */
  public SSLContext first() {
    return first;
  }

  /** The context for this client. */
  public SSLContext forClient(HelloRecords client) {
    return client.hello().map(this::chosen).orElse(first);
  }

  private SSLContext chosen(ClientHello hello) {
    List<Candidate> named =
        all.stream()
            .filter(each -> CertificateFacts.covers(each.names(), hello.serverName()))
            .toList();
    List<Candidate> wanted = named.isEmpty() ? nameless : named;
    for (List<Candidate> candidates : List.of(wanted, all)) {
      for (Candidate each : candidates) {
        if (each.key().serves(hello)) {
          return each.context();
        }
      }
    }
    return wanted.getFirst().context();
  }
}
