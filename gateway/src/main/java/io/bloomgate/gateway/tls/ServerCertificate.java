package io.bloomgate.gateway.tls;

import io.bloomgate.config.pem.PemException;
import io.bloomgate.gateway.status.GatewayStatus.Trouble;
import io.bloomgate.gateway.wire.tls.TicketKeys;
import io.bloomgate.gateway.wire.tls.TlsContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that sessions show now: the one of the settings' files, which are looked at every
 * second, or a self-signed one. A pair that cannot be used never takes the place of one that can.
 *
 * <p>Set by start and reload, {@link #poll} by the housekeeping; asked by sessions and commands on
 * any thread.
 */
public final class ServerCertificate {

  private static final Logger LOG = LoggerFactory.getLogger(ServerCertificate.class);

  /** An alarm warns of the end this long before; renewals happen 30 days before. */
  private static final Duration EXPIRES_SOON = Duration.ofDays(14);

  private static final Trouble SELF_SIGNED =
      new Trouble(
          false,
          "STARTTLS shows a self-signed certificate: senders that check it (MTA-STS, DANE) deliver"
              + " nothing",
          "set tls.certificate and tls.key");

  /** The files of the settings. */
  public record PemFiles(Path certificate, Path key) {}

  /**
   * The certificate that is shown, and its source.
   *
   * @param files {@code null} for the self-signed one
   * @param problem why the files' newest content is not in use; empty when it is
   */
  public record Shown(PemTls tls, @Nullable PemFiles files, String problem) {

    /** True when no authority has signed it. */
    public boolean selfSigned() {
      return files == null;
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
      if (left.isNegative()) {
        return Optional.of(new Trouble(true, "the certificate expired at " + end, "renew it"));
      }
      if (left.compareTo(EXPIRES_SOON) < 0) {
        return Optional.of(
            new Trouble(
                false,
                "the certificate expires in " + left.toDays() + " days, at " + end,
                "renew it"));
      }
      return now.isBefore(begin)
          ? Optional.of(
              new Trouble(
                  true, "the certificate is not valid before " + begin, "look at the clock"))
          : Optional.empty();
    }
  }

  private final SelfSignedFile selfSigned;
  private final InstantSource clock;
  private final TicketKeys tickets;
  private volatile @Nullable Shown shown;

  /** The last one stays: sessions that began before a reload may have been offered TLS. */
  private volatile @Nullable TlsContext context;

  private String hostname = "";
  private final SettledFiles seen = new SettledFiles();

  /**
   * Shows nothing yet.
   *
   * @param selfSignedFile where the self-signed certificate and its key are kept, mode 0600
   * @param tickets for all certificates that are shown one after the other
   */
  public ServerCertificate(
      Path selfSignedFile, InstantSource clock, SecureRandom random, TicketKeys tickets) {
    this.selfSigned = new SelfSignedFile(selfSignedFile, clock, random);
    this.clock = clock;
    this.tickets = tickets;
  }

  // ---- start, reload, housekeeping

  /** Shows what was read of the settings' files. */
  public synchronized void use(PemFiles files, PemTls loaded) {
    seen.forget(); // they may have changed since they were read; the next polls see to it
    Shown former = shown;
    show(new Shown(former == null ? loaded : former.tls().or(loaded), files, ""));
    loaded.warnings().forEach(LOG::warn);
  }

  /** Shows a self-signed certificate for this name, and logs a warning about it. */
  public synchronized void useSelfSigned(String forHostname) {
    hostname = forHostname;
    show(new Shown(selfSigned.current(forHostname), null, ""));
    LOG.warn("{}", SELF_SIGNED.sentence());
  }

  /** No listener offers TLS. */
  public synchronized void useNone() {
    shown = null;
  }

  /** Loads renewed files, and renews the keys of tickets when it is time. */
  public synchronized void poll() {
    Shown now = shown;
    if (now == null) {
      return;
    }
    now.tls().context().renewTickets(tickets, clock.instant());
    PemFiles files = now.files();
    if (files != null) {
      poll(now, files);
    } else if (!selfSigned.serves(now.tls().leaf(), hostname)) {
      show(new Shown(selfSigned.current(hostname), null, ""));
    }
  }

  private void poll(Shown now, PemFiles files) {
    if (seen.changed(List.of(files.certificate(), files.key()))) {
      load(now, files);
    }
  }

  private void load(Shown now, PemFiles files) {
    try {
      PemTls fresh = PemTls.load(files.certificate(), files.key());
      if (fresh.chain().equals(now.tls().chain())) {
        shown = new Shown(now.tls().or(fresh), files, "");
      } else {
        fresh.warnings().forEach(LOG::warn);
        show(new Shown(fresh, files, ""));
      }
    } catch (PemException e) {
      shown = new Shown(now.tls(), files, e.getMessage() + "; the former certificate stays in use");
      LOG.error("{}; the former certificate stays in use", e.getMessage());
    }
  }

  private void show(Shown next) {
    Shown former = shown;
    shown = next;
    next.tls().context().renewTickets(tickets, clock.instant());
    context = next.tls().context();
    if (former == null || !former.tls().chain().equals(next.tls().chain())) {
      X509Certificate leaf = next.tls().leaf();
      LOG.info("STARTTLS shows {}, valid until {}", leaf.getSubjectX500Principal(), next.expires());
    }
  }

  // ---- sessions, commands, metrics

  /** The TLS context for the next handshake. */
  public TlsContext context() {
    TlsContext now = context;
    if (now == null) {
      throw new IllegalStateException("TLS was never offered");
    }
    return now;
  }

  /** The certificate that is shown; empty when no listener offers TLS. */
  public Optional<Shown> shown() {
    return Optional.ofNullable(shown);
  }

  /** The alarms that the administrator must see to, a sentence each. */
  public List<String> alarms() {
    Shown now = shown;
    return now == null
        ? List.of()
        : now.troubles(clock.instant()).stream().map(Trouble::sentence).toList();
  }
}
