package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.content.MimeExcess;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.ConnectionEnd;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.LogText;
import io.bloomgate.gateway.log.SessionTrace;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.smtp.Escape;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Turns what happened in a session into decision records. One a session; used by its thread. */
final class DecisionReporter {

  private static final Logger LOG = LoggerFactory.getLogger(DecisionReporter.class);

  private final Session session;
  private final SessionServices.Reporting reporting;
  private final Telemetry telemetry;
  private final Supplier<String> ids;
  private final long beganNanos;

  private @Nullable String connection;

  /** The reply of the newest record since the last reply was sent. */
  private @Nullable Reply reported;

  DecisionReporter(Session session) {
    this.session = session;
    this.reporting = session.reporting();
    this.telemetry = reporting.telemetry();
    this.ids = reporting.ids();
    this.beganNanos = session.services().nanoTime().getAsLong();
  }

  /**
   * The command that is answered.
   *
   * @param from {@code null} before MAIL, and when its argument could not be read
   * @param to empty before RCPT, and when its argument could not be read
   * @param profile of a recipient that is judged apart; else {@code null}
   */
  record Attempt(
      Stage stage,
      @Nullable String from,
      List<String> to,
      boolean smtpUtf8,
      Grounds.@Nullable Profile profile) {}

  /** Returns what counts what is no decision. */
  Telemetry telemetry() {
    return telemetry;
  }

  /** A limit was reached and acted on. */
  void limitReached(Limit limit) {
    telemetry.limitReached(limit);
  }

  /** An incident id, random. */
  String newId() {
    return ids.get();
  }

  /** Something before MAIL. */
  void report(Stage stage, String id, @Nullable Verdict verdict, Outcome outcome, Reply reply) {
    Attempt at = new Attempt(stage, null, List.of(), false, null);
    report(record(null, at, id, verdict, session.client().facts(), outcome, reply, 0));
    reported = reply;
  }

  /**
   * Something inside a transaction.
   *
   * @param on {@code null} when no list decided
   */
  void report(
      MailTransaction of,
      Attempt at,
      String id,
      @Nullable Ruling on,
      Outcome outcome,
      Reply reply,
      long sizeOctets) {
    Verdict verdict = on == null ? null : on.verdict();
    report(record(of, at, id, verdict, of.recordedFacts(on), outcome, reply, sizeOctets));
    reported = reply;
  }

  /** A transaction ended, and nothing was reported of it. */
  void unfinished(MailTransaction of) {
    Attempt at = of.at(Stage.MAIL, List.of());
    Facts facts = of.recordedFacts(null);
    DecisionRecord record = record(of, at, newId(), null, facts, Outcome.ABANDONED, Replies.OK, 0);
    if (isAdmitted(record)) {
      telemetry.unfinished(record);
    }
  }

  /**
   * Makes a record.
   *
   * @param of {@code null} for what is no part of a transaction
   * @param facts what lists were asked about; {@code null} when they were not asked
   */
  private DecisionRecord record(
      @Nullable MailTransaction of,
      Attempt at,
      String id,
      @Nullable Verdict verdict,
      @Nullable Facts facts,
      Outcome outcome,
      Reply reply,
      long sizeOctets) {
    long began = of == null ? beganNanos : of.beganNanos();
    long took = session.services().nanoTime().getAsLong() - began;
    return new DecisionRecord(
        session.services().clock().instant(),
        id,
        at.stage(),
        verdict,
        session.judge().mode(),
        outcome,
        session.client().address(),
        session.client().helo(),
        at.from(),
        goingOnFirst(at.to(), endingHere(of)),
        session.client().protocol(session.dialog().wire().encrypted(), at.smtpUtf8()),
        reply,
        sizeOctets,
        Duration.ofNanos(Math.max(0, took)),
        1,
        trace(of, facts, at.profile()),
        of == null ? List.of() : of.quoted());
  }

  /** Recipients whose copy is answered 250, and which no mail server gets. */
  private static List<String> endingHere(@Nullable MailTransaction of) {
    NoticedMail noticed = of == null ? null : of.spam();
    return noticed == null ? List.of() : noticed.endingHere();
  }

  /** Puts recipients whose copy goes on first: what happened to it is what is reported. */
  private static List<String> goingOnFirst(List<String> to, List<String> ending) {
    return ending.isEmpty() || to.size() < 2
        ? to
        : to.stream().sorted(Comparator.comparing(new HashSet<>(ending)::contains)).toList();
  }

  private SessionTrace trace(
      @Nullable MailTransaction of, @Nullable Facts facts, Grounds.@Nullable Profile profile) {
    MailTransaction open = session.transaction();
    return new SessionTrace(
        session.client().front(),
        facts,
        facts != null && session.judge().isKnown(facts),
        open == null ? null : open.mark(),
        of == null ? null : of.likeness(),
        of == null ? List.of() : of.carried(),
        connection(),
        open == null ? "" : open.messageId(),
        profile,
        endingHere(of));
  }

  /** The id of the connection, random; in all its records. */
  private String connection() {
    String known = connection;
    if (known == null) {
      known = newId();
      connection = known;
    }
    return known;
  }

  /** The connection has ended. */
  void ended() {
    long took = session.services().nanoTime().getAsLong() - beganNanos;
    telemetry.connectionEnded(
        new ConnectionEnd(
            session.services().clock().instant(),
            connection(),
            session.client().address(),
            session.client().helo(),
            !session.dialog().ended(),
            session.dialog().last(),
            session.transactions(),
            Duration.ofNanos(Math.max(0, took))));
  }

  private void report(DecisionRecord record) {
    if (isPaced(record.outcome()) && !isAdmitted(record)) {
      telemetry.repeated(record);
    } else {
      telemetry.decided(record);
    }
  }

  private boolean isAdmitted(DecisionRecord record) {
    return reporting
        .paces()
        .admit(ClientNetwork.of(record.client()), RecordKinds.of(record), record);
  }

  // ---- lines about a message

  /** Header fields were removed from a message because they have names of ours. */
  void fieldsRemoved(String id, int fields) {
    telemetry.fieldsRemoved(fields);
    say(
        Level.INFO,
        id,
        "had " + fields + " header fields X-Bloomgate or X-Spam: they were taken out");
  }

  /** The mail for these recipients, if any, was answered 250, and no mail server has it. */
  void endedHere(String id, List<String> recipients) {
    if (!recipients.isEmpty()) {
      Privacy privacy = session.services().settings().log().privacy();
      String masked =
          recipients.stream()
              .map(to -> Escape.text(LogText.mask(to, privacy)))
              .collect(Collectors.joining(", "));
      say(Level.INFO, id, "was answered 250 and dropped for " + masked);
    }
  }

  /** The content could not be read, because of a bug: {@code policy.on_error} decides. */
  void contentNotRead(String id, Throwable bug) {
    reporting
        .messages()
        .say(more ->
            LOG.error(
                "the content of message {} from {} was not read, because of a bug{}",
                id,
                session.client().address(),
                more,
                bug));
  }

  /** Reports that some of the content was not looked at, or can be read in more than one way. */
  void notLookedAt(String id, List<String> what, boolean limited) {
    if (limited) {
      limitReached(Limit.CONTENT);
    }
    if (!what.isEmpty()) {
      String parts = String.join("; ", what);
      say(
          reporting.contents(),
          Level.INFO,
          id,
          "was not read whole, or in one of several ways: " + parts);
    }
  }

  /** No memory is left for content: this message has to come again. */
  void contentMemoryShort(String id) {
    limitReached(Limit.HELD_CONTENT);
    say(Level.WARN, id, "has to come again: the memory for content is used up");
  }

  /** The content asked for a tag when the mail server had the header already. */
  void tagTooLate(String id, Ruling ruling) {
    telemetry.tagTooLate();
    if (ruling.verdict().decidedBy() instanceof Ground.Found exact) {
      String ground = exact.check().key() + " of " + exact.source();
      say(Level.INFO, id, "was sent on before its content asked for a tag: " + ground);
    }
  }

  /** Mode observe let a message pass whose shape is beyond a limit. */
  void mimeLimitSpared(String id, MimeExcess excess) {
    limitReached(Limit.MIME);
    String limit = excess.what().key() + " (" + excess.limit() + ")";
    say(Level.WARN, id, "is beyond limits.mime." + limit + " and passes in mode observe");
  }

  private void say(Level level, String id, String what) {
    say(reporting.messages(), level, id, what);
  }

  private void say(WarningPace pace, Level level, String id, String what) {
    IpAddress client = session.client().address();
    pace.say(more -> LOG.atLevel(level).log("message {} from {} {}{}", id, client, what, more));
  }

  /** A client can cause these at will, for a few octets each. */
  private static boolean isPaced(Outcome outcome) {
    return switch (outcome) {
      case DELIVERED, UNKNOWN, DROPPED -> false;
      default -> true;
    };
  }

  /**
   * A reply of ours is sent. One that refuses a command or the client, and that no record has
   * reported yet, is reported here.
   *
   * @param answered the MAIL or RCPT that the reply answers; {@code null} for any other
   */
  void sent(Reply reply, @Nullable Attempt answered) {
    if (!reply.positive() && !reply.equals(reported)) {
      Attempt refused = answered == null ? reached(session.transaction()) : answered;
      report(record(null, refused, newId(), null, null, Outcome.TURNED_AWAY, reply, 0));
    }
    reported = null;
  }

  /** Returns how far the client has come. */
  private Attempt reached(@Nullable MailTransaction open) {
    if (open == null) {
      Stage stage = session.client().hello() == null ? Stage.CONNECT : Stage.HELO;
      return new Attempt(stage, null, List.of(), false, null);
    }
    return open.at(open.hasRecipients() ? Stage.RCPT : Stage.MAIL, List.of());
  }
}
