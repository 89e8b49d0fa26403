package io.bloomgate.gateway.session;

import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.WireReader.WaitListener;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a client is answered, what it did since its last accepted message, and whether the end
 * has come. Used by the session's thread.
 */
final class Dialog {

  /** Names that a client may have DNS lists asked about; publishers count each question. */
  static final int MAX_NAMES = 50;

  private final Judge judge;
  private final DecisionReporter reporter;
  private final WaitListener waits;
  private ClientWire wire;
  private int errors;
  private int commands;
  private int names;
  private int furthest;
  private boolean refused;
  private boolean ended;
  private @Nullable Reply last;

  /**
   * Nothing was said yet.
   *
   * @param waits learns when the client is waited for
   */
  Dialog(Judge judge, DecisionReporter reporter, ClientWire wire, WaitListener waits) {
    this.judge = judge;
    this.reporter = reporter;
    this.waits = waits;
    this.wire = wire;
    wire.reader().reportWaits(waits);
  }

  ClientWire wire() {
    return wire;
  }

  void encrypted(ClientWire over) {
    wire = over;
    wire.reader().reportWaits(waits);
  }

  // ---- replies

  /** Answers with a reply of ours; a refusal is reported, if no record has reported it yet. */
  void own(Reply reply) {
    own(reply, null);
  }

  /**
   * The same for a MAIL or RCPT.
   *
   * @param answered {@code null} for another command
   */
  void own(Reply reply, DecisionReporter.@Nullable Attempt answered) {
    sent(judge.inMode(reply), answered);
  }

  /** The same with a reply of a mail server, or one of ours as the mode allows it. */
  void sent(Reply reply, DecisionReporter.@Nullable Attempt answered) {
    reporter.sent(reply, answered);
    logged(reply);
  }

  /** Answers with such a reply that is logged elsewhere. */
  void logged(Reply reply) {
    if (!reply.positive()) {
      errors++;
    }
    wire.add(reply);
  }

  /** Answers with a last reply. */
  void answerAndEnd(Reply reply) {
    own(reply);
    last = reply;
    end();
  }

  /** The reply that ended the conversation; {@code null} when the client went away. */
  @Nullable Reply last() {
    return last;
  }

  // ---- its end

  /** True when the connection itself was refused, and only QUIT may follow. */
  boolean refused() {
    return refused;
  }

  void refuse() {
    refused = true;
  }

  /** True when nothing more is read from the client. */
  boolean ended() {
    return ended;
  }

  void end() {
    ended = true;
  }

  // ---- what it did

  void command() {
    commands++;
  }

  /** DNS lists are asked about a name that the client chose. */
  void nameAsked() {
    names++;
  }

  /**
   * True when this is further than it had come with its next message.
   *
   * @param stage as {@link Session#stage}
   */
  boolean further(int stage) {
    boolean further = stage > furthest;
    furthest = Math.max(stage, furthest);
    return further;
  }

  /** The content of a message comes; with the next one the client begins from the start. */
  void content() {
    furthest = 0;
  }

  /** A message was accepted. */
  void accepted() {
    errors = 0;
    commands = 0;
    names = 0;
  }

  /** The limit that is passed; {@code null} for none. */
  @Nullable Limit passed(Settings.Limits limits) {
    if (errors >= limits.errors()) {
      return Limit.ERRORS;
    }
    return commands > limits.commands() || names > MAX_NAMES ? Limit.COMMANDS : null;
  }
}
