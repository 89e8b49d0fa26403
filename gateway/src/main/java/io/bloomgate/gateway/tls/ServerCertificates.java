package io.bloomgate.gateway.tls;

import io.bloomgate.config.pem.PemException;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import io.bloomgate.gateway.wire.tls.CertificateChoice.Candidate;
import io.bloomgate.gateway.wire.tls.TicketKeys;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates that sessions show now: those of the settings' files, which are looked at every
 * second, or a self-signed one. A pair that cannot be used never takes the place of one that can,
 * and changes no other one; it is shown as soon as it can be read.
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

  /** The pairs of the settings; none for the self-signed certificate. */
  private volatile List<LoadedPair> pairs = List.of();

  /** The watches of their files. */
  private List<SettledFiles> watches = List.of();

  /** The last one stays: sessions that began before a reload may have been offered TLS. */
  private volatile @Nullable CertificateChoice choice;

  private String hostname = "";

  /** The candidates of the choice, which also change with the time. */
  private List<Candidate> candidates = List.of();

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

  /** Shows what was read of the settings' files; at least one pair of them can be shown. */
  public synchronized void use(List<LoadedPair> loaded) {
    // They may have changed since they were read; the next polls see to it.
    watches = loaded.stream().map(pair -> new SettledFiles()).toList();
    show(loaded.stream().map(this::orFormer).toList());
    shown.forEach(each -> each.tls().warnings().forEach(LOG::warn));
  }

  /** Shows a self-signed certificate for this name, and logs a warning about it. */
  public synchronized void useSelfSigned(String forHostname) {
    hostname = forHostname;
    pairs = List.of();
    showSelfSigned();
    LOG.warn("{}", ShownCertificate.SELF_SIGNED.sentence());
  }

  /** No listener offers TLS. */
  public synchronized void useNone() {
    pairs = List.of();
    shown = List.of();
  }

  /**
   * Takes what was read of a pair now. The context of the same certificate stays, and the former
   * certificate of files that cannot be read any more.
   */
  private LoadedPair orFormer(LoadedPair read) {
    PemTls fresh = read.tls();
    if (fresh != null) {
      PemTls same =
          shown.stream()
              .map(ShownCertificate::tls)
              .filter(former -> former.chain().equals(fresh.chain()))
              .findFirst()
              .orElse(fresh);
      return new LoadedPair(read.files(), same.or(fresh), "");
    }
    PemTls former = null;
    for (LoadedPair pair : pairs) {
      if (pair.files().certificate().equals(read.files().certificate())) {
        former = pair.tls();
      }
    }
    String instead =
        former == null
            ? "; the other certificates are shown without it"
            : "; the former certificate stays in use";
    return new LoadedPair(read.files(), former, read.problem() + instead);
  }

  /** Loads renewed files, and renews the keys of tickets when it is time. */
  public synchronized void poll() {
    shown.forEach(this::renewTickets);
    if (pairs.isEmpty()) {
      if (shown.stream().anyMatch(each -> !selfSigned.serves(each.tls().leaf(), hostname))) {
        showSelfSigned();
      }
      return;
    }
    List<LoadedPair> next = new ArrayList<>(pairs);
    for (int i = 0; i < next.size(); i++) {
      PemFiles files = next.get(i).files();
      if (watches.get(i).changed(List.of(files.certificate(), files.key()))) {
        next.set(i, reloaded(next.get(i)));
      }
    }
    if (!next.equals(pairs)) {
      show(next);
    } else {
      choose();
    }
  }

  private void showSelfSigned() {
    showAll(List.of(new ShownCertificate(selfSigned.current(hostname), "")));
  }

  private LoadedPair reloaded(LoadedPair now) {
    try {
      PemTls fresh = PemTls.load(now.files());
      LoadedPair next = orFormer(new LoadedPair(now.files(), fresh, ""));
      if (fresh.equals(next.tls())) {
        fresh.warnings().forEach(LOG::warn);
      }
      return next;
    } catch (PemException e) {
      LoadedPair failed =
          orFormer(new LoadedPair(now.files(), null, String.valueOf(e.getMessage())));
      LOG.error("{}", failed.problem());
      return failed;
    }
  }

  private void show(List<LoadedPair> next) {
    pairs = List.copyOf(next);
    List<ShownCertificate> readable = new ArrayList<>();
    for (LoadedPair pair : next) {
      PemTls tls = pair.tls();
      if (tls != null) {
        readable.add(new ShownCertificate(tls, pair.problem()));
      }
    }
    showAll(readable);
  }

  private void showAll(List<ShownCertificate> next) {
    List<List<X509Certificate>> former = shown.stream().map(each -> each.tls().chain()).toList();
    shown = List.copyOf(next);
    next.forEach(this::renewTickets);
    choose();
    for (ShownCertificate each : next) {
      if (!former.contains(each.tls().chain())) {
        LOG.info(
            "STARTTLS shows {} ({}){}, valid until {}",
            each.tls().name(),
            each.key(),
            each.selfSigned() ? "" : " of " + each.file(),
            each.expires());
      }
    }
  }

  /** Makes the choice of what is shown, as it is now. */
  private void choose() {
    Instant now = clock.instant();
    List<Candidate> next = shown.stream().map(each -> each.tls().candidate(now)).toList();
    if (!next.equals(candidates)) {
      candidates = next;
      choice = new CertificateChoice(next);
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

  /** The pairs of the settings that are not shown, because they could not be read yet. */
  public List<Trouble> unread() {
    return pairs.stream()
        .filter(pair -> pair.tls() == null)
        .map(pair -> new Trouble(true, pair.problem(), ShownCertificate.FIX_FILES))
        .toList();
  }

  /** The alarms about what is shown that the administrator must see to, a sentence each. */
  public List<String> alarms() {
    return shown.stream()
        .flatMap(each -> each.troubles(clock.instant()).stream())
        .map(trouble -> trouble.sentence())
        .toList();
  }
}
