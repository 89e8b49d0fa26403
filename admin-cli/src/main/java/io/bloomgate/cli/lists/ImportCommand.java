package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.migration.Migration;
import io.bloomgate.blocklists.operator.migration.Migration.Kind;
import io.bloomgate.blocklists.operator.migration.Migration.Left;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.blocklists.operator.migration.Migration.Taken;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.LineFile;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.notation.TerminalText;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code import}: turns the lists of other mail software into operator entries. What has no
 * equivalent is named line by line; with {@code --dry-run} {@link ImportTrial} answers.
 */
@Command(
    description = {
      "Import lists of other mail software as allow and block entries.",
      "postfix: access, cidr and postscreen tables of clients, HELO names or senders; the"
          + " tables themselves say what is allowed and refused. rspamd, haraka, lines: --as"
          + " says to which list the entries are added. Try it with --dry-run first.",
      "Exit code 4: some lines have no equivalent here or are not taken; they are shown and"
          + " skipped."
    })
@Example("postfix /etc/postfix/client_access --kind client --dry-run")
public final class ImportCommand extends CliCommand implements ReadsFiles {

  /** Longest file, in lines; more is a feed, which `feeds` reads without operator entries. */
  private static final int MAX_LINES = 1_000_000;

  @Parameters(index = "0", paramLabel = "ORIGIN", description = "postfix, rspamd, haraka or lines")
  private Origin origin = Origin.LINES;

  @Parameters(index = "1", paramLabel = "FILE", description = "the file, or - for standard input")
  private String file = "";

  @Option(names = "--as", paramLabel = "LIST", description = "the list to add to: allow or block")
  private @Nullable ListKind as;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "what the file was compared with: client, helo or sender")
  private @Nullable String kind;

  @Option(
      names = "--dry-run",
      description = "say what the import would do, with the same exit code, and store nothing")
  private boolean dryRun;

  @Option(
      names = "--force",
      description =
          "also add entries that are very wide, contradict another entry or block mailbox"
              + " providers")
  private boolean force;

  @Override
  public Integer call() throws CliException {
    CliException.refuseIf(
        Migration.needsList(origin) && as == null,
        "such a file does not say whether it allows or refuses",
        "add --as allow or --as block");
    CliException.refuseIf(
        !Migration.needsList(origin) && as != null,
        "a Postfix table says itself what each line does",
        "leave --as out");
    Migration migration = read();
    Output out = in.output();
    migration.left().forEach(left -> show(left, out));
    migration.notes().forEach(note -> out.note(file + ": " + note));
    int partly = migration.left().isEmpty() ? ExitCode.OK : ExitCode.PARTLY;
    return dryRun
        ? new ImportTrial(in, file, force).run(migration, partly)
        : store(migration, out, partly);
  }

  private Migration read() throws CliException {
    List<String> lines = new ArrayList<>();
    try (BufferedReader text = LineFile.open(in, file)) {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        if (lines.size() == MAX_LINES) {
          throw CliException.usage(
              file + " has more than " + MAX_LINES + " lines",
              "name it as a feed in the settings instead");
        }
        lines.add(line);
      }
    } catch (IOException e) {
      throw LineFile.failure(file, e);
    }
    return Migration.of(new Migration.Request(origin, kind(), as, name()), lines);
  }

  /** The file without its folder, for the reasons of the entries. */
  private String name() {
    return file.equals("-") ? "" : file.substring(file.lastIndexOf('/') + 1);
  }

  private @Nullable Kind kind() throws CliException {
    if (kind == null) {
      return null;
    }
    return switch (kind) {
      case "client" -> Kind.CLIENT;
      case "helo" -> Kind.HELO;
      case "sender" -> Kind.SENDER;
      case "recipient" ->
          throw CliException.usage(
              "lists of recipients have no equivalent here, the mail server checks recipients",
              "import maps of clients, HELO names and senders only");
      default ->
          throw CliException.usage("there is no kind " + kind, "choose client, helo or sender");
    };
  }

  private int store(Migration migration, Output out, int partly) throws CliException {
    CliException.refuseIf(
        in.options().offline, "storing needs the gateway", "leave --offline out, or add --dry-run");
    try {
      ListSender sender = new ListSender(in::collect, file, force);
      int exitCode = partly;
      for (ListKind list : ListKind.values()) {
        // The blocks without the allow entries that belong to them would refuse too much.
        exitCode = send(sender, list, migration.of(list), exitCode, _ -> {});
      }
      sender.skip(migration.left().size());
      out.item(sender.total().build(), (total, o) -> ListSender.show(total, "", o));
      return exitCode;
    } catch (IOException e) {
      throw LineFile.failure(file, e);
    }
  }

  /**
   * Sends the entries for one list, as long as nothing failed.
   *
   * @param before the exit code so far
   * @param asked gets the entries that are sent next, by their lines
   */
  static int send(
      ListSender sender,
      ListKind list,
      List<Taken> entries,
      int before,
      Consumer<SortedMap<Integer, Taken>> asked)
      throws CliException, IOException {
    int exitCode = before;
    for (SortedMap<Integer, Taken> round : rounds(entries)) {
      if (exitCode == ExitCode.OK || exitCode == ExitCode.PARTLY) {
        asked.accept(round);
        exitCode = ListSender.worse(exitCode, sender.send(list, lines(round)));
      }
    }
    return exitCode;
  }

  /**
   * The entries for one list by the lines that they came from, so that messages name these. A line
   * may give several, as a range does: its second entry is in the second map, and so on.
   */
  private static List<SortedMap<Integer, Taken>> rounds(List<Taken> ofList) {
    List<SortedMap<Integer, Taken>> rounds = new ArrayList<>();
    for (Taken taken : ofList) {
      SortedMap<Integer, Taken> round =
          rounds.stream()
              .filter(sent -> !sent.containsKey(taken.line()))
              .findFirst()
              .orElseGet(() -> {
                rounds.add(new TreeMap<>());
                return rounds.getLast();
              });
      round.put(taken.line(), taken);
    }
    return rounds;
  }

  /** The lines to be sent. */
  private static ListSender.Lines lines(SortedMap<Integer, Taken> round) {
    Iterator<Integer> numbers = IntStream.rangeClosed(1, round.lastKey()).iterator();
    return () -> {
      if (!numbers.hasNext()) {
        return null;
      }
      Taken taken = round.get(numbers.next());
      return taken == null ? "" : text(taken);
    };
  }

  static String text(Taken taken) {
    return OperatorText.format(taken.entry()) + (taken.forced() ? " force=yes" : "");
  }

  private record Skipped(int line, String skipped, String text) {}

  private void show(Left left, Output out) {
    out.item(
        JsonRecords.of(new Skipped(left.line(), left.reason(), left.text())),
        (item, o) ->
            o.line(
                TerminalText.safe(
                    "%s:%d: skipped: %s: %s"
                        .formatted(file, left.line(), left.reason(), left.text().strip()))));
  }
}
