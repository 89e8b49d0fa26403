package io.bloomgate.gateway.spam;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.blocklists.content.ReportedMail;
import io.bloomgate.blocklists.memory.RememberedKey;
import io.bloomgate.blocklists.memory.Sighting;
import io.bloomgate.blocklists.memory.Sighting.Origin;
import io.bloomgate.blocklists.memory.Sightings;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.session.SpamIntake;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.smtp.Escape;
import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sightings of mail for traps and of reports, and notes in the audit who reported what. One
 * for a gateway; called by sessions and by control connections on their threads.
 */
public final class SpamReports implements SpamIntake {

  private static final Logger LOG = LoggerFactory.getLogger(SpamReports.class);

  /** Longest text of a reporter in the audit and in sightings, in characters. */
  private static final int MAX_WHO = 300;

  private final Supplier<Settings> settings;
  private final Predicate<IpAddress> mailServers;
  private final SessionStore kept;
  private final OperatorLists operator;
  private final Supplier<Sightings> memory;
  private final ThreadFactory threads;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final WarningPace unread;

  /** Admits the reports of a minute; made again when the settings say another number. */
  private volatile WarningPace pace;

  private volatile int perMinute;

  /**
   * Nothing was reported yet.
   *
   * @param mailServers true for the mail servers behind the gateway
   * @param memory takes sightings
   * @param threads platform threads, which read reports and search the kept sessions
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public SpamReports(
      Supplier<Settings> settings,
      Predicate<IpAddress> mailServers,
      SessionStore kept,
      OperatorLists operator,
      Supplier<Sightings> memory,
      ThreadFactory threads,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.mailServers = mailServers;
    this.kept = kept;
    this.operator = operator;
    this.memory = memory;
    this.threads = threads;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.unread = new WarningPace(nanoTime, 1);
    this.pace = new WarningPace(nanoTime, perMinute);
  }

  // ---- what sessions see

  @Override
  public boolean isMailServer(IpAddress client) {
    return mailServers.test(client);
  }

  @Override
  public boolean isOwn(IpAddress client) {
    return isMailServer(client)
        || settings.get().policy().exemptNetworks().stream().anyMatch(net -> net.contains(client));
  }

  @Override
  public void trapped(Trapped mail) {
    memory
        .get()
        .spam(
            Sighting.of(
                clock.instant(),
                Origin.TRAP,
                mail.trap(),
                mail.id(),
                stranger(mail.client()),
                MailAddress.orNull(mail.from()),
                mail.content()));
  }

  @Override
  public void reported(byte @Nullable [] mail, String who, String id) {
    String reporter = Escape.phrase(who, MAX_WHO);
    if (mail == null || !isAdmitted()) {
      String why = mail == null ? "longer than reports.size" : "more than reports.per_minute";
      unread.say(more -> LOG.warn("report {} of {} is not read: {}{}", id, reporter, why, more));
      return;
    }
    Thread reading = threads.newThread(() -> read(mail, reporter, id));
    reading.start();
    try {
      reading.join(); // what is read counts as this session's memory
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isAdmitted() {
    int wanted = settings.get().reports().perMinute();
    if (perMinute != wanted) {
      perMinute = wanted;
      pace = new WarningPace(nanoTime, wanted);
    }
    boolean[] admitted = {false};
    pace.say(more -> admitted[0] = true);
    return admitted[0];
  }

  private void read(byte[] report, String who, String id) {
    try {
      List<ReportedMail> mails = ReportedMail.in(report);
      if (mails.isEmpty()) {
        LOG.info("report {} of {} has no mail attached", id, who);
      }
      for (ReportedMail mail : mails) {
        Optional<String> named = ReportedMail.id(mail.octets());
        Optional<Evidence> session = named.isEmpty() ? Optional.empty() : kept.find(named.get());
        Sighting seen =
            Sighting.of(
                clock.instant(),
                Origin.REPORT,
                who,
                "",
                mail.client().map(this::stranger).orElse(null),
                mail.sender().orElse(null),
                evidence(mail));
        LOG.info("report {} of {}: {}", id, who, tell(false, seen, session).words());
      }
    } catch (IOException | OperatorListsException | RuntimeException | StackOverflowError e) {
      LOG.error("report {} of {} could not be read", id, who, e);
    }
  }

  private MailEvidence evidence(ReportedMail mail) {
    Settings.Limits.Mime mime = settings.get().limits().mime();
    try (MailReader reader =
        new MailReader(
            new MimeLimits(mime.depth(), mime.parts(), mime.parameters(), mime.addressFields()),
            Check.OF_CONTENT,
            operator.likenessSeed(),
            false,
            task -> threads.newThread(task).start())) {
      reader.put(mail.octets(), 0, mail.octets().length);
      return reader.end();
    }
  }

  // ---- what commands and the page say

  /** The words about a memory that is off, or lists nothing yet. */
  public Optional<String> waits() {
    if (!memory.get().isOn()) {
      return Optional.of("nothing is remembered of spam: write traps.keep: 30d, and reload");
    }
    return memory
        .get()
        .waitsUntil()
        .map(until ->
            "the own memory lists nothing yet: it waits for 14 days of accepted mail, until "
                + until.truncatedTo(ChronoUnit.SECONDS));
  }

  /**
   * The outcome of a report.
   *
   * @param keys that are remembered, or forgotten
   * @param of keys that the mail has, with those of its sender and its client
   * @param id of the session; empty where it is not known
   */
  public record Reported(boolean good, int keys, int of, String id) {
    String words() {
      return (id.isEmpty() ? "a mail" : "mail " + id)
          + ", "
          + of
          + " keys, "
          + keys
          + (good ? " forgotten" : " remembered");
    }
  }

  /**
   * Takes a report of a command.
   *
   * @param keys what the mail carries as its own; none for what the session kept of it
   * @param session of the mail, where it is known
   * @param who as the audit names him
   */
  public Reported report(
      boolean good, List<ContentKey> keys, Optional<Evidence> session, String who)
      throws IOException, OperatorListsException {
    List<ContentKey> carried = new ArrayList<>(keys);
    if (keys.isEmpty() && session.isPresent()) {
      Evidence.Decision decision = session.get().decision();
      decision.listings().stream()
          .flatMap(listing -> listing.carried().stream())
          .filter(key -> key.place() == Place.OPEN)
          .distinct()
          .forEach(carried::add);
      kept.likeness(decision.id())
          .ifPresent(text -> carried.add(new ContentKey(Check.BODY, text, Place.OPEN)));
    }
    Sighting mail = new Sighting(clock.instant(), Origin.REPORT, who, "", null, null, carried);
    return tell(good, mail, session);
  }

  /** Hands it on with what its session says, and notes who reported it. */
  private Reported tell(boolean good, Sighting mail, Optional<Evidence> session)
      throws OperatorListsException {
    Sighting seen = session.map(one -> of(mail, one)).orElse(mail);
    int keys = good ? memory.get().good(seen) : memory.get().spam(seen);
    Reported reported = new Reported(good, keys, RememberedKey.count(seen), seen.id());
    operator.note(
        new OperatorLists.Origin(seen.who(), good ? "report good" : "report spam"),
        reported.words());
    return reported;
  }

  private Sighting of(Sighting mail, Evidence session) {
    String from = session.from();
    return new Sighting(
        mail.at(),
        mail.origin(),
        mail.who(),
        session.decision().id(),
        stranger(session.client()),
        from == null ? null : MailAddress.orNull(from),
        mail.keys());
  }

  /** Own networks relay mail of others: what they send is no reason to remember them. */
  private @Nullable IpAddress stranger(IpAddress client) {
    return isOwn(client) ? null : client;
  }
}
