package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Parsed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record of the stream that nodes of a fleet share: the changes of one command, or what a node
 * has after the stream was lost. As text it is one JSON object. Immutable.
 *
 * @param node that wrote it
 * @param seq of that node, growing; 0 for what a node has
 * @param author who gave the command
 * @param versions of the changes of what a node has; empty for those of a command, whose version is
 *     the place of the record
 * @param act {@code null} for a record of changes
 */
public record SharedRecord(
    String node,
    long seq,
    Instant at,
    String author,
    String command,
    List<SharedChange> changes,
    List<StreamId> versions,
    @Nullable Act act) {

  /**
   * Something else that was done and that all nodes do.
   *
   * @param kind as {@code mode}
   * @param value words of that kind
   */
  public record Act(String kind, String value) {}

  /** Longest text of a record, in characters; what is longer is skipped. */
  public static final int MOST_CHARACTERS = 4 << 20;

  /** Changes of one record; a longer command makes several. */
  public static final int MOST_CHANGES = 200;

  private static final int MOST_NAME = 256;

  /** Characters of the value of an act: what the breaker holds back may be many entries. */
  public static final int MOST_VALUE = 64 << 10;

  public SharedRecord {
    changes = List.copyOf(changes);
    versions = List.copyOf(versions);
  }

  /** True for what a node has, as opposed to what was done. */
  public boolean isState() {
    return seq == 0;
  }

  /** One line. */
  public String text() {
    List<JsonValue> items = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      SharedChange change = changes.get(i);
      var item =
          JsonValue.object()
              .put("list", change.entry().list().word())
              .put("entry", OperatorText.format(change.entry()))
              .put("author", change.author())
              .put("created", change.created().toEpochMilli());
      if (change.removed()) {
        item.put("removed", true);
      }
      if (!versions.isEmpty()) {
        item.put("version", versions.get(i).toString());
      }
      items.add(item.build());
    }
    var object =
        JsonValue.object()
            .put("node", node)
            .put("seq", seq)
            .put("at", at.toEpochMilli())
            .put("author", author)
            .put("command", command)
            .put("changes", new JsonArray(items));
    if (act != null) {
      object.put(
          "act", JsonValue.object().put("kind", act.kind()).put("value", act.value()).build());
    }
    return Json.write(object.build());
  }

  /** Reads a record; the reason says what is wrong and holds nothing of the text. */
  public static Parsed<SharedRecord> parse(@Nullable String text) {
    if (text == null || text.length() > MOST_CHARACTERS) {
      return Parsed.bad("no record, or longer than " + MOST_CHARACTERS + " characters");
    }
    try {
      if (!(Json.parse(text) instanceof JsonObject object)) {
        return Parsed.bad("no JSON object");
      }
      List<SharedChange> changes = new ArrayList<>();
      List<StreamId> versions = new ArrayList<>();
      List<JsonValue> items = object.elements("changes");
      if (items.size() > MOST_CHANGES) {
        return Parsed.bad("more than " + MOST_CHANGES + " changes");
      }
      for (JsonValue item : items) {
        Optional<SharedChange> change = change(item);
        if (change.isEmpty()) {
          return Parsed.bad("a change that is none");
        }
        changes.add(change.get());
        StreamId.parse(((JsonObject) item).text("version").orElse("")).ifPresent(versions::add);
      }
      long seq = object.number("seq").orElse(-1);
      String node = object.text("node").orElse("");
      if (seq < 0 || node.isEmpty() || node.length() > MOST_NAME) {
        return Parsed.bad("no node or no number");
      }
      if (versions.size() != (seq == 0 ? changes.size() : 0)) {
        return Parsed.bad("versions that do not fit the changes");
      }
      return Parsed.ok(
          new SharedRecord(
              node,
              seq,
              Instant.ofEpochMilli(object.number("at").orElse(0)),
              name(object, "author"),
              name(object, "command"),
              changes,
              versions,
              object
                  .object("act")
                  .map(act -> new Act(name(act, "kind"), cut(act, "value", MOST_VALUE)))
                  .orElse(null)));
    } catch (JsonSyntaxException e) {
      return Parsed.bad("no JSON");
    }
  }

  private static String name(JsonObject object, String member) {
    return cut(object, member, MOST_NAME);
  }

  private static String cut(JsonObject object, String member, int most) {
    String text = object.text(member).orElse("");
    return text.length() > most ? text.substring(0, most) : text;
  }

  private static Optional<SharedChange> change(JsonValue item) {
    if (!(item instanceof JsonObject object)) {
      return Optional.empty();
    }
    ListKind list =
        switch (object.text("list").orElse("")) {
          case "allow" -> ListKind.ALLOW;
          case "block" -> ListKind.BLOCK;
          default -> null;
        };
    if (list == null) {
      return Optional.empty();
    }
    return OperatorText.parse(list, object.text("entry").orElse(""))
        .toOptional()
        .flatMap(line -> line)
        .map(line ->
            new SharedChange(
                line.entry(),
                name(object, "author"),
                Instant.ofEpochMilli(object.number("created").orElse(0)),
                object.isTrue("removed")))
        .filter(SharedChange::isShared);
  }
}
