package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.decision.PolicyFactory;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.ServerMemory;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A listener on loopback with its real sessions, in front of a scripted mail server. */
final class TestGateway implements AutoCloseable {

  /** Feeds of each strength, so that tests need only name one. */
  private static final String BASE =
      """
      hostname: mx.test.example
      domains: [example.com, .sub.example.com]
      downstream: {host: 192.0.2.25}
      allow: {never_block: []}
      feeds:
        sources:
          drop: {file: drop.txt, format: ips, checks: [client_ip], action: reject, info_url: "https://info.example/drop"}
          later: {file: later.txt, format: ips, checks: [client_ip], action: tempfail}
          tags: {file: tags.txt, format: ips, checks: [client_ip], action: tag}
      """;

  private static final int TICK_MILLIS = 10;

  /** More than the sessions of a test can use up. */
  private static final Pressure.Heap PLENTY = new Pressure.Heap(1L << 40, () -> 0);

  final ScriptedUpstream upstream;
  final FakeLists lists = new FakeLists();
  final RecordingTelemetry telemetry = new RecordingTelemetry();
  final SessionRegistry registry;

  /** How far the gateway's monotonic clock is ahead of the machine's, in nanoseconds. */
  final AtomicLong ahead = new AtomicLong();

  /** Knows no incident unless a test says otherwise. */
  final AtomicReference<BiFunction<IpAddress, List<String>, List<String>>> incidents =
      new AtomicReference<>((client, ids) -> List.of());

  final AtomicReference<Mode> mode = new AtomicReference<>(Mode.ENFORCE);
  final AtomicReference<SessionServices> services;
  private final ServicesBuilder builder;
  private final SubethaListener listener;
  private final Queue<SmtpClient> clients = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService housekeeping =
      Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
  private final int port;

  TestGateway(String listenerYaml, String moreYaml, ScriptedUpstream upstream) throws IOException {
    this(listenerYaml, moreYaml, upstream, null);
  }

  TestGateway(
      String listenerYaml,
      String moreYaml,
      ScriptedUpstream upstream,
      @Nullable Supplier<CertificateChoice> tls)
      throws IOException {
    this(listenerYaml, moreYaml, upstream, tls, SessionRegistry.HELD_CONTENT_OCTETS, PLENTY);
  }

  /**
   * Listens at once.
   *
   * @param listenerYaml settings of the one listener, without its address
   * @param moreYaml further sections
   */
  private TestGateway(
      String listenerYaml,
      String moreYaml,
      ScriptedUpstream upstream,
      @Nullable Supplier<CertificateChoice> tls,
      long heldContentOctets,
      Pressure.Heap heap)
      throws IOException {
    this.upstream = upstream;
    this.registry = new SessionRegistry(this::nanoTime, Runnable::run, heldContentOctets, heap);
    this.builder = builder(listenerYaml, moreYaml);
    builder.tls = tls;
    this.services = new AtomicReference<>(builder.build());
    this.listener =
        new SubethaListener(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            services::get,
            registry,
            Thread.ofVirtual().factory());
    this.port = listener.start();
  }

  /** With a certificate, on a listener that these settings let use it. */
  static TestGateway underTls(String listenerYaml, String moreYaml, ScriptedUpstream upstream)
      throws IOException {
    return underTls(TlsEngine.inUse(), listenerYaml, moreYaml, upstream);
  }

  /** The same by this engine. */
  static TestGateway underTls(
      TlsEngine engine, String listenerYaml, String moreYaml, ScriptedUpstream upstream)
      throws IOException {
    return new TestGateway(
        listenerYaml,
        "tls: {certificate: cert.pem, key: key.pem}\n" + moreYaml,
        upstream,
        ThrowawayKey.serverCertificate(engine));
  }

  static TestGateway plain(ScriptedUpstream upstream) throws IOException {
    return new TestGateway("", "", upstream);
  }

  static TestGateway plain() throws IOException {
    return plain(new ScriptedUpstream());
  }

  /** With further feeds, as lines of {@code feeds.sources}; sessions from now on have them. */
  TestGateway withFeeds(String sources) {
    return withFeeds(sources, "");
  }

  /** The same with further sections. */
  TestGateway withFeeds(String sources, String moreYaml) {
    builder.settings =
        settings(
            BASE
                + sources.indent(4)
                + "listeners: {mx: {address: '[::1]:25'}}\n"
                + moreYaml
                + "\n");
    builder.policy = PolicyFactory.policy(builder.settings, Set.of(), List.of(), List.of());
    services.set(builder.build());
    return this;
  }

  /** Copies of mails are counted here; sessions from now on do that. */
  void countingCopies(Campaigns campaigns) {
    builder.reading = ServicesBuilder.reading(campaigns);
    services.set(builder.build());
  }

  /** Asks these lists by DNS; sessions from now on do that. */
  void asking(DnsLists dnsLists) {
    builder.dnsLists = dnsLists;
    services.set(builder.build());
  }

  /** Who takes mail for traps and reports; of sessions from now on. */
  void noticing(SpamIntake spam) {
    builder.reading = new ContentReading(0, null, spam, Thread.ofVirtual()::start, 2);
    services.set(builder.build());
  }

  /** Before another upstream, with another witness; only its own listener and registry are used. */
  static TestGateway before(Upstream upstream, Telemetry telemetry) throws IOException {
    return before(upstream, AnswerMemory.none(), telemetry);
  }

  /** The same, with a memory for what single recipients were answered. */
  static TestGateway before(Upstream upstream, AnswerMemory answers, Telemetry telemetry)
      throws IOException {
    return limited("errors: 1000").relayTo(upstream, answers, telemetry);
  }

  /** Sessions from now on use this upstream; its own is out of use. */
  TestGateway relayTo(Upstream upstream) {
    return relayTo(upstream, AnswerMemory.none(), telemetry);
  }

  private TestGateway relayTo(Upstream upstream, AnswerMemory answers, Telemetry witness) {
    builder.upstream = upstream;
    builder.answers = answers;
    builder.telemetry = witness;
    services.set(builder.build());
    return this;
  }

  /** With this number of octets for the content of all messages that are being sent. */
  static TestGateway holding(long octets) throws IOException {
    return holding(octets, PLENTY);
  }

  /** The same, in a process with this heap. */
  static TestGateway holding(long octets, Pressure.Heap heap) throws IOException {
    return new TestGateway("", "", new ScriptedUpstream(), null, octets, heap);
  }

  /** In a process with this heap, before clients that PROXY v2 names. */
  static TestGateway inHeap(Pressure.Heap heap, @Nullable Supplier<CertificateChoice> tls)
      throws IOException {
    return new TestGateway(
        "proxy_protocol: v2, trusted_proxies: [127.0.0.1], tls: "
            + (tls == null ? "none" : "starttls"),
        tls == null ? "" : "tls: {certificate: cert.pem, key: key.pem}",
        new ScriptedUpstream(),
        tls,
        SessionRegistry.HELD_CONTENT_OCTETS,
        heap);
  }

  /** With these limits, as YAML inside braces. */
  static TestGateway limited(String limits) throws IOException {
    return new TestGateway("", "limits: {" + limits + "}", new ScriptedUpstream());
  }

  /** Whose clients are named by PROXY v2. */
  static TestGateway behindProxies() throws IOException {
    String listener = "proxy_protocol: v2, trusted_proxies: [127.0.0.1]";
    return new TestGateway(listener, "", new ScriptedUpstream());
  }

  /** Whose clients may name their own by XCLIENT. */
  static TestGateway xclient(String moreYaml) throws IOException {
    return new TestGateway("xclient_from: [127.0.0.0/8]", moreYaml, new ScriptedUpstream());
  }

  private ServicesBuilder builder(String listenerYaml, String moreYaml) {
    String comma = listenerYaml.isEmpty() ? "" : ", ";
    String text =
        BASE
            + "listeners: {mx: {address: '127.0.0.1:25'"
            + comma
            + listenerYaml
            + "}}\n"
            + moreYaml
            + "\n";
    ServicesBuilder made =
        new ServicesBuilder(
            settings(text),
            lists::current,
            upstream,
            (client, asked) -> Objects.requireNonNull(incidents.get()).apply(client, asked),
            telemetry,
            this::nanoTime);
    made.mode = mode::get;
    return made;
  }

  /** Housekeeping, a minute later. */
  void writeSums() {
    ahead.addAndGet(Duration.ofMinutes(1).toNanos());
    builder.paces.writeDue(telemetry::summed);
  }

  private long nanoTime() {
    return System.nanoTime() + ahead.get();
  }

  /** The mail servers of these settings. */
  static MailRoutes mailRoutes(String yaml) {
    return new MailRoutes(
        settings(yaml).downstream(),
        "mx.test.example",
        System::nanoTime,
        () -> {},
        ServerMemory.ofProcess(),
        Runnable::run,
        ClientNames.OFF);
  }

  private static Settings settings(String text) {
    return switch (SettingsFile.parse("test.yaml", text, Map.of(), () -> "mx.test.example")) {
      case SettingsResult.Loaded loaded -> loaded.settings();
      case SettingsResult.Invalid(var problems) ->
          throw new AssertionError(problems + " in\n" + text);
    };
  }

  /** With the housekeeping of a whole gateway, and these chores. */
  TestGateway tended(Runnable... chores) {
    Runnable tick =
        () -> {
          registry.tick();
          List.of(chores).forEach(Runnable::run);
        };
    Future<?> _ = housekeeping.scheduleAtFixedRate(tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    return this;
  }

  /**
   * With one round of the watchdog, so that the next waits need no timeout of the machine's clock.
   */
  TestGateway tickedOnce() {
    registry.tick();
    return this;
  }

  /** Moves the clock and goes round as often as housekeeping does, until every session is over. */
  void goRoundUntilEmpty() throws InterruptedException {
    while (!registry.awaitEmpty(Duration.ofMillis(2))) {
      ahead.addAndGet(Duration.ofSeconds(2).toNanos());
      registry.tick();
    }
  }

  int port() {
    return port;
  }

  /** A client whose connection ends with the gateway at the latest. */
  SmtpClient connect() throws IOException {
    return kept(new SmtpClient(port));
  }

  /** The same through a proxy that names this address. */
  SmtpClient connect(String address) throws IOException {
    return kept(SmtpClient.proxied(port, address));
  }

  private SmtpClient kept(SmtpClient client) {
    clients.add(client);
    return client;
  }

  /** The reply to the final dot of a mail whose recipients are taken; for bob, if none is named. */
  String send(String content, String... recipients) throws IOException {
    try (SmtpClient client = connect().upToMail("a@sender.example")) {
      for (String to : recipients.length == 0 ? new String[] {"bob@example.com"} : recipients) {
        SmtpClient.expect("250", client.ask("RCPT TO:<" + to + ">"));
      }
      return client.message(content);
    }
  }

  /** Content of the newest mail that the mail server took. */
  String relayed() {
    return upstream.taken.getLast().content();
  }

  /** Waits until every session is over, so that everything is reported. */
  void awaitQuiet() throws InterruptedException {
    if (!registry.awaitEmpty(Duration.ofSeconds(60))) {
      throw new AssertionError("a session does not end");
    }
  }

  @Override
  public void close() {
    registry.closeAll();
    listener.stop();
    housekeeping.shutdownNow();
    for (SmtpClient client : clients) {
      try {
        client.close();
      } catch (IOException e) {
        // The socket is closed in any case.
      }
    }
  }
}
