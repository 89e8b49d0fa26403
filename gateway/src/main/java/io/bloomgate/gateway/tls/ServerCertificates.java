package io.bloomgate.gateway.tls;

import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import io.bloomgate.gateway.wire.tls.TicketKeys;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates that sessions show now: those of the settings' files, which are looked at every
 * second, or a self-signed one. A pair that cannot be used never takes the place of one that can,
 * and changes no other one.
 *
 * <p>Set by start and reload, {@link #poll} by the housekeeping; asked by sessions and commands on
 * any thread.
 */
public final class ServerCertificates {

  private static final Logger LOG = LoggerFactory.getLogger(ServerCertificates.class);

  private final SelfSignedFile selfSigned;
  private final InstantSource clock;
  private final TicketKeys tickets;
  private volatile List<ShownCertificate> shown = List.of();

  /** The last one stays: sessions that began before a reload may have been offered TLS. */
  private volatile @Nullable CertificateChoice choice;

  private String hostname = "";

  /** The watches of the files, one for each that is shown; none for the self-signed one. */
  private List<SettledFiles> watches = List.of();

  /**
   * Shows nothing yet.
   *
   * @param selfSignedFile where the self-signed certificate and its key are kept, mode 0600
   * @param tickets for all certificates that are shown, also one after the other
   */
  public ServerCertificates(
      Path selfSignedFile, InstantSource clock, SecureRandom random, TicketKeys tickets) {
    this.selfSigned = new SelfSignedFile(selfSignedFile, clock, random);
    this.clock = clock;
    this.tickets = tickets;
  }

  // ---- start, reload, housekeeping

  /** Shows what was read of the settings' files, at least one pair of them. */
  public synchronized void use(List<PemTls> loaded) {
    // They may have changed since they were read; the next polls see to it.
    watches = loaded.stream().map(tls -> new SettledFiles()).toList();
    show(loaded.stream().map(tls -> new ShownCertificate(orFormer(tls), "")).toList());
    loaded.forEach(tls -> tls.warnings().forEach(LOG::warn));
  }

  /** Shows a self-signed certificate for this name, and logs a warning about it. */
  public synchronized void useSelfSigned(String forHostname) {
    hostname = forHostname;
    watches = List.of();
    showSelfSigned();
    LOG.warn("{}", ShownCertificate.SELF_SIGNED.sentence());
  }

  /** No listener offers TLS. */
  public synchronized void useNone() {
    watches = List.of();
    shown = List.of();
  }

  /** The context of the same certificate stays over a reload. */
  private PemTls orFormer(PemTls loaded) {
    return shown.stream()
        .map(ShownCertificate::tls)
        .filter(former -> former.chain().equals(loaded.chain()))
        .findFirst()
        .map(former -> former.or(loaded))
        .orElse(loaded);
  }

  /** Loads renewed files, and renews the keys of tickets when it is time. */
  public synchronized void poll() {
    List<ShownCertificate> now = shown;
    now.forEach(this::renewTickets);
    List<ShownCertificate> next = new ArrayList<>(now);
    for (int i = 0; i < watches.size(); i++) {
      PemFiles files = now.get(i).tls().files();
      if (files != null && watches.get(i).changed(List.of(files.certificate(), files.key()))) {
        next.set(i, loaded(now.get(i), files));
      }
    }
    if (!next.equals(now)) {
      show(next);
    } else if (watches.isEmpty()
        && now.stream().anyMatch(each -> !selfSigned.serves(each.tls().leaf(), hostname))) {
      showSelfSigned();
    }
  }

  private void showSelfSigned() {
    show(List.of(new ShownCertificate(selfSigned.current(hostname), "")));
  }

  private ShownCertificate loaded(ShownCertificate now, PemFiles files) {
    try {
      PemTls fresh = PemTls.load(files);
      if (fresh.chain().equals(now.tls().chain())) {
        return new ShownCertificate(now.tls().or(fresh), "");
      }
      fresh.warnings().forEach(LOG::warn);
      return new ShownCertificate(fresh, "");
    } catch (PemException e) {
      LOG.error("{}; the former certificate stays in use", e.getMessage());
      return new ShownCertificate(
          now.tls(), e.getMessage() + "; the former certificate stays in use");
    }
  }

  private void show(List<ShownCertificate> next) {
    List<List<X509Certificate>> former = shown.stream().map(each -> each.tls().chain()).toList();
    shown = List.copyOf(next);
    next.forEach(this::renewTickets);
    choice = new CertificateChoice(next.stream().map(each -> each.tls().candidate()).toList());
    for (ShownCertificate each : next) {
      if (!former.contains(each.tls().chain())) {
        LOG.info("STARTTLS shows {}, valid until {}", each.tls().name(), each.expires());
      }
    }
  }

  private void renewTickets(ShownCertificate certificate) {
    certificate.tls().context().renewTickets(tickets, clock.instant());
  }

  // ---- sessions, commands, metrics

  /** The choice for the next handshake. */
  public CertificateChoice choice() {
    CertificateChoice now = choice;
    if (now == null) {
      throw new IllegalStateException("TLS was never offered");
    }
    return now;
  }

  /** The certificates that are shown, in the order of the settings; empty without TLS. */
  public List<ShownCertificate> shown() {
    return shown;
  }

  /** The alarms that the administrator must see to, a sentence each. */
  public List<String> alarms() {
    return shown.stream()
        .flatMap(each -> each.troubles(clock.instant()).stream())
        .map(trouble -> trouble.sentence())
        .toList();
  }
}
