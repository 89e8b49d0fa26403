package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import io.bloomgate.config.name.Parsed;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest command about one thing that nodes of a fleet share: an entry, or an act such as a
 * mode. As text it is one JSON object, the value of a field of Redis. Exactly one of change and act
 * is there. Immutable; made by {@link SharedEntries}.
 *
 * @param node where the command was given
 * @param at when, by the clock of that node; tells equal commands apart
 * @param author who gave it
 * @param command as {@code allow add}
 */
public record SharedCommand(
    String node,
    Instant at,
    String author,
    String command,
    @Nullable SharedChange change,
    @Nullable Act act) {

  /**
   * Something else than an entry that was done and that all nodes do.
   *
   * @param about what it is about, as {@code mode}: of two acts about one thing the newer one
   *     counts
   * @param kind as {@code mode}
   * @param value words of that kind
   */
  public record Act(String about, String kind, String value) {

    private static final String PART = " part ";

    /** An act beside others about the same thing; a newer act about the whole counts for it. */
    public static Act part(String whole, String part, String kind, String value) {
      return new Act(whole + PART + part, kind, value);
    }

    static boolean isPart(String about) {
      return about.contains(PART);
    }

    static String whole(String part) {
      return part.substring(0, part.indexOf(PART));
    }
  }

  /** Longest text of a command, in characters: what the breaker holds back may be many entries. */
  static final int MAX_CHARACTERS = 80 << 10;

  private static final int MAX_NAME = 256;

  /** Names who gave the command, and where: {@code alice@mx1}. */
  public String by() {
    return author + "@" + node;
  }

  /** One line. */
  String text() {
    ObjectBuilder object =
        JsonValue.object()
            .put("node", node)
            .put("at", at.toEpochMilli())
            .put("author", author)
            .put("command", command);
    if (change != null) {
      object
          .put("entry", OperatorText.format(change.entry()))
          .put("by", change.author())
          .put("created", change.created().toEpochMilli());
      if (change.removed()) {
        object.put("removed", true);
      }
    } else if (act != null) {
      object.put("kind", act.kind()).put("value", act.value());
    }
    return Json.write(object.build());
  }

  /**
   * Reads a text; the reason says what is wrong and holds nothing of the text.
   *
   * @param subject what it is about, as {@link SharedChange#identity} or {@link Act#about}
   */
  static Parsed<SharedCommand> parse(String subject, String text) {
    if (text.length() > MAX_CHARACTERS || subject.length() > MAX_CHARACTERS) {
      return Parsed.bad("longer than " + MAX_CHARACTERS + " characters");
    }
    try {
      if (!(Json.parse(text) instanceof JsonObject object)) {
        return Parsed.bad("no JSON object");
      }
      String node = name(object, "node");
      SharedChange change = change(subject, object).orElse(null);
      Act act =
          object
              .text("kind")
              .map(_ -> new Act(subject, name(object, "kind"), object.text("value").orElse("")))
              .orElse(null);
      return node.isEmpty() || (change == null) == (act == null)
          ? Parsed.bad("no node, or no entry or act of this name")
          : Parsed.ok(
              new SharedCommand(
                  node,
                  Instant.ofEpochMilli(object.number("at").orElse(0)),
                  name(object, "author"),
                  name(object, "command"),
                  change,
                  act));
    } catch (JsonSyntaxException e) {
      return Parsed.bad("no JSON");
    }
  }

  private static String name(JsonObject object, String member) {
    String text = object.text(member).orElse("");
    return text.length() > MAX_NAME ? text.substring(0, MAX_NAME) : text;
  }

  private static Optional<SharedChange> change(String subject, JsonObject object) {
    ListKind list = subject.startsWith("allow ") ? ListKind.ALLOW : ListKind.BLOCK;
    return object
        .text("entry")
        .flatMap(entry -> OperatorText.parse(list, entry).toOptional())
        .flatMap(line -> line)
        .map(line ->
            new SharedChange(
                line.entry(),
                name(object, "by"),
                Instant.ofEpochMilli(object.number("created").orElse(0)),
                object.isTrue("removed")))
        .filter(change -> change.isShared() && change.identity().equals(subject));
  }
}
