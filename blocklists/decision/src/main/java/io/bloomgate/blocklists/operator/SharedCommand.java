package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A command about one thing that nodes of a fleet share: an entry, or an act such as a mode. As
 * text it is one JSON object with these members, the value of a field of Redis. Immutable; made by
 * {@link SharedEntries}.
 *
 * @param node where the command was given
 * @param at when, by the clock of that node in milliseconds since 1970; tells equal commands apart
 * @param author who gave it
 * @param command as {@code allow add}
 * @param entry as a line of a list file; of a removed one only the subject and its conditions
 *     count; {@code null} for an act
 * @param by author of the entry
 * @param created time of the entry, in milliseconds since 1970
 * @param kind of an act; {@code null} for an entry
 * @param value of an act
 */
public record SharedCommand(
    String node,
    long at,
    @Rare String author,
    @Rare String command,
    @Rare @Nullable String entry,
    @Rare String by,
    @Rare long created,
    @Rare boolean removed,
    @Rare @Nullable String kind,
    @Rare String value) {

  /**
   * Something else than an entry that was done and that all nodes do.
   *
   * @param about what it is about, as {@code mode}: of two acts about one thing the newer one
   *     counts
   * @param kind as {@code mode}
   * @param value words of that kind
   */
  public record Act(String about, String kind, String value) {}

  /**
   * An entry of any kind as nodes of a fleet share it. Made by {@link StoreWriter} of what a
   * command changed. Immutable.
   *
   * @param identity equal for what is one entry on all nodes; its first word is the kind
   * @param line as an export has it
   */
  record Thing(String identity, String line, String author, Instant created) {

    /** Empty for a likeness: its value depends on the secret of one node. */
    static Optional<Thing> of(OperatorEntry entry) {
      return entry.subject() instanceof Likeness
          ? Optional.empty()
          : Optional.of(
              new Thing(
                  entry.content().identity(),
                  OperatorText.format(entry),
                  entry.author(),
                  entry.created()));
    }

    static List<Thing> of(List<OperatorEntry> entries) {
      return entries.stream().flatMap(entry -> of(entry).stream()).toList();
    }

    static Thing of(RecipientEntry entry) {
      return new Thing(entry.identity(), entry.text(), entry.author(), entry.created());
    }
  }

  /** The command of an entry whose end was put off because it was of use; no audit has it. */
  static final String USED = "used";

  /** Longest text of a command, in characters: what the breaker holds back may be many entries. */
  static final int MAX_CHARACTERS = 80 << 10;

  /** A command that left the entry as it is now, or that took it away. */
  static SharedCommand of(String node, Instant at, Origin origin, Thing entry, boolean removed) {
    return new SharedCommand(
        node,
        at.toEpochMilli(),
        origin.author(),
        origin.command(),
        entry.line(),
        entry.author(),
        entry.created().toEpochMilli(),
        removed,
        null,
        "");
  }

  static SharedCommand of(String node, Instant at, String author, Act act) {
    return new SharedCommand(
        node, at.toEpochMilli(), author, act.kind(), null, "", 0, false, act.kind(), act.value());
  }

  /** Names who gave the command, and where: {@code alice@mx1}. */
  public String who() {
    return author + "@" + node;
  }

  /** Returns the act about this; empty for an entry. */
  public Optional<Act> act(String about) {
    return Optional.ofNullable(kind).map(what -> new Act(about, what, value));
  }

  /** Returns the entry that it is about, without an id; empty for an act, and for another entry. */
  Optional<OperatorEntry> entryOf(String subject) {
    return Arrays.stream(ListKind.values())
        .filter(list -> subject.startsWith(list.key() + " "))
        .findFirst()
        .flatMap(list ->
            Optional.ofNullable(entry)
                .flatMap(line -> OperatorText.parse(list, line).toOptional())
                .flatMap(line -> line))
        .map(OperatorText.Line::entry)
        .map(read -> read.entry("", by, Instant.ofEpochMilli(created)))
        .filter(
            read -> Thing.of(read).filter(thing -> thing.identity().equals(subject)).isPresent());
  }

  /** The same of an entry about a recipient. */
  Optional<RecipientEntry> recipientOf(String subject) {
    return Optional.ofNullable(entry)
        .filter(line -> subject.startsWith(RecipientEntry.KIND))
        .flatMap(line -> RecipientEntry.parse(line).toOptional())
        .flatMap(line -> line)
        .map(wish -> wish.over(null, by, Instant.ofEpochMilli(created)))
        .filter(read -> read.identity().equals(subject));
  }

  /** One line. */
  String text() {
    return JsonRecords.text(this);
  }

  /**
   * Reads a text; the reason says what is wrong and holds nothing of the text.
   *
   * @param subject what it is about, as {@link NewEntry#identity} or {@link Act#about}
   */
  static Parsed<SharedCommand> parse(String subject, String text) {
    if (text.length() > MAX_CHARACTERS || subject.length() > MAX_CHARACTERS) {
      return Parsed.bad("longer than " + MAX_CHARACTERS + " characters");
    }
    try {
      SharedCommand read = JsonRecords.read(SharedCommand.class, text);
      boolean isEntry = read.entryOf(subject).isPresent() || read.recipientOf(subject).isPresent();
      return read.node.isEmpty() || isEntry != (read.kind == null)
          ? Parsed.bad(
              "no node, or no entry or act of this name; another release may have written it")
          : Parsed.ok(read);
    } catch (JsonSyntaxException e) {
      return Parsed.bad("no JSON object of a command");
    }
  }
}
