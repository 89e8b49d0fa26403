package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.fleet.SharedCounts;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.DaySeal;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.SecretFile;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.admin.FleetActs;
import io.bloomgate.gateway.dns.CachedNames;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.log.DecisionLog;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.metrics.VerdictCounts;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.XclientMemory;
import io.bloomgate.gateway.session.MailLimits;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.tls.ServerCertificate;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the parts that live as long as the gateway, in the order of their dependence. Used once, by
 * {@link Gateway} while it starts.
 */
final class PartsFactory {

  private static final Logger LOG = LoggerFactory.getLogger(PartsFactory.class);

  private final Platform platform;
  private final ShutdownStack stack;
  private final Supplier<Privacy> privacy;

  /**
   * A factory.
   *
   * @param stack closes what is opened
   * @param privacy of the settings that count now
   */
  PartsFactory(Platform platform, ShutdownStack stack, Supplier<Privacy> privacy) {
    this.platform = platform;
    this.stack = stack;
    this.privacy = privacy;
  }

  Parts open(Configuration configuration, StateDirectory state) throws StartFailure {
    Settings settings = configuration.settings();
    Housekeeping housekeeping = new Housekeeping(platform.nanoTime(), platform.threads());
    DecisionLog log =
        stack.add(
            "decision log",
            new DecisionLog(
                configuration.decisionLog(platform),
                new FileOutputStream(FileDescriptor.out),
                platform.clock(),
                platform.nanoTime(),
                platform.threads().apply("decision-log")));
    log.start();
    housekeeping.watch("decision-log", log::isLate);
    SessionStore kept = openSessions(settings);
    housekeeping.watch("session-store", kept::isLate);
    VerdictCounts counts = new VerdictCounts(platform.clock());
    FiguresFile figures =
        stack.add("figures", FiguresFile.open(state.resolve(FiguresFile.FILE_NAME), counts));
    Blocklists blocklists = stack.add("lists", openBlocklists(configuration, kept, counts));
    housekeeping.watch("feed-refresher", blocklists::isLate);
    ServerCertificate certificate =
        new ServerCertificate(
            state.resolve("self-signed.pem"), platform.clock(), platform.random());
    configuration.show(certificate);
    DnsListAnswers dnsLists =
        new DnsListAnswers(
            name -> blocklists.policy().feeds().containsKey(name),
            platform.virtualThreads(),
            platform.clock(),
            platform.nanoTime(),
            platform.random());
    dnsLists.configure(blocklists.settings());
    FleetCounting counting = countTogether(settings.fleet(), blocklists);
    return new Parts(
        blocklists,
        new SessionRegistry(
            platform.nanoTime(), closing -> platform.virtualThreads().newThread(closing).start()),
        log,
        kept,
        new IncidentLookup(
            kept::refusals, platform.threads().apply("incident-lookup"), platform.nanoTime()),
        counts,
        figures,
        new TailHub(),
        startSenderWatch(blocklists, counting),
        certificate,
        XclientMemory.open(state.resolve(XclientMemory.FILE_NAME)),
        CachedNames.of(dnsLists::servers, platform.virtualThreads(), platform.nanoTime()),
        dnsLists,
        stack.add(
            "answers",
            AnswerMemory.open(
                state.resolve(AnswerMemory.FILE_NAME), platform.clock(), platform.random())),
        openGreylist(settings.stateDir(), blocklists, counting),
        countCampaigns(settings, counting),
        countMail(counting),
        counting,
        housekeeping,
        DiskSpace.of(settings.stateDir()),
        joinFleet(settings.fleet(), blocklists));
  }

  private Blocklists openBlocklists(
      Configuration configuration, SessionStore kept, VerdictCounts counts) throws StartFailure {
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
              kept.accepted(),
              counts::feedHitsLastDay,
              PartsFactory::alarm));
    } catch (OperatorListsException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, e.userMessage() + "; " + e.hint(), e);
    } catch (SecretFile.UnusableException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, "fleet: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new StartFailure(
          StartFailure.CONFIGURATION,
          "state_dir: the lists in " + stateDir + " cannot be used: " + e,
          e);
    }
  }

  /** Connects to Redis beside the mail; {@code null} where nothing is shared by way of it. */
  private @Nullable SharedLists joinFleet(@Nullable FleetSettings fleet, Blocklists blocklists)
      throws StartFailure {
    if (fleet == null || fleet.redis() == null) {
      return null;
    }
    try {
      SharedLists shared =
          new SharedLists(
              fleet,
              blocklists.operator().share(fleet.node()),
              new SharedLists.Surroundings(
                  platform.clock(),
                  platform.nanoTime(),
                  platform.virtualThreads(),
                  () -> Long.toHexString(platform.random().nextLong()),
                  () -> blocklists.sharedVersions().id(blocklists.snapshot()),
                  Gateway.version(),
                  blocklists.sharedVersions()::lead,
                  blocklists.sharedVersions()::highestTerm,
                  PartsFactory::alarm));
      blocklists.onTrip((feed, entries) -> tellTrip(shared, feed, entries));
      return stack.add("fleet", shared);
    } catch (OperatorListsException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, e.userMessage() + "; " + e.hint(), e);
    } catch (IOException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, "fleet: " + e.getMessage(), e);
    }
  }

  private FleetCounting countTogether(@Nullable FleetSettings fleet, Blocklists blocklists)
      throws StartFailure {
    try {
      FleetCounting counting =
          FleetCounting.of(
              fleet,
              blocklists,
              new SharedCounts.Surroundings(
                  platform.nanoTime(),
                  platform.threads().apply("fleet-counts"),
                  platform.random().nextLong(),
                  PartsFactory::alarm));
      stack.add("fleet counts", counting::close);
      return counting;
    } catch (OperatorListsException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, e.userMessage() + "; " + e.hint(), e);
    } catch (IOException e) {
      throw new StartFailure(StartFailure.CONFIGURATION, "fleet: " + e.getMessage(), e);
    }
  }

  /** What the breaker holds back here, the other nodes hold back too. */
  private static void tellTrip(SharedLists shared, String feed, List<String> entries) {
    try {
      shared.tell(FleetActs.tripped(feed, entries), "breaker");
    } catch (OperatorListsException e) {
      alarm("fleet: the other nodes do not know what the breaker holds back: " + e.userMessage());
    }
  }

  private SenderWatch startSenderWatch(Blocklists blocklists, FleetCounting counting) {
    SenderWatch watch =
        stack.add(
            "sender watch",
            new SenderWatch(
                (client, sender, at) -> {
                  blocklists.accepted(client, sender, at);
                  counting.accepted(client, sender, platform.nanoTime().getAsLong());
                },
                privacy,
                platform.nanoTime(),
                platform.threads().apply("sender-watch")));
    watch.start();
    return watch;
  }

  private SessionStore openSessions(Settings settings) {
    SessionDays days = new SessionDays(settings.stateDir());
    SessionStore sessions =
        stack.add(
            "session store",
            new SessionStore(
                days,
                new DayRetention(
                    days, new DaySeal(platform.random()), platform.clock(), platform.nanoTime()),
                settings.sessions(),
                platform.clock(),
                platform.nanoTime(),
                platform.threads().apply("session-store")));
    sessions.start();
    return sessions;
  }

  private Greylist openGreylist(Path stateDir, Blocklists blocklists, FleetCounting counting) {
    Greylist greylist =
        stack.add(
            "greylist",
            Greylist.open(stateDir, platform.random(), blocklists::isKnown, PartsFactory::alarm));
    counting.share(greylist);
    return greylist;
  }

  private CampaignsInUse countCampaigns(Settings settings, FleetCounting counting) {
    CampaignsInUse campaigns =
        new CampaignsInUse(
            platform.clock(),
            counting.campaignSeeds(platform.random()::nextLong),
            counting.campaigns());
    campaigns.configure(settings.bulk());
    return campaigns;
  }

  private MailLimits countMail(FleetCounting counting) {
    MailLimits limits = new MailLimits(platform.nanoTime());
    limits.shareBy(counting);
    return limits;
  }

  private static void alarm(String sentence) {
    LOG.error("{}", sentence);
  }
}
