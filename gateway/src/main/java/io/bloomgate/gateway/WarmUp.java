package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.LogSettings;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.gateway.demo.LoopbackServer;
import io.bloomgate.gateway.log.DecisionLog;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.RecordPaces;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.message.SampleMessage;
import io.bloomgate.gateway.metrics.RecentCounts;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.ServerMemory;
import io.bloomgate.gateway.relay.SimpleClient;
import io.bloomgate.gateway.session.ContentReading;
import io.bloomgate.gateway.session.DnsLists;
import io.bloomgate.gateway.session.Greylisting;
import io.bloomgate.gateway.session.MailLimits;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.session.SessionServices;
import io.bloomgate.gateway.session.SpamIntake;
import io.bloomgate.gateway.session.SubethaListener;
import io.bloomgate.gateway.tls.ServerCertificates;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mail that the gateway sends through its own sessions while it starts, because Java runs code fast
 * only when the code has run some hundred times. Used once by {@link Gateway}, on the thread that
 * starts it.
 *
 * <p>Nothing of it is seen elsewhere: the listener is on any port of loopback and takes mail for
 * one domain that does not exist; the mail server is a {@link LoopbackServer}; lists and policy are
 * only read, uncounted; reports, limits, answers and sessions are the warm-up's own. Where it
 * fails, the first mails are slower, and nothing else.
 */
final class WarmUp {

  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /** Number of senders that send at the same time. */
  private static final int SENDERS = 8;

  /** Number of mails that every other sender sends over one connection. */
  private static final int KEPT_MAILS = 20;

  /**
   * One mail of this number comes by STARTTLS, where the gateway offers it. A handshake of a Java
   * that just started takes as much CPU time as twenty mails: five times as many of them delayed
   * the start by half a second more, and the first clients gained nothing by it.
   */
  private static final int MAILS_OF_ONE_ENCRYPTED = 50;

  private static final int MESSAGE_LINES = 54;
  private static final Duration AT_MOST = Duration.ofMillis(1500);
  private static final String DOMAIN = "warm-up.invalid";
  private static final String FROM = "a@" + DOMAIN;
  private static final String TO = "b@" + DOMAIN;
  private static final String LOOPBACK = "127.0.0.1";

  private final Platform platform;
  private final Blocklists blocklists;
  private final Configuration configuration;
  private final ServerCertificates certificates;
  private final AtomicInteger left = new AtomicInteger();
  private final AtomicInteger toEncrypt = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger encrypted = new AtomicInteger();

  WarmUp(
      Platform platform,
      Blocklists blocklists,
      Configuration configuration,
      ServerCertificates certificates) {
    this.platform = platform;
    this.blocklists = blocklists;
    this.configuration = configuration;
    this.certificates = certificates;
  }

  /**
   * Sends this number of mails, or fewer when that takes too long. Returns when all sessions are
   * over.
   */
  void run(int mails) {
    if (mails == 0) {
      return;
    }
    long began = platform.nanoTime().getAsLong();
    left.set(mails);
    toEncrypt.set(configuration.offersTls() ? mails / MAILS_OF_ONE_ENCRYPTED : 0);
    try (LoopbackServer sink = new LoopbackServer(platform.virtualThreads(), false, mail -> {});
        DecisionLog log = log()) {
      sink.up();
      log.start();
      Settings settings = settings(sink.port());
      MailRoutes routes = routes(settings);
      SessionServices services =
          services(settings, routes, new Reports(log, new RecentCounts(platform.clock())));
      SessionRegistry sessions =
          new SessionRegistry(platform.nanoTime(), platform::start, blocklists::heapOctets);
      SubethaListener listener =
          new SubethaListener(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              () -> services,
              sessions,
              platform.virtualThreads());
      send(listener.start());
      sessions.end();
      sessions.closeAll();
      routes.close();
      listener.stop();
    } catch (IOException | RuntimeException e) {
      // No fault of it keeps a gateway from starting.
      LOG.warn("the warm-up failed, so the first mails take longer: {}", Faults.words(e));
    }
    LOG.info(
        "warmed up by {} mails to itself, {} of them by TLS, in {} ms",
        sent,
        encrypted,
        TimeUnit.NANOSECONDS.toMillis(platform.nanoTime().getAsLong() - began));
  }

  /** Lines as in the real log, and nobody reads them. */
  private DecisionLog log() {
    return new DecisionLog(
        new DecisionLog.Setup(
            configuration.decisionLog(platform).line(), new LogSettings.Target.Stdout()),
        OutputStream.nullOutputStream(),
        platform.clock(),
        platform.nanoTime(),
        platform.threads().apply("warm-up-log"));
  }

  /** Log and counts of each mail, for this warm-up alone. */
  private record Reports(DecisionLog log, RecentCounts counts) implements Telemetry {
    @Override
    public void decided(DecisionRecord decision) {
      log.write(decision);
      counts.count(decision);
    }
  }

  /** The settings of a gateway that relays to this port. */
  private static Settings settings(int port) {
    String text =
        """
        domains: [%s]
        downstream: {host: %s, port: %d, client_address: none}
        listeners:
          mx: {address: "%s:0", tls: starttls, max_sessions: %d, max_sessions_per_ip: %d}
        """
            .formatted(DOMAIN, LOOPBACK, port, LOOPBACK, 2 * SENDERS, 2 * SENDERS);
    return switch (SettingsFile.parse("warm-up", text, Map.of(), () -> DOMAIN)) {
      case SettingsResult.Loaded loaded -> loaded.settings();
      case SettingsResult.Invalid(var problems) -> throw new IllegalStateException("" + problems);
    };
  }

  private MailRoutes routes(Settings settings) {
    return new MailRoutes(
        settings.downstream(),
        configuration.settings().hostname(),
        platform.nanoTime(),
        () -> {},
        ServerMemory.ofProcess(),
        probe -> {},
        ClientNames.OFF);
  }

  /** Everything that a session changes or asks of others is new, or does nothing. */
  private SessionServices services(Settings settings, MailRoutes routes, Telemetry reports) {
    // A mail that is cut off at the end would be logged as one that the mail server lost.
    WarningPace silent = new WarningPace(platform.nanoTime(), 0);
    return new SessionServices(
        configuration.settings(),
        settings.listeners().values().iterator().next(),
        OwnDomains.of(settings.domains()),
        configuration.offersTls() ? certificates::choice : null,
        blocklists::policy,
        () -> Mode.OBSERVE,
        () -> false,
        blocklists::lists,
        DnsLists.NONE,
        ClientNames.OFF,
        new MailLimits(platform.nanoTime()),
        Greylisting.NONE,
        routes,
        AnswerMemory.none(),
        (client, ids) -> List.of(),
        new SessionServices.Reporting(
            reports,
            new RecordPaces(platform.nanoTime(), platform.ids()),
            platform.ids(),
            silent,
            silent,
            silent,
            silent),
        new ContentReading(
            blocklists.operator().likenessSeed(), null, SpamIntake.NONE, platform::start, 1),
        platform.clock(),
        platform.nanoTime());
  }

  private void send(int port) {
    String text = "The quick brown fox jumps over the lazy dog, and nobody knows why it does.\n";
    byte[] message =
        SampleMessage.compose(
            FROM,
            TO,
            "Warm-up",
            text.repeat(MESSAGE_LINES),
            "1@" + DOMAIN,
            platform.clock().instant());
    ExecutorService senders = Executors.newThreadPerTaskExecutor(platform.virtualThreads());
    try {
      for (int i = 0; i < SENDERS; i++) {
        int mailsOfConnection = i % 2 == 0 ? 1 : KEPT_MAILS;
        senders.execute(() -> send(port, message, mailsOfConnection));
      }
      senders.shutdown();
      if (!senders.awaitTermination(AT_MOST.toNanos(), TimeUnit.NANOSECONDS)) {
        left.set(0); // and what is under way ends as it should
        senders.awaitTermination(AT_MOST.toNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException e) {
      left.set(0);
      Thread.currentThread().interrupt();
    }
  }

  private void send(int port, byte[] message, int mailsOfConnection) {
    try {
      while (left.get() > 0) {
        try (SimpleClient client = new SimpleClient(port)) {
          boolean encrypts = mailsOfConnection == 1 && toEncrypt.getAndDecrement() > 0;
          if (encrypts) {
            client.startTls();
          }
          for (int i = 0; i < mailsOfConnection && left.decrementAndGet() >= 0; i++) {
            client.send(FROM, TO, message);
            sent.incrementAndGet();
            encrypted.addAndGet(encrypts ? 1 : 0);
          }
        }
      }
    } catch (IOException e) {
      // Refused by a limit of the settings, or cut off at the end.
      LOG.debug("a sender of the warm-up ended early", e);
    }
  }
}
