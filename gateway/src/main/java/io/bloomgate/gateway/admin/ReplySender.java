package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.End;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Role;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.admin.RequestHandler.ReplySink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The answer to one control request while it is given: items, notes, progress, and one end. Used by
 * the handlers on the thread of the connection, and by {@link LongWork} that sends items from its
 * own thread while that one shows progress; every method throws {@link ClientGoneException} when
 * the client has gone.
 */
final class ReplySender {

  /** The exit codes of all commands. */
  static final int OK = 0;

  /** The answer is no, or the request could not be carried out. */
  static final int NO = 1;

  static final int USAGE = 2;
  static final int PARTLY = 4;

  /** The role of the user does not cover it. */
  static final int PERMISSION = 5;

  /** The end of an answer of which nothing failed. */
  static final End DONE = new Done(OK);

  private final Caller caller;
  private final ReplySink sink;

  ReplySender(Caller caller, ReplySink sink) {
    this.caller = caller;
    this.sink = sink;
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

  void progress(String text, JsonObject value) {
    send(new Progress(text, value));
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
