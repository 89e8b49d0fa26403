package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Role;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.admin.RequestHandler.ReplySink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answer to one control request while it is given: items, notes, progress, and one end. Used by
 * the handlers on the thread of the connection, and by {@link LongWork} that sends items from its
 * own thread while that one shows progress; every method throws {@link ClientGoneException} when
 * the client has gone.
 */
final class ReplySender {
  private static final Logger LOG = LoggerFactory.getLogger(ReplySender.class);

  /** The exit codes of all commands. */
  static final int OK = 0;

  /** The answer is no, or the request could not be carried out. */
  static final int NO = 1;

  static final int USAGE = 2;
  static final int PARTLY = 4;

  /** The role of the user does not cover it. */
  static final int PERMISSION = 5;

  private final GatewayControl gateway;
  private final Caller caller;
  private final ReplySink sink;
  private int exitCode = OK;

  ReplySender(GatewayControl gateway, Caller caller, ReplySink sink) {
    this.gateway = gateway;
    this.caller = caller;
    this.sink = sink;
  }

  /** A request that is not carried out: what is wrong and how to fix it. Nothing was changed. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String hint;

    RefusedException(int exitCode, String reason, String hint) {
      super(reason);
      this.exitCode = exitCode;
      this.hint = hint;
    }

    static RefusedException usage(String reason, String hint) {
      return new RefusedException(USAGE, reason, hint);
    }

    static RefusedException no(String reason, String hint) {
      return new RefusedException(NO, reason, hint);
    }

    static RefusedException of(OperatorListsException e) {
      return no(e.userMessage(), e.hint());
    }

    /** The same with more words. */
    RefusedException and(String more) {
      return new RefusedException(exitCode, reason() + more, hint);
    }

    String reason() {
      return String.valueOf(getMessage());
    }

    String hint() {
      return hint;
    }

    Failed reply() {
      return new Failed(exitCode, reason(), hint);
    }
  }

  /** The name of the user who asked, for the audit. */
  String user() {
    return caller.author();
  }

  /** The role of the user who asked. */
  Role role() {
    return caller.role();
  }

  void item(JsonObject value) {
    send(new Item(value));
  }

  void item(JsonValue.ObjectBuilder value) {
    item(value.build());
  }

  void item(Record value) {
    item(JsonRecords.of(value));
  }

  /** Sends many objects together: a long answer takes fewer turns. */
  void items(List<JsonObject> values) {
    send(values.stream().map(Item::new).toList());
  }

  void note(String text) {
    send(new Note(text));
  }

  /** Says why an answer is not complete. */
  void warn(List<String> problems) {
    problems.forEach(problem -> note("warning: " + problem));
  }

  void progress(String text, JsonObject value) {
    send(new Progress(text, value));
  }

  /** Sets the exit code at the end of the answer, which is {@link #OK} otherwise. */
  void exit(int code) {
    exitCode = code;
  }

  /** Sends the end of an answer that was given. */
  void end() {
    send(new Done(exitCode));
  }

  /** Writes an act into the audit; it is done even when that fails, and a note says so. */
  void audit(String command, String subject) {
    warnUnless(RunActs.note(gateway, user(), command, subject));
  }

  /** Says when an act was done and is not in the audit. */
  void warnUnless(boolean audited) {
    if (!audited) {
      note("warning: done, but this could not be written into the audit");
    }
  }

  /** Does work on another thread that reads the kept sessions, and says so meanwhile. */
  <T> T reading(Callable<T> work) throws IOException, InterruptedException {
    JsonObject event = JsonValue.object().put("event", "reading").build();
    return reading("reading the kept sessions ...", event, work);
  }

  /** The same for work that is short as a rule, whose client is only shown that it goes on. */
  <T> T readingSome(Callable<T> work) throws IOException, InterruptedException {
    return reading("", JsonValue.object().build(), work);
  }

  /** The same, without waiting long: what says that the disk hangs must not hang with it. */
  <T> T readingBriefly(Callable<T> work, T otherwise) throws IOException, InterruptedException {
    gateway.kept().catchUp();
    return LongWork.within(gateway.searches(), work, otherwise);
  }

  private <T> T reading(String words, JsonObject event, Callable<T> work)
      throws IOException, InterruptedException {
    gateway.kept().catchUp();
    return LongWork.await(gateway.searches(), work, () -> progress(words, event));
  }

  /** Refuses because the kept sessions cannot be read; the log has the reason. */
  static RefusedException unreadable(String what, IOException e, String hint) {
    LOG.error("{} cannot be read", what, e);
    return RefusedException.no(what + " cannot be read", "the gateway's log says why" + hint);
  }

  void send(ControlReply reply) {
    send(List.of(reply));
  }

  /** Locked: a line is not to be cut by one of the other thread. */
  private synchronized void send(List<? extends ControlReply> replies) {
    try {
      if (!replies.isEmpty()) {
        sink.send(replies);
      }
    } catch (IOException e) {
      throw new ClientGoneException(e);
    }
  }

  /** The reply cannot be sent; any other failure can still be sent to the client. */
  static final class ClientGoneException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    ClientGoneException(IOException cause) {
      super(cause);
    }
  }
}
