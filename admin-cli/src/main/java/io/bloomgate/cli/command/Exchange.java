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
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One request and all of its replies, printed as they come. One thread. */
public final class Exchange {

  /**
   * The end of an answer.
   *
   * @param failed true when the gateway sent a failure in place of an answer
   */
  public record Whole(int exitCode, boolean failed) {}

  private final ControlClient client;
  private final Output out;
  private final Consumer<Progress> progress;

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

  /** Asks and hands on the objects of the answer; the result is the exit code. */
  public int collect(ControlRequest request, Consumer<JsonObject> items) throws CliException {
    return ask(request, items, () -> true).exitCode();
  }

  /**
   * Asks and hands on the objects of the answer; everything else is printed. An answer that nobody
   * reads is still awaited to its end, because many callers need only its exit code.
   *
   * @param wanted asked after each reply; false ends an answer that has no end itself
   */
  Whole ask(ControlRequest request, Consumer<JsonObject> items, BooleanSupplier wanted)
      throws CliException {
    try {
      client.send(request);
      return read(items, wanted);
    } catch (ControlException e) {
      throw CliException.of(e);
    }
  }

  private Whole read(Consumer<JsonObject> items, BooleanSupplier wanted) throws ControlException {
    while (true) {
      ControlReply reply = client.next();
      // Each command does this, and Java makes a class at run time for a switch over patterns.
      if (reply instanceof Item item) {
        items.accept(item.value());
      } else if (reply instanceof Done done) {
        return new Whole(done.exitCode(), false);
      } else if (reply instanceof Failed(int exitCode, String message, String hint)) {
        out.error(hint.isEmpty() ? message : message + "; " + hint);
        return new Whole(exitCode, true);
      } else if (reply instanceof Note note) {
        out.note(note.text());
      } else if (reply instanceof Progress step) {
        progress.accept(step);
      }
      if (!wanted.getAsBoolean()) {
        return new Whole(ExitCode.OK, false);
      }
    }
  }
}
