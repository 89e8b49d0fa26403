package io.bloomgate.config.control;

import io.bloomgate.config.control.ControlReply.Done;
import io.bloomgate.config.control.ControlReply.Failed;
import io.bloomgate.config.control.ControlReply.Item;
import io.bloomgate.config.control.ControlReply.Note;
import io.bloomgate.config.control.ControlReply.Progress;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;

/**
 * Replies to JSON objects and back; called by {@link ControlCodec} only. Pure. The first member
 * names the kind: {@code item}, {@code progress}, {@code note}, {@code done} or {@code failed}.
 */
final class ReplyJson {

  private ReplyJson() {}

  static JsonObject write(ControlReply reply) {
    return switch (reply) {
      case Item(JsonObject value) -> JsonValue.object().put("item", value).build();
      case Progress(String text, JsonObject value) ->
          JsonValue.object().put("progress", text).put("value", value).build();
      case Note(String text) -> JsonValue.object().put("note", text).build();
      case Done(int exitCode) -> JsonValue.object().put("done", exitCode).build();
      case Failed(int exitCode, String message, String hint) ->
          JsonValue.object()
              .put("failed", exitCode)
              .put("message", message)
              .put("hint", hint)
              .build();
    };
  }

  static ControlReply read(JsonObject object) throws MalformedException {
    Fields fields = new Fields(object);
    ControlReply reply = read(fields);
    fields.finish();
    return reply;
  }

  private static ControlReply read(Fields f) throws MalformedException {
    if (f.has("item")) {
      return new Item(f.child("item"));
    }
    if (f.has("progress")) {
      return new Progress(f.text("progress"), f.child("value"));
    }
    if (f.has("note")) {
      return new Note(f.text("note"));
    }
    if (f.has("done")) {
      return new Done(f.number("done"));
    }
    if (f.has("failed")) {
      return new Failed(f.number("failed"), f.text("message"), f.text("hint"));
    }
    throw new MalformedException("the kind of reply is unknown here");
  }
}
