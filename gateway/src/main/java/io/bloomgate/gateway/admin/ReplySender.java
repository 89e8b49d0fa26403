package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.admin.RequestHandler.LineSink;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

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

  private final LineSink lines;

  ReplySender(LineSink lines) {
    this.lines = lines;
  }

  void item(JsonObject value) throws IOException {
    send(new ControlReply.Item(value));
  }

  /** The same for many objects, which go out together: a long answer takes fewer turns. */
  void items(List<JsonObject> values) throws IOException {
    if (!values.isEmpty()) {
      sendLines(
          values.stream()
              .map(value -> ControlCodec.encode(new ControlReply.Item(value)))
              .collect(Collectors.joining("\n")));
    }
  }

  void note(String text) throws IOException {
    send(new ControlReply.Note(text));
  }

  void progress(String text, JsonObject value) throws IOException {
    send(new ControlReply.Progress(text, value));
  }

  void done(int exitCode) throws IOException {
    send(new ControlReply.Done(exitCode));
  }

  void failed(int exitCode, String message, String hint) throws IOException {
    send(new ControlReply.Failed(exitCode, message, hint));
  }

  private void send(ControlReply reply) throws IOException {
    sendLines(ControlCodec.encode(reply));
  }

  /** Locked: a line is not to be cut by one of the other thread. */
  private synchronized void sendLines(String text) throws IOException {
    try {
      lines.send(text);
    } catch (IOException e) {
      throw new ClientGoneException(e);
    }
  }

  /** The line cannot be sent; any other failure can still be sent to the client. */
  static final class ClientGoneException extends IOException {
    private static final long serialVersionUID = 1L;

    ClientGoneException(IOException cause) {
      super(cause);
    }
  }
}
