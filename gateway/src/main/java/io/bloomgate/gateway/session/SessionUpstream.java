package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.OutgoingContent;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.relay.UpstreamException;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.MailParameters;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the session's connections to the upstream: opened after the first recipient passed, kept
 * for further messages of the same client, thrown away after any doubt. Held by {@link
 * SessionUpstreams}; used by one session's thread, all but {@link #reclaim}.
 *
 * <p>Connections are few, so while the client keeps us waiting ours lies where housekeeping may
 * take it, also within a transaction: when nothing was said on it for {@link Upstream#idleLimit},
 * or others wait for one; the upstream may be sooner. What it had granted is remembered then and
 * asked for again when the client goes on; should it grant less, the whole message fails with 451,
 * so that no recipient who heard 250 is lost in silence.
 */
final class SessionUpstream implements WaitListener {

  private enum State {
    /** Between messages. */
    CLEAN,
    /** MAIL was said there, and the client may go on with its message. */
    IN_TRANSACTION,
    /** MAIL was said there and nothing will come of it; RSET must come before another. */
    RESET_DUE,
    /** DATA was taken and the verdict is not in. */
    IN_CONTENT
  }

  /** What the upstream has granted of the transaction in hand. */
  private static final class Granted {
    private final ClientIdentity client;
    private final MailCommand mail;
    private final List<RcptCommand> recipients = new ArrayList<>(1);

    /** RCPT commands since MAIL, refused ones too. */
    private int asked;

    Granted(ClientIdentity client, MailCommand mail) {
      this.client = client;
      this.mail = mail;
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(SessionUpstream.class);

  private final Upstream upstream;
  private final LongSupplier nanoTime;
  private final WarningPace warnings;
  private Upstream route;
  private @Nullable UpstreamSession session;
  private @Nullable ClientIdentity identity;
  private @Nullable Granted granted;
  private State state = State.CLEAN;
  private long lastUse;
  private final ParkedConnection parked;
  private WaitListener others = WaitListener.NOTHING;

  /**
   * Without a connection.
   *
   * @param warnings of messages that the upstream failed
   */
  SessionUpstream(Upstream upstream, LongSupplier nanoTime, WarningPace warnings) {
    this.upstream = upstream;
    this.warnings = warnings;
    this.route = upstream;
    this.nanoTime = nanoTime;
    this.parked = new ParkedConnection(nanoTime, upstream.idleLimit());
  }

  /** What is told when this one may wait for a connection: the other ones of the session. */
  void beside(WaitListener otherConnections) {
    others = otherConnections;
  }

  /** What became of MAIL and the first RCPT; {@code answer} is the word on the recipient. */
  record Begun(boolean mailTaken, RecipientAnswer answer) {}

  /**
   * Says MAIL and the first RCPT on a connection that carries this identity. One that was used
   * before and died meanwhile, or is refused its MAIL for now because the upstream has had enough
   * of it, is replaced: nothing of the message has been offered on it. What two of them are refused
   * is the upstream's word on the sender, who shall not use up all that wait for others.
   */
  Begun begin(ClientIdentity client, MailCommand mail, RcptCommand rcpt) throws UpstreamException {
    granted = null;
    keep(client, upstream.route(rcpt.to().domain()));
    return orDiscard(() -> sayMailWhereHeard(client, mail, rcpt));
  }

  private Begun sayMailWhereHeard(ClientIdentity client, MailCommand mail, RcptCommand rcpt)
      throws UpstreamException {
    boolean refused = false;
    while (true) {
      try {
        Begun begun = sayMail(client, mail, rcpt);
        boolean forNow = !begun.mailTaken() && begun.answer().reply().code() / 100 == 4;
        if (!usedBefore() || !forNow || refused) {
          return begun;
        }
        refused = true;
      } catch (UpstreamException e) {
        if (!usedBefore() || e.closedBehindRefusals()) {
          throw e;
        }
      }
      // Each turn uses up one that was kept, so the last turn is on a new one.
      close();
    }
  }

  private boolean usedBefore() {
    return session != null && session.usedBefore();
  }

  /** A further recipient on the same route. */
  RecipientAnswer rcpt(RcptCommand rcpt) throws UpstreamException {
    return orDiscard(() -> orOnAnother(() -> sayRcpt(rcpt), () -> true));
  }

  /** DATA; when it is taken, what is held of the content goes on its way. */
  Reply data(OutgoingContent held) throws UpstreamException {
    return orDiscard(() -> {
      Reply reply = orOnAnother(() -> inTransaction().data(held), () -> !held.begun());
      state = reply.positive() ? State.IN_CONTENT : State.IN_TRANSACTION;
      used();
      return reply;
    });
  }

  /** More content, behind what was held. */
  void content(byte[] octets, int offset, int length) throws UpstreamException {
    orDiscard(() -> {
      open().content(octets, offset, length);
      return true;
    });
  }

  /** Sends the final dot and awaits the verdict; the next MAIL may follow it. */
  List<UpstreamSession.Word> endOfData() throws UpstreamException {
    return orDiscard(() -> {
      List<UpstreamSession.Word> verdict = open().endOfData();
      state = State.CLEAN;
      granted = null;
      used();
      return verdict;
    });
  }

  /** The client will not go on with what it began, if it began anything. */
  void transactionOver() {
    granted = null;
    if (state == State.IN_TRANSACTION) {
      state = State.RESET_DUE;
    }
  }

  /** Drops the connection; inside content this is before the final dot. */
  void discard() {
    granted = null;
    close();
  }

  // ---- while the client keeps us waiting

  @Override
  public void waitBegins() {
    UpstreamSession at = session;
    if (at != null && state != State.IN_CONTENT) {
      parked.put(at, state == State.IN_TRANSACTION, lastUse);
    }
  }

  /** Where the connection was taken, {@link #inTransaction} knows what to say on another. */
  @Override
  public void waitEnds() {
    if (session != null && state != State.IN_CONTENT && !parked.takeBack()) {
      forget();
    }
  }

  /** As {@link ParkedConnection#unusedSince}. */
  @Nullable Long unusedSince() {
    return parked.unusedSince();
  }

  /** As {@link ParkedConnection#reclaim}. Any thread. */
  @Nullable UpstreamSession reclaim(int given) {
    return parked.reclaim(given);
  }

  // ---- inside

  private interface Step<T> {
    T take() throws UpstreamException;
  }

  private <T> T orDiscard(Step<T> step) throws UpstreamException {
    try {
      return step.take();
    } catch (UpstreamException e) {
      throw failed(e);
    }
  }

  private UpstreamSession opened(ClientIdentity client) throws UpstreamException {
    others.waitBegins();
    try {
      return route.open(client);
    } finally {
      others.waitEnds();
    }
  }

  /**
   * Takes a step once more on a new connection when the upstream closed the one at hand: servers do
   * that to a client that takes its time, and nothing of the message was offered there yet.
   */
  private <T> T orOnAnother(Step<T> step, BooleanSupplier nothingOffered) throws UpstreamException {
    boolean waited = session != null;
    try {
      return step.take();
    } catch (UpstreamException e) {
      if (!waited || !e.connectionClosed() || !nothingOffered.getAsBoolean()) {
        throw e;
      }
      LOG.debug("{}; the transaction is begun again on another connection", e.getMessage());
    }
    close();
    return step.take();
  }

  /** Nobody but the log learns why: the client hears a 451 that gives nothing away. */
  private UpstreamException failed(UpstreamException e) {
    if (session != null) {
      warnings.say(
          more -> LOG.warn("{}; the message is answered {}{}", e.getMessage(), e.reply(), more));
    }
    discard();
    return e;
  }

  private void close() {
    UpstreamSession dropped = session;
    forget();
    if (dropped != null) {
      dropped.close();
    }
  }

  private void forget() {
    session = null;
    identity = null;
    state = State.CLEAN;
  }

  private void used() {
    lastUse = nanoTime.getAsLong();
  }

  private UpstreamSession open() {
    if (session == null) {
      throw new IllegalStateException("no upstream connection");
    }
    return session;
  }

  /** Keeps the connection at hand if it may be used again for this client on this route. */
  private void keep(ClientIdentity client, Upstream wanted) throws UpstreamException {
    boolean elsewhere = !wanted.equals(route);
    route = wanted;
    if (session == null) {
      return;
    }
    if (elsewhere || !client.equals(identity) || session.exhausted()) {
      discard();
    } else if (state != State.CLEAN) {
      try {
        session.rset();
        state = State.CLEAN;
      } catch (UpstreamException e) {
        discard();
        if (e.closedBehindRefusals()) {
          throw e;
        }
      }
    }
  }

  private Begun sayMail(ClientIdentity client, MailCommand mail, RcptCommand rcpt)
      throws UpstreamException {
    UpstreamSession at = session;
    if (at == null) {
      at = opened(client);
      session = at;
      identity = client;
      used();
    }
    Reply lacking = Extensions.lacking(mail.parameters(), rcpt.parameters(), at.extensions());
    if (lacking != null) {
      return new Begun(false, RecipientAnswer.own(lacking));
    }
    state = State.IN_TRANSACTION;
    UpstreamSession.MailAndRcpt replies =
        at.mailAndRcpt(mail.from(), mail.parameters(), rcpt.to(), rcpt.parameters());
    used();
    boolean mailTaken = replies.mail().positive();
    if (mailTaken) {
      granted = new Granted(client, mail);
      note(rcpt, replies.rcpt());
    }
    return new Begun(
        mailTaken, RecipientAnswer.relayed(mailTaken ? replies.rcpt() : replies.mail()));
  }

  private RecipientAnswer sayRcpt(RcptCommand rcpt) throws UpstreamException {
    Granted before = requireGranted();
    if (session == null && before.recipients.isEmpty()) {
      // Only MAIL was granted: with this recipient it is said once more.
      return RecipientAnswer.relayed(resumed(sayMailWhereHeard(before.client, before.mail, rcpt)));
    }
    UpstreamSession at = inTransaction();
    Reply lacking = Extensions.lacking(MailParameters.NONE, rcpt.parameters(), at.extensions());
    if (lacking != null) {
      return RecipientAnswer.own(lacking);
    }
    if (requireGranted().asked >= at.extensions().rcptMax()) {
      return RecipientAnswer.own(Replies.TOO_MANY_RECIPIENTS);
    }
    Reply reply = at.rcpt(rcpt.to(), rcpt.parameters());
    used();
    note(rcpt, reply);
    return RecipientAnswer.relayed(reply);
  }

  private void note(RcptCommand rcpt, Reply reply) {
    Granted at = requireGranted();
    at.asked++;
    if (reply.positive()) {
      at.recipients.add(rcpt);
    }
  }

  /** The connection in a transaction, begun again when it was closed as idle. */
  private UpstreamSession inTransaction() throws UpstreamException {
    if (session == null) {
      Granted before = requireGranted();
      resume(before);
    }
    return open();
  }

  private void resume(Granted before) throws UpstreamException {
    List<RcptCommand> recipients = before.recipients;
    RcptCommand first = recipients.getFirst();
    requireTaken(resumed(sayMailWhereHeard(before.client, before.mail, first)));
    for (RcptCommand rcpt : recipients.subList(1, recipients.size())) {
      requireTaken(sayRcpt(rcpt).reply());
    }
  }

  /** The word on the recipient; MAIL must be taken as it was before. */
  private static Reply resumed(Begun again) throws UpstreamException {
    Reply reply = again.answer().reply();
    if (!again.mailTaken()) {
      throw UpstreamException.withdrawn(reply);
    }
    return reply;
  }

  private static void requireTaken(Reply reply) throws UpstreamException {
    if (!reply.positive()) {
      throw UpstreamException.withdrawn(reply);
    }
  }

  private Granted requireGranted() {
    Granted at = granted;
    if (at == null) {
      throw new IllegalStateException("no transaction at the upstream");
    }
    return at;
  }
}
