package io.bloomgate.gateway.relay;

import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.config.settings.Settings.Downstream.Protocol;
import io.bloomgate.gateway.relay.MailServerHealth.Reach;
import io.bloomgate.gateway.relay.RawReply.Step;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One client's dialog with the mail server, from MAIL to QUIT. Made by {@link MailServer}, used by
 * one session's thread.
 */
final class UpstreamDialog implements UpstreamSession {

  private final UpstreamClient client;
  private final UpstreamExtensions extensions;
  private final Downstream settings;
  private final MailServer server;
  private final MailServerHealth health;
  private final ClientIdentity identity;
  private State state = State.BETWEEN_COMMANDS;
  private @Nullable OutgoingContent content;
  private boolean justDelivered;

  /** The server refused something since it last took a message, and may have counted that. */
  private boolean refused;

  /** The server took MAIL in the current transaction. */
  private boolean mailTaken;

  /** Recipients that the server took in the current transaction. */
  private int taken;

  /** Recipients that the server refused since it last took a message. */
  private int refusedRecipients;

  /** The server's next step for the current message; {@code null} between messages. */
  private @Nullable Reach reaching;

  private enum State {
    BETWEEN_COMMANDS,
    IN_CONTENT,
    BROKEN,
    CLOSED
  }

  /**
   * Ready for MAIL.
   *
   * @param server where the connection goes when the session is over
   * @param identity whose connection it is
   */
  UpstreamDialog(
      UpstreamClient client, Downstream settings, MailServer server, ClientIdentity identity) {
    this.client = client;
    this.extensions = client.extensions();
    this.settings = settings;
    this.server = server;
    this.health = server.health();
    this.identity = identity;
  }

  @Override
  public UpstreamExtensions extensions() {
    return extensions;
  }

  @Override
  public boolean usedBefore() {
    return client.transactions() > 1;
  }

  @Override
  public boolean mailTaken() {
    return mailTaken;
  }

  @Override
  public int awaited() {
    return server.awaited(identity);
  }

  @Override
  public Reply mailAndRcpt(MailCommand mail, RcptCommand rcpt) throws UpstreamException {
    // Counted first: a connection that broke after its last message counts as used, and may be
    // replaced.
    client.beginTransaction();
    requireState(State.BETWEEN_COMMANDS);
    justDelivered = false;
    mailTaken = false;
    taken = 0;
    reaching = Reach.ENVELOPE;
    forwardIdentity();
    String from = extensions.line(mail);
    String to = extensions.line(rcpt);
    try {
      client.requireQuiet();
      Reply reply = ask(from, to);
      health.served(Reach.ENVELOPE);
      reaching = Reach.MESSAGE;
      return reply;
    } catch (IOException e) {
      throw broken(e, "MAIL and RCPT");
    }
  }

  /**
   * Returns the time that the server may take for its first reply on a kept connection. The
   * connection to a server that disappeared still looks usable; no message is lost on it, and on a
   * new connection the server has the full time.
   */
  private Duration firstAnswer() {
    boolean shorter = settings.connectTimeout().compareTo(settings.commandTimeout()) < 0;
    boolean waited = usedBefore() || reaching == null;
    return waited && shorter ? settings.connectTimeout() : settings.commandTimeout();
  }

  private Reply ask(String mail, String rcpt) throws IOException, UpstreamException {
    boolean ahead = extensions.pipelining();
    client.send(firstAnswer(), ahead ? new String[] {mail, rcpt} : new String[] {mail});
    Reply mailReply = checked(Step.MAIL, client.await(firstAnswer()));
    mailTaken = mailReply.positive();
    if (mailTaken) {
      if (!ahead) {
        client.send(settings.commandTimeout(), rcpt);
      }
      return checked(Step.RCPT, client.await(settings.commandTimeout()));
    }
    try {
      if (ahead) {
        client.await(settings.commandTimeout()); // a 503 without new information
      }
    } catch (IOException e) {
      // The refusal of MAIL counts, even if the connection broke after it.
      state = State.BROKEN;
    }
    return mailReply;
  }

  /** XFORWARD holds for one message only. */
  private void forwardIdentity() throws UpstreamException {
    for (String command : client.xforward()) {
      RawReply reply;
      try {
        reply = client.command(firstAnswer(), command);
      } catch (IOException e) {
        throw broken(e, "XFORWARD");
      }
      if (reply.code() != 250) {
        throw broken(reply.notAboutMail("mail server answered XFORWARD with "));
      }
    }
  }

  @Override
  public Reply rcpt(RcptCommand rcpt) throws UpstreamException {
    return command(Step.RCPT, extensions.line(rcpt));
  }

  @Override
  public Reply data(OutgoingContent held) throws UpstreamException {
    Reply reply = command(Step.DATA, "DATA");
    if (reply.positive()) {
      state = State.IN_CONTENT;
      content = held;
      try {
        held.connect(client);
      } catch (IOException e) {
        throw broken(e, "content");
      }
    }
    return reply;
  }

  @Override
  public void content(byte[] octets, int offset, int length) throws UpstreamException {
    OutgoingContent open = requireContent();
    try {
      open.write(octets, offset, length);
    } catch (IOException e) {
      throw broken(e, "content");
    }
  }

  @Override
  public List<MessageReply> endOfData() throws UpstreamException {
    OutgoingContent open = requireContent();
    try {
      Reply refusal = open.finish();
      if (refusal != null) {
        // The dot was never sent, so the dialog cannot go on; the next message needs a new one.
        state = State.BROKEN;
        health.served(Reach.MESSAGE);
        return Collections.nCopies(answers(), new MessageReply(refusal, Source.NOW));
      }
      List<MessageReply> verdict = answers() == 1 ? List.of(oneReply()) : replyForEach();
      health.served(Reach.MESSAGE);
      reaching = null;
      justDelivered = verdict.stream().allMatch(one -> one.reply().positive());
      if (justDelivered) {
        refused = false;
        refusedRecipients = 0;
      }
      return verdict;
    } catch (IOException e) {
      if (!open.dotMayBeOut()) {
        throw broken(e, "the final dot");
      }
      String text = UpstreamException.of(e, "the final dot").getMessage();
      throw broken(UpstreamException.lost(text + "; outcome unknown"));
    }
  }

  /** Returns the number of answers that the server gives to one message. */
  private int answers() {
    return settings.protocol() == Protocol.LMTP ? Math.max(1, taken) : 1;
  }

  private MessageReply oneReply() throws IOException, UpstreamException {
    RawReply raw = client.await(settings.endOfDataTimeout());
    state = State.BETWEEN_COMMANDS;
    content = null;
    return new MessageReply(checked(Step.FINAL_DOT, raw), Source.NOW);
  }

  /** A failure that is not about the mail of one recipient says nothing about the others. */
  private List<MessageReply> replyForEach() throws IOException {
    List<MessageReply> replies = new ArrayList<>(answers());
    state = State.BETWEEN_COMMANDS;
    content = null;
    boolean more = true;
    while (more && replies.size() < answers()) {
      try {
        RawReply raw = client.await(settings.endOfDataTimeout());
        replies.add(new MessageReply(raw.forClient(Step.FINAL_DOT), Source.NOW));
      } catch (UpstreamException e) {
        replies.add(new MessageReply(e.reply(), e.outcomeUnknown() ? Source.UNKNOWN : Source.NOW));
        broken(e);
        more = !e.connectionClosed();
      } catch (IOException e) {
        if (replies.isEmpty()) {
          throw e;
        }
        broken(e, "the answer for a recipient");
        more = false;
      }
    }
    while (replies.size() < answers()) {
      replies.add(new MessageReply(UpstreamException.CONNECTION_LOST, Source.UNKNOWN));
    }
    return replies;
  }

  @Override
  public void rset() throws UpstreamException {
    requireState(State.BETWEEN_COMMANDS);
    justDelivered = false;
    // A server may close a connection that is not in use.
    reaching = null;
    try {
      RawReply raw = client.command(firstAnswer(), "RSET");
      if (raw.code() != 250) {
        throw broken(raw.notAboutMail("mail server answered RSET with "));
      }
    } catch (IOException e) {
      throw broken(e, "RSET");
    }
  }

  @Override
  public void close() {
    if (state == State.CLOSED) {
      return;
    }
    boolean forgotten = state == State.BETWEEN_COMMANDS && (justDelivered || takenBack());
    boolean polite = state == State.BETWEEN_COMMANDS;
    state = State.CLOSED;
    if (forgotten && server.keep(client, identity)) {
      return;
    }
    try {
      if (polite) {
        client.quitAndClose(UpstreamClient.LAST_REPLY);
      } else {
        client.abandon();
      }
    } finally {
      server.closed(client, identity);
    }
  }

  /**
   * Ends a transaction that the client gave up or that we refused: like 250 to the final dot, RSET
   * makes the server forget this client, when there was nothing to refuse.
   */
  private boolean takenBack() {
    if (reaching != Reach.MESSAGE || taken == 0 || refused) {
      return false;
    }
    try {
      return client.command(UpstreamClient.LAST_REPLY, "RSET").code() == 250;
    } catch (IOException e) {
      state = State.BROKEN;
      return false;
    }
  }

  private Reply command(Step step, String line) throws UpstreamException {
    requireState(State.BETWEEN_COMMANDS);
    try {
      return checked(step, client.command(settings.commandTimeout(), line));
    } catch (IOException e) {
      throw broken(e, RawReply.text(step));
    }
  }

  private Reply checked(Step step, RawReply raw) throws UpstreamException {
    try {
      Reply reply = raw.forClient(step);
      refused |= !reply.positive();
      if (step == Step.RCPT && reply.positive()) {
        taken++;
      } else if (step == Step.RCPT) {
        refusedRecipients++;
      }
      return reply;
    } catch (UpstreamException e) {
      throw broken(e);
    }
  }

  private UpstreamException broken(IOException e, String where) {
    return broken(UpstreamException.of(e, where));
  }

  private UpstreamException broken(UpstreamException e) {
    state = State.BROKEN;
    if (e.connectionClosed() && refusedRecipients > 0) {
      // Its limit of errors was reached, which says nothing about its health.
      return e.behindRefusals();
    }
    if (reaching == Reach.ENVELOPE && usedBefore()) {
      server.stale();
    } else if (reaching != null) {
      server.lost(identity, reaching, e);
    }
    return e;
  }

  /** Another state is either our caller's mistake or a connection that broke before. */
  private void requireState(State wanted) throws UpstreamException {
    if (state == State.BROKEN) {
      throw UpstreamException.notReached("the connection to the mail server is broken already");
    }
    if (state != wanted) {
      throw new IllegalStateException("mail server session is " + state + ", not " + wanted);
    }
  }

  private OutgoingContent requireContent() throws UpstreamException {
    requireState(State.IN_CONTENT);
    return Objects.requireNonNull(content, "content without DATA");
  }
}
