package io.bloomgate.gateway.admin;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.page.Questions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the handlers of the control socket without a socket: what a page shows is what the command
 * line gets. Called on the threads of HTTP requests.
 */
public final class InProcessQuestions implements Questions {

  private final RequestHandler handlers;

  public InProcessQuestions(RequestHandler handlers) {
    this.handlers = handlers;
  }

  @Override
  public Answer ask(ControlRequest request, String author) {
    Collected collected = new Collected();
    try {
      handlers.answer(request, new Caller(author), collected::take);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // nothing here can go away
    }
    return new Answer(collected.items, collected.notes, collected.exitCode, collected.failure);
  }

  /** The replies; a long work sends them from its thread while this one waits. */
  private static final class Collected {
    private final List<JsonObject> items = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int exitCode;
    private String failure = "";

    synchronized void take(List<? extends ControlReply> replies) {
      for (ControlReply reply : replies) {
        switch (reply) {
          case ControlReply.Item(JsonObject value) -> items.add(value);
          case ControlReply.Progress ignored -> {}
          case ControlReply.Note(String text) -> notes.add(text);
          case ControlReply.Done(int code) -> exitCode = code;
          case ControlReply.Failed(int code, String message, String hint) -> {
            exitCode = code;
            failure = message + "; " + hint;
          }
        }
      }
    }
  }
}
