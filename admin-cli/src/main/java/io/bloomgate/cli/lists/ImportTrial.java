package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.EntryRules;
import io.bloomgate.blocklists.ImportPiece;
import io.bloomgate.blocklists.OfflineBlocklists;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorLists.Stored;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.migration.Migration;
import io.bloomgate.blocklists.operator.migration.Migration.Left;
import io.bloomgate.blocklists.operator.migration.Migration.Taken;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LineFile;
import io.bloomgate.cli.command.OfflineLists;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code import --dry-run}: says what the import would do and stores nothing. The gateway answers;
 * where none does, the same rules are asked with the files. One thread.
 */
final class ImportTrial {

  private static final String ADDED = "added";
  private static final String UNCHANGED = "unchanged";

  private final Invocation in;
  private final Output out;
  private final String file;
  private final boolean force;

  /** The outcome for each line that would be taken. */
  private final Map<Taken, String> changes = new HashMap<>();

  /** The lines that are asked about now. */
  private Map<Integer, Taken> asked = Map.of();

  ImportTrial(Invocation in, String file, boolean force) {
    this.in = in;
    this.out = in.output();
    this.file = file;
    this.force = force;
  }

  /**
   * Asks and prints.
   *
   * @param partly the exit code of what was left before
   */
  int run(Migration migration, int partly) throws CliException {
    return in.askOrRead(
        () -> run(migration, partly, in::collect), () -> offline(migration, partly));
  }

  private int offline(Migration migration, int partly) throws CliException {
    Optional<Settings> settings = in.settingsIfAny();
    if (settings.isPresent()) {
      return OfflineLists.with(in, settings.get(), lists -> run(migration, partly, of(lists)));
    }
    out.warn("warning: no settings here: your domains and the entries that are there are unknown");
    Instant now = now();
    return run(
        migration,
        partly,
        of(EntryRules.withoutSettings(now), entries -> OfflineBlocklists.inNewStore(entries, now)));
  }

  private Instant now() {
    return in.around().clock().instant();
  }

  private int run(Migration migration, int partly, ListSender.Taker taker) throws CliException {
    ListSender sender =
        new ListSender(
            (piece, answer) ->
                taker.take(
                    piece.onTrial(),
                    item -> {
                      answer.accept(item);
                      note(item);
                    }),
            file,
            force);
    try {
      int allowed =
          ImportCommand.send(
              sender, ListKind.ALLOW, migration.of(ListKind.ALLOW), ExitCode.OK, this::ask);
      int exitCode = sendBlocks(migration, sender, allowed);
      show(migration, sender);
      return ListSender.worse(partly, exitCode);
    } catch (IOException e) {
      throw LineFile.failure(file, e);
    }
  }

  private void ask(Map<Integer, Taken> round) {
    asked = round;
  }

  /** The gateway does not know the allow entries that this import would add before the blocks. */
  private int sendBlocks(Migration migration, ListSender sender, int before)
      throws CliException, IOException {
    if (before != ExitCode.OK && before != ExitCode.PARTLY) {
      return before;
    }
    Set<Integer> inside = new HashSet<>();
    for (Left left :
        migration.insideNewAllows(allow -> ADDED.equals(changes.get(allow)), force, now())) {
      out.note(file + ":" + left.line() + ": " + left.reason());
      inside.add(left.line());
    }
    sender.skip(inside.size());
    List<Taken> others =
        migration.of(ListKind.BLOCK).stream()
            .filter(block -> !inside.contains(block.line()))
            .toList();
    int now = inside.isEmpty() ? before : ListSender.worse(before, ExitCode.PARTLY);
    return ImportCommand.send(sender, ListKind.BLOCK, others, now, this::ask);
  }

  private void note(JsonObject answer) {
    Map<String, JsonValue> lines = answer.object("lines").map(JsonObject::members).orElse(Map.of());
    lines.forEach((line, change) -> {
      Taken taken = asked.get(Integer.valueOf(line));
      if (taken != null && change instanceof JsonString(String word)) {
        changes.put(taken, word);
      }
    });
  }

  private ListSender.Taker of(OfflineBlocklists lists) {
    lists.problems().forEach(problem -> out.warn("warning: " + problem));
    return of(lists.entryRules(), lists::tryPiece);
  }

  /** Says what the outcome of storing entries would be. */
  @FunctionalInterface
  private interface Store {
    List<Stored> tryPiece(List<NewEntry> entries) throws OperatorListsException;
  }

  private ListSender.Taker of(EntryRules rules, Store store) {
    return (request, answer) -> {
      ImportPiece piece =
          ImportPiece.read(
              request.list(), file, request.firstLine(), request.lines(), request.force(), rules);
      piece.notes().forEach(out::note);
      try {
        answer.accept(piece.lines(store.tryPiece(piece.entries())).build());
      } catch (OperatorListsException e) {
        throw CliException.no(e.userMessage(), e.hint(), e);
      }
      return piece.isPartial() ? ExitCode.PARTLY : ExitCode.OK;
    };
  }

  private void show(Migration migration, ListSender sender) {
    int shown = 0;
    int more = 0;
    List<Taken> inOrder = new ArrayList<>(migration.of(ListKind.ALLOW));
    inOrder.addAll(migration.of(ListKind.BLOCK));
    for (Taken taken : inOrder) {
      String change = changes.get(taken);
      if (change == null || (out.human() && change.equals(UNCHANGED))) {
        continue;
      }
      if (out.human() && shown == ListSender.MAX_SHOWN) {
        more++;
      } else {
        shown++;
        out.item(
            JsonRecords.of(
                new Tried(taken.line(), taken.entry().list(), ImportCommand.text(taken), change)),
            (_, o) -> EntryText.change(entry(taken, change), o));
      }
    }
    if (more > 0) {
      out.line("and " + Quantities.grouped(more) + " more; -o json shows all");
    }
    sender.skip(migration.left().size());
    out.item(
        sender.total().put("taken", changes.size()).build(),
        (total, o) -> ListSender.show(total, "; nothing was stored", o));
  }

  private record Tried(int line, ListKind list, String entry, String change) {}

  /** The entry as {@code add} shows it. */
  private static JsonObject entry(Taken taken, String change) {
    return JsonValue.object()
        .put("change", "would be " + change)
        .put("list", taken.entry().list().key())
        .put("subject", taken.entry().subject().toString())
        .put(
            "scope",
            JsonValue.ofStrings(taken.entry().scope().stream().sorted().map(Check::key).toList()))
        .build();
  }
}
