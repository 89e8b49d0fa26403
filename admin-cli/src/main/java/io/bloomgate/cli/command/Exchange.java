package io.bloomgate.cli.command;

import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.control.ControlClient.ControlException;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One request and all of its replies, printed as they come. One thread. */
public final class Exchange {

  /**
   * A whole answer.
   *
   * @param items empty unless a person reads the answer; else they were printed
   * @param failed true when the gateway sent a failure in place of an answer
   */
  public record Whole(List<JsonObject> items, int exitCode, boolean failed) {}

  private final ControlClient client;
  private final Output out;
  private final Consumer<Progress> progress;
  private boolean failed;

  public Exchange(ControlClient client, Output out) {
    this(client, out, step -> out.progress(step.text(), step.value()));
  }

  /**
   * An exchange whose progress is shown in another way.
   *
   * @param progress gets each progress reply as it comes
   */
  public Exchange(ControlClient client, Output out, Consumer<Progress> progress) {
    this.client = client;
    this.out = out;
    this.progress = progress;
  }

  /**
   * Asks and prints; the result is the exit code that the gateway gave. An answer that nobody reads
   * is still awaited to its end, because many callers need only its exit code.
   */
  int ask(ControlRequest request, Output.View view) throws CliException {
    return collect(request, item -> out.item(item, view));
  }

  /** The same for an answer that a person reads as a table: the objects are kept for it. */
  Whole gather(ControlRequest request) throws CliException {
    List<JsonObject> items = new ArrayList<>();
    int exitCode = ask(request, (item, o) -> items.add(item));
    return new Whole(items, exitCode, failed);
  }

  /** The same as {@link #ask}, with whether it failed. */
  Whole whole(ControlRequest request, Output.View view) throws CliException {
    int exitCode = ask(request, view);
    return new Whole(List.of(), exitCode, failed);
  }

  /** The same for an answer without an end: it is over when the reader closes. */
  int follow(ControlRequest request, Output.View view) throws CliException {
    return take(request, item -> out.item(item, view), out::isRead);
  }

  /** Asks and returns the objects of the answer; everything else is printed. */
  public int collect(ControlRequest request, Consumer<JsonObject> items) throws CliException {
    return take(request, items, () -> true);
  }

  private int take(ControlRequest request, Consumer<JsonObject> items, BooleanSupplier wanted)
      throws CliException {
    try {
      client.send(request);
      return read(items, wanted);
    } catch (ControlException e) {
      throw CliException.of(e);
    }
  }

  private int read(Consumer<JsonObject> items, BooleanSupplier wanted) throws ControlException {
    while (true) {
      ControlReply reply = client.next();
      // Each command does this, and Java makes a class at run time for a switch over patterns.
      if (reply instanceof Item item) {
        items.accept(item.value());
      } else if (reply instanceof Done done) {
        return done.exitCode();
      } else if (reply instanceof Failed(int exitCode, String message, String hint)) {
        failed = true;
        out.error(hint.isEmpty() ? message : message + "; " + hint);
        return exitCode;
      } else if (reply instanceof Note note) {
        out.note(note.text());
      } else if (reply instanceof Progress step) {
        progress.accept(step);
      }
      if (!wanted.getAsBoolean()) {
        return ExitCode.OK;
      }
    }
  }
}
