package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonSyntaxException;
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

  /**
   * The form in Redis.
   *
   * @param at in milliseconds since 1970, as the next time
   * @param entry as a line of a list file; missing for an act
   * @param by author of the entry
   * @param kind of an act; missing for an entry
   */
  private record Form(
      @Rare String node,
      long at,
      @Rare String author,
      @Rare String command,
      @Rare @Nullable String entry,
      @Rare String by,
      @Rare long created,
      @Rare boolean removed,
      @Rare @Nullable String kind,
      @Rare String value) {}

  /** One line. */
  String text() {
    long millis = at.toEpochMilli();
    return JsonRecords.text(
        change == null
            ? new Form(
                node,
                millis,
                author,
                command,
                null,
                "",
                0,
                false,
                act == null ? null : act.kind(),
                act == null ? "" : act.value())
            : new Form(
                node,
                millis,
                author,
                command,
                OperatorText.format(change.entry()),
                change.author(),
                change.created().toEpochMilli(),
                change.removed(),
                null,
                ""));
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
      Form form = JsonRecords.read(Form.class, text);
      SharedChange change = change(subject, form).orElse(null);
      Act act = form.kind() == null ? null : new Act(subject, name(form.kind()), form.value());
      return form.node().isEmpty() || (change == null) == (act == null)
          ? Parsed.bad("no node, or no entry or act of this name")
          : Parsed.ok(
              new SharedCommand(
                  name(form.node()),
                  Instant.ofEpochMilli(form.at()),
                  name(form.author()),
                  name(form.command()),
                  change,
                  act));
    } catch (JsonSyntaxException e) {
      return Parsed.bad("no JSON object of a command");
    }
  }

  private static String name(String text) {
    return text.length() > MAX_NAME ? text.substring(0, MAX_NAME) : text;
  }

  private static Optional<SharedChange> change(String subject, Form form) {
    ListKind list = subject.startsWith("allow ") ? ListKind.ALLOW : ListKind.BLOCK;
    return Optional.ofNullable(form.entry())
        .flatMap(entry -> OperatorText.parse(list, entry).toOptional())
        .flatMap(line -> line)
        .map(line ->
            new SharedChange(
                line.entry(),
                name(form.by()),
                Instant.ofEpochMilli(form.created()),
                form.removed()))
        .filter(change -> change.isShared() && change.identity().equals(subject));
  }
}
