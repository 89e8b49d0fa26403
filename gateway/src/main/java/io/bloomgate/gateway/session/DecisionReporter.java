package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.content.MimeExcess;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.log.SessionTrace;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.message.TraceHeaders.Protocol;
import io.bloomgate.gateway.smtp.Reply;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what happened in a session into decision records. One a session; used by its thread. */
final class DecisionReporter {

  private static final Logger LOG = LoggerFactory.getLogger(DecisionReporter.class);

  private final SessionState session;

  /** The reply of the newest record since the last reply was sent. */
  private @Nullable Reply reported;

  DecisionReporter(SessionState session) {
    this.session = session;
  }

  /**
   * What happened.
   *
   * @param verdict {@code null} when no list decided
   * @param facts what lists were asked about; {@code null} when they were not asked
   * @param from {@code null} before MAIL
   * @param beganNanos of the monotonic clock
   * @param quoted ids of earlier incidents that the message quotes
   * @param likeness of the text of the message; {@code null} when it is not known
   */
  record Event(
      Stage stage,
      String id,
      @Nullable Verdict verdict,
      @Nullable Facts facts,
      Outcome outcome,
      @Nullable String from,
      List<String> to,
      Reply reply,
      long sizeOctets,
      long beganNanos,
      List<String> quoted,
      @Nullable Likeness likeness) {

    /** Something that has no content. */
    Event(
        Stage stage,
        String id,
        @Nullable Verdict verdict,
        @Nullable Facts facts,
        Outcome outcome,
        @Nullable String from,
        List<String> to,
        Reply reply,
        long beganNanos) {
      this(stage, id, verdict, facts, outcome, from, to, reply, 0, beganNanos, List.of(), null);
    }
  }

  /**
   * A MAIL or RCPT that a limit or a rule of the protocol refuses.
   *
   * @param from {@code null} when the argument could not be read
   * @param to empty for MAIL, and when the argument could not be read
   */
  record Attempt(Stage stage, @Nullable String from, List<String> to, boolean smtpUtf8) {}

  /** Something before MAIL. */
  void report(Stage stage, String id, @Nullable Verdict verdict, Outcome outcome, Reply reply) {
    report(
        new Event(
            stage,
            id,
            verdict,
            session.facts(),
            outcome,
            null,
            List.of(),
            reply,
            session.beganNanos()),
        false);
  }

  /** Something inside a transaction. */
  void report(Event event, boolean smtpUtf8) {
    report(record(event, smtpUtf8));
    reported = event.reply();
  }

  /** A transaction ended, and nothing was reported of it. */
  void unfinished(Event event, boolean smtpUtf8) {
    DecisionRecord record = record(event, smtpUtf8);
    if (isAdmitted(record)) {
      session.environment().telemetry().unfinished(record);
    }
  }

  private DecisionRecord record(Event event, boolean smtpUtf8) {
    SessionEnvironment env = session.environment();
    SessionState.ClientHello hello = session.hello();
    long took = env.nanoTime().getAsLong() - event.beganNanos();
    return new DecisionRecord(
        env.clock().instant(),
        event.id(),
        event.stage(),
        event.verdict(),
        env.mode().get(),
        event.outcome(),
        session.client().address(),
        hello == null ? "" : hello.name().text(),
        event.from(),
        event.to(),
        protocol(smtpUtf8).name(),
        event.reply(),
        event.sizeOctets(),
        Duration.ofNanos(Math.max(0, took)),
        1,
        trace(event.facts(), event.likeness()),
        event.quoted());
  }

  private SessionTrace trace(@Nullable Facts facts, @Nullable Likeness likeness) {
    MailTransaction open = session.transaction();
    return new SessionTrace(
        session.front(),
        facts,
        facts != null && session.judge().isKnown(facts),
        open == null ? null : open.mark(),
        likeness);
  }

  private void report(DecisionRecord record) {
    Telemetry telemetry = session.environment().telemetry();
    if (isPaced(record.outcome()) && !isAdmitted(record)) {
      telemetry.repeated(record);
    } else {
      telemetry.decided(record);
    }
  }

  private boolean isAdmitted(DecisionRecord record) {
    return session
        .environment()
        .paces()
        .admit(ClientNetwork.of(record.client()), RecordKinds.of(record), record);
  }

  /** Header fields were removed from a message because they have names of ours. */
  void fieldsRemoved(String id, int fields) {
    session.environment().telemetry().fieldsRemoved(fields);
    session
        .rules()
        .messageLines()
        .say(more ->
            LOG.info(
                "took {} header fields X-Bloomgate or X-Spam out of message {} from {}{}",
                fields,
                id,
                session.client().address(),
                more));
  }

  /** The content could not be read, because of a bug: {@code policy.on_error} decides. */
  void contentNotRead(String id, Throwable bug) {
    session
        .rules()
        .messageLines()
        .say(more ->
            LOG.error(
                "the content of message {} from {} was not read, because of a bug{}",
                id,
                session.client().address(),
                more,
                bug));
  }

  /** Of the content some was not looked at, or can be read in more than one way. */
  void notLookedAt(String id, List<String> what, boolean limited) {
    if (limited) {
      session.environment().telemetry().limitReached(Limit.CONTENT);
    }
    if (!what.isEmpty()) {
      session
          .rules()
          .contentLines()
          .say(more ->
              LOG.info(
                  "of message {} from {} not looked at, or read in one of several ways: {}{}",
                  id,
                  session.client().address(),
                  String.join("; ", what),
                  more));
    }
  }

  /** No memory is left for content: of this message only what lists hold is kept. */
  void contentMemoryShort(String id) {
    session.environment().telemetry().limitReached(Limit.HELD_CONTENT);
    session
        .rules()
        .messageLines()
        .say(more ->
            LOG.warn(
                "the memory for content is used up: of message {} from {} only what lists hold is"
                    + " kept; explain cannot show the rest{}",
                id,
                session.client().address(),
                more));
  }

  /** The content asked for a tag when the mail server had the header already. */
  void tagTooLate(String id, Judge.Ruling ruling) {
    session.environment().telemetry().tagTooLate();
    Ground ground = ruling.verdict().decidedBy();
    if (ground instanceof Ground.Exact exact) {
      session
          .rules()
          .messageLines()
          .say(more ->
              LOG.info(
                  "message {} from {} was sent on before its content asked for a tag: {} of {}{}",
                  id,
                  session.client().address(),
                  ground.check().key(),
                  exact.source(),
                  more));
    }
  }

  /** Mode observe let a message pass whose shape is beyond a limit. */
  void mimeLimitSpared(String id, MimeExcess excess) {
    session.environment().telemetry().limitReached(Limit.MIME);
    session
        .rules()
        .messageLines()
        .say(more ->
            LOG.warn(
                "message {} from {} is beyond limits.mime.{} ({}) and passes in mode observe{}",
                id,
                session.client().address(),
                excess.what().key(),
                excess.limit(),
                more));
  }

  /** A client can cause these at will, for a few octets each. */
  private static boolean isPaced(Outcome outcome) {
    return outcome != Outcome.DELIVERED && outcome != Outcome.UNKNOWN;
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
      report(
          new Event(
              refused.stage(),
              session.environment().ids().get(),
              null,
              null,
              Outcome.TURNED_AWAY,
              refused.from(),
              refused.to(),
              reply,
              session.beganNanos()),
          refused.smtpUtf8());
    }
    reported = null;
  }

  /** How far the client has come. */
  private Attempt reached(@Nullable MailTransaction open) {
    if (open == null) {
      Stage stage = session.hello() == null ? Stage.CONNECT : Stage.HELO;
      return new Attempt(stage, null, List.of(), false);
    }
    return new Attempt(
        open.hasRecipients() ? Stage.RCPT : Stage.MAIL,
        open.mail().from().text(),
        List.of(),
        open.mail().parameters().smtpUtf8());
  }

  /** The protocol of this session, as its Received fields name it. */
  Protocol protocol(boolean smtpUtf8) {
    SessionState.ClientHello hello = session.hello();
    return Protocol.of(hello != null && hello.extended(), session.wire().encrypted(), smtpUtf8);
  }
}
