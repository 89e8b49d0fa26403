package io.bloomgate.gateway.wire.tls;

import io.bloomgate.config.pem.CertificateFacts;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The certificates of one moment, and which of them a client gets: one for the name that it asks
 * for, with the kind of key that costs the processor least of those that it can check. Made by the
 * owner of the certificates, asked by sessions. Immutable; any thread.
 *
 * <pre>
 *   the client                        gets
 *   asks for a name that some have    the best of these
 *   asks for no name, or another one  the best of the first and of those that have all its names
 *   can check none of them            the best of all others: most senders do not look at names
 *   can check none at all             the first of them, and TLS ends the handshake
 * </pre>
 *
 * <p>Certificates that have expired, or are not valid yet, come behind all others: a sender that
 * looks at the time takes none of them.
 */
public final class CertificateChoice {

  /**
   * A certificate that can be chosen.
   *
   * @param context that shows it
   * @param valid false before its time and after it
   */
  public record Candidate(TlsContext context, List<String> names, KeyKind key, boolean valid) {

    public Candidate {
      names = List.copyOf(names);
    }

    /** Makes one of a certificate and the context that shows it, as it is at this time. */
    public static Candidate of(TlsContext context, X509Certificate leaf, Instant now) {
      return new Candidate(
          context,
          CertificateFacts.names(leaf),
          KeyKind.of(leaf.getPublicKey()),
          CertificateFacts.untimely(leaf, now).isEmpty());
    }

    /** True when a client that was to get the other one takes this one, too. */
    private boolean replaces(Candidate other) {
      return other.names.isEmpty()
          ? names.isEmpty()
          : other.names.stream().allMatch(name -> CertificateFacts.covers(names, name));
    }
  }

  private final TlsContext first;

  /** All that are valid, the best kind of key first, of one kind in their order; then the rest. */
  private final List<Candidate> all;

  /** The candidates for clients that ask for no name. */
  private final List<Candidate> nameless;

  /** Takes at least one certificate, the first valid one for clients that ask for no name. */
  public CertificateChoice(List<Candidate> certificates) {
    List<Candidate> candidates = new ArrayList<>(certificates);
    Candidate standard =
        candidates.stream().filter(Candidate::valid).findFirst().orElse(candidates.getFirst());
    first = standard.context();
    candidates.sort(
        Comparator.comparing((Candidate c) -> !c.valid()).thenComparing(Candidate::key));
    all = List.copyOf(candidates);
    nameless = all.stream().filter(each -> each.replaces(standard)).toList();
  }

  /** True when there is a choice, of engines too, for which a client's first message is needed. */
  public boolean needsHello() {
    return all.size() > 1 || first.byBoringSsl();
  }

  /** The context of the first certificate, where there is no choice. */
  public TlsContext first() {
    return first;
  }

  /** The context for this client. */
  public TlsContext forClient(HelloRecords client) {
    return client.hello().map(hello -> chosen(hello).forClient(hello)).orElse(first);
  }

  private TlsContext chosen(ClientHello hello) {
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
