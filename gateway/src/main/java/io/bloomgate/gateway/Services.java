package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.fleet.published.FleetSecret;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.memory.OwnMemory;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.SecretFile;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.Overview.FirstLists;
import io.bloomgate.gateway.Platform.BackgroundWork;
import io.bloomgate.gateway.StateDirectory.DiskSpace;
import io.bloomgate.gateway.admin.ModeSwitch;
import io.bloomgate.gateway.dns.CachedNames;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.log.DecisionLog;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.metrics.RecentCounts;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ServerMemory;
import io.bloomgate.gateway.session.MailLimits;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.tls.ServerCertificates;
import io.bloomgate.gateway.wire.tls.TicketKeys;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services that live as long as the gateway, whatever the settings become, opened in the order
 * of their dependence. Made once by {@link Gateway}, whose {@link ShutdownStack} closes them; used
 * on any thread.
 */
final class Services {

  private static final Logger LOG = LoggerFactory.getLogger(Services.class);

  /** Allow entries of no use that a report can name. */
  private static final int MAX_UNUSED = 20;

  private final Platform platform;
  private final ShutdownStack stack;
  final StateDirectory state;
  final Housekeeping housekeeping;
  final DecisionLog log;
  final SessionStore kept;
  final RecentCounts counts;
  final Path figures;
  final Blocklists blocklists;
  final ModeSwitch mode;
  final FirstLists firstLists;
  final ServerCertificates certificates;
  final DnsListAnswers dnsLists;
  final FleetCounting counting;
  final SessionRegistry sessions;
  final IncidentLookup quotedIds;
  final TailHub tail = new TailHub();
  final SenderWatch watch;

  final ServerMemory servers;
  final CachedNames names;
  final AnswerMemory answers;
  final Greylist greylist;
  final CampaignsInUse campaigns;
  final MailLimits mailLimits;
  final OwnMemory memory;
  final DiskSpace space;
  final @Nullable SharedLists fleet;

  /**
   * Opens them.
   *
   * @param stack closes what is opened
   * @param now settings that count now, known after the start
   */
  Services(
      Platform platform,
      ShutdownStack stack,
      Supplier<Settings> now,
      Configuration configuration,
      StateDirectory state)
      throws StartFailure {
    this.platform = platform;
    this.stack = stack;
    this.state = state;
    Settings settings = configuration.settings();
    housekeeping = new Housekeeping(platform.nanoTime(), platform.threads());
    log = openLog(configuration);
    kept = openSessions(settings);
    counts = new RecentCounts(platform.clock());
    figures = state.resolve(RecentCounts.FILE_NAME);
    counts.load(figures);
    stack.add("figures", () -> counts.save(figures));
    blocklists = stack.add("lists", openBlocklists(configuration));
    mode = new ModeSwitch(settings.mode(), platform.clock(), blocklists::loaded);
    firstLists =
        new FirstLists(
            platform.nanoTime(),
            blocklists::loaded,
            () -> now.get().policy().beforeFirstLists(),
            mode::wanted,
            platform.service()::ready);
    certificates =
        new ServerCertificates(
            state.resolve("self-signed.pem"),
            platform.clock(),
            platform.random(),
            ticketKeys(settings.fleet()));
    configuration.show(certificates);
    dnsLists = openDnsLists(blocklists);
    counting = countTogether(settings.fleet());
    sessions = new SessionRegistry(platform.nanoTime(), platform::start, blocklists::heapOctets);
    quotedIds =
        new IncidentLookup(
            kept::refusals,
            BackgroundWork.threads(platform.threads().apply("incident-lookup")),
            platform.nanoTime());
    memory = openMemory(now, settings);
    watch = startSenderWatch(now);
    servers = stack.add("mail servers", ServerMemory.open(state.resolve(ServerMemory.FILE_NAME)));
    names = new CachedNames(dnsLists::servers, platform::start, platform.nanoTime());
    answers = stack.add("answers", new AnswerMemory(platform.clock()));
    greylist = openGreylist(settings.stateDir());
    campaigns = countCampaigns(settings);
    mailLimits = new MailLimits(platform.nanoTime());
    counting.share(mailLimits);
    space = DiskSpace.of(settings.stateDir());
    fleet = joinFleet(settings.fleet());
    housekeeping.watch("decision-log", log::isLate);
    housekeeping.watch("session-store", kept::isLate);
    housekeeping.watch("feed-refresher", blocklists::isLate);
  }

  /**
   * The oldest allow entries that lifted nothing since that time; none where they are unreadable.
   */
  List<OperatorEntry> unusedAllows(Instant since) {
    try {
      return blocklists.operator().uses().page(ListKind.ALLOW, "", since, 0).items().stream()
          .limit(MAX_UNUSED)
          .toList();
    } catch (OperatorListsException e) {
      LOG.warn("{}", e.userMessage());
      return List.of();
    }
  }

  private DecisionLog openLog(Configuration configuration) {
    return stack.add(
        "decision log",
        new DecisionLog(
                configuration.decisionLog(platform),
                new FileOutputStream(FileDescriptor.out),
                platform.clock(),
                platform.nanoTime(),
                platform.threads().apply("decision-log"))
            .start());
  }

  private DnsListAnswers openDnsLists(Blocklists lists) {
    DnsListAnswers asked =
        new DnsListAnswers(
            name -> lists.policy().feeds().containsKey(name),
            platform.virtualThreads(),
            platform.clock(),
            platform.nanoTime(),
            platform.random());
    asked.configure(lists.settings());
    return asked;
  }

  private Blocklists openBlocklists(Configuration configuration) throws StartFailure {
    Path stateDir = configuration.settings().stateDir();
    try {
      return Blocklists.open(
          stateDir,
          configuration.lists(),
          new Blocklists.Surroundings(
              platform.clock(),
              platform.nanoTime(),
              platform.random(),
              name -> BackgroundWork.threads(platform.threads().apply(name)),
              counts::feedHitsLastDay,
              Services::alarm));
    } catch (OperatorListsException e) {
      throw StartFailure.ofState(e.userMessage() + "; " + e.hint(), e);
    } catch (SecretFile.UnusableException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, "fleet: " + e.getMessage(), e);
    } catch (IOException e) {
      throw StartFailure.ofState(
          "state_dir: the lists in " + stateDir + " cannot be used: " + e, e);
    }
  }

  /** Connects to Redis beside the mail; {@code null} where nothing is shared by way of it. */
  private @Nullable SharedLists joinFleet(@Nullable FleetSettings settings) throws StartFailure {
    if (settings == null || settings.redis() == null) {
      return null;
    }
    return ofFleet(() ->
        stack.add(
            "fleet",
            new SharedLists(
                settings,
                blocklists.operator().share(settings.node()),
                new SharedLists.Surroundings(
                    platform.clock(),
                    platform.nanoTime(),
                    platform.virtualThreads(),
                    () -> Long.toHexString(platform.random().nextLong()),
                    () -> blocklists.sharedVersions().id(blocklists.snapshot()),
                    Gateway.version(),
                    blocklists.sharedVersions()::lead,
                    blocklists.sharedVersions()::highestNumber,
                    Services::alarm))));
  }

  /** A part that the settings of a fleet need. */
  private interface FleetPart<T> {
    T open() throws IOException, OperatorListsException;
  }

  private static <T> T ofFleet(FleetPart<T> part) throws StartFailure {
    try {
      return part.open();
    } catch (OperatorListsException e) {
      throw StartFailure.ofState(e.userMessage() + "; " + e.hint(), e);
    } catch (IOException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, "fleet: " + e.getMessage(), e);
    }
  }

  /** Makes keys that are equal in a fleet, because a client may come again to another node. */
  private TicketKeys ticketKeys(@Nullable FleetSettings fleet) throws StartFailure {
    if (fleet == null || fleet.secret() == null) {
      return TicketKeys.ofThisProcess(platform.random());
    }
    Path secret = fleet.secret();
    return ofFleet(() -> new TicketKeys(FleetSecret.read(secret)::key));
  }

  private FleetCounting countTogether(@Nullable FleetSettings settings) throws StartFailure {
    FleetCounting together =
        ofFleet(() ->
            FleetCounting.of(
                settings,
                blocklists,
                new SharedCounts.Surroundings(
                    platform.nanoTime(),
                    platform.virtualThreads(),
                    Long.toHexString(platform.random().nextLong()),
                    SharedCounts.PATIENCE,
                    Services::alarm)));
    stack.add("fleet counts", together::close);
    return together;
  }

  private SenderWatch startSenderWatch(Supplier<Settings> now) {
    return stack.add(
        "sender watch",
        new SenderWatch(
                (client, sender, helo, at) -> {
                  blocklists.accepted(client, sender, helo, at);
                  counting.accepted(client, sender);
                },
                () -> now.get().log().privacy(),
                platform.nanoTime(),
                platform.threads().apply("sender-watch"))
            .start());
  }

  private SessionStore openSessions(Settings settings) {
    SessionDays days = new SessionDays(settings.stateDir());
    return stack.add(
        "session store",
        new SessionStore(
                days,
                new DayRetention(days),
                settings.sessions(),
                platform.clock(),
                platform.nanoTime(),
                platform.threads().apply("session-store"))
            .start());
  }

  private OwnMemory openMemory(Supplier<Settings> now, Settings settings) {
    OwnMemory opened =
        stack.add(
            "own memory",
            new OwnMemory(
                settings.stateDir(),
                new OwnMemory.Surroundings(
                    now,
                    kept::carried,
                    blocklists::neverRemembered,
                    () -> blocklists.snapshot().manifest().entries(),
                    counting.memory(() -> fleet),
                    settings.fleet() == null ? "" : settings.fleet().node(),
                    platform.clock())));
    opened.prepare(settings);
    return opened;
  }

  private Greylist openGreylist(Path stateDir) {
    Greylist opened =
        stack.add(
            "greylist",
            Greylist.open(stateDir, platform.random(), blocklists::isKnown, Services::alarm));
    counting.share(opened);
    return opened;
  }

  private CampaignsInUse countCampaigns(Settings settings) {
    CampaignsInUse counted =
        new CampaignsInUse(
            platform.clock(),
            counting.campaignSeeds(platform.random()::nextLong),
            counting.campaigns());
    counted.configure(settings.bulk());
    return counted;
  }

  private static void alarm(String sentence) {
    LOG.error("{}", sentence);
  }

  // ---- used

  /** Connects to Redis, where this gateway is a node of a fleet. */
  void joinFleet(Supplier<Settings> now) {
    if (fleet != null) {
      fleet.start();
    }
    counting.join(this, now, platform.clock());
  }

  /** Answers of DNS lists about a session; a client's name is looked up where a check wants it. */
  Explainer.DnsReport dnsAnswers(Facts keys) {
    boolean unknown = keys.seen().name().equals(ClientName.UNKNOWN);
    boolean wanted =
        blocklists.policy().asked().clientName()
            || blocklists.lists().operator().needsClientName(platform.clock().instant());
    if (!keys.isOfHost() || !unknown || !wanted) {
      return dnsLists.about(keys);
    }
    ClientName name = names.lookUp(keys.client()).get();
    return dnsLists.about(keys.withSeen(keys.seen().withName(name)));
  }
}
