package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.LineFile;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.PointInTime;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListEdit;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.notation.Moments;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate allow} and {@code block}: the operator's own lists, durable and at once. */
@Command(addMethodSubcommands = false)
public final class ListCommands extends Group {

  private final ListKind list;

  private ListCommands(ListKind list) {
    this.list = list;
  }

  /** The group {@code allow} with its commands. */
  public static Subcommands allow() {
    return new ListCommands(ListKind.ALLOW)
        .tree(
            "Show and change your own allow list: what feeds must not refuse.",
            "add 203.0.113.7 --expires 7d");
  }

  /** The group {@code block} with its commands. */
  public static Subcommands block() {
    return new ListCommands(ListKind.BLOCK)
        .tree(
            "Show and change your own block list: what is refused even if no feed lists it.",
            "add spam.example --reason \"phishing\"");
  }

  private Subcommands tree(String description, String example) {
    return new Subcommands(this)
        .describe(description, example)
        .add("add", () -> new ListAddCommand(list))
        .add("list", "remove", "edit", "check")
        .add("import", () -> new Import(list))
        .add("export");
  }

  /** The options that choose entries of a list. */
  static final class Part {
    @Option(
        names = "--match",
        paramLabel = "TEXT",
        description = "only entries with this text in subject or reason; * means any text")
    private String match = "";

    @Option(names = "--limit", paramLabel = "N", description = "at most N entries")
    private long limit = Long.MAX_VALUE;

    @Option(
        names = "--unused",
        paramLabel = "TIME",
        description = "only entries that lifted and refused nothing for that time: 90d")
    private @Nullable String unused;

    ControlRequest of(ListKind list) throws CliException {
      CliException.refuseIf(limit < 1, "--limit is below 1", "give a number of entries");
      return new ControlRequest.ListShow(list, match, limit, PointInTime.span("--unused", unused));
    }
  }

  @Command(description = "Show all entries of the list, those of list files too.")
  @Example("--match shop.example --limit 20")
  int list(@Mixin Part part) throws CliException {
    return EntryText.ask(in, part.of(list), part.unused != null, "no entries");
  }

  @Command(description = "Remove entries, by subject or id.")
  @Example({"203.0.113.7", "--url https://docs.example/form/1"})
  int remove(@Mixin EntryOptions named) throws CliException {
    return named.send(in, list, names -> new ControlRequest.ListRemove(list, names));
  }

  @Command(description = "Change reason or end of entries, by subject or id.")
  @Example({
    "203.0.113.7 --expires 2026-12-01 --reason \"ticket 4711\"",
    "--url https://docs.example/form/1 --expires never"
  })
  int edit(
      @Mixin EntryOptions named,
      @Option(
              names = "--expires",
              paramLabel = "TIME",
              description = {"when it ends: 7d, 2026-12-01, 2026-12-01T12:00:00Z", "or never"})
          @Nullable String expires,
      @Option(
              names = "--unused",
              paramLabel = "TIME",
              description = {
                "it ends when it was of no use for that time: 45d;",
                "each use puts the end off, which --expires ends"
              })
          @Nullable String unused,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              description = "the reason, for other administrators")
          @Nullable String reason)
      throws CliException {
    CliException.refuseIf(
        expires == null && unused == null && reason == null,
        "nothing to change",
        "give --expires TIME, --unused TIME or --reason TEXT");
    CliException.onlyOne("--unused and --expires", expires != null, unused != null);
    boolean never = Moments.NEVER.equals(expires);
    String toEndIt = "to end it now use: bloomgate " + list.key() + " remove " + named.typed();
    Instant end = PointInTime.end(expires, in.around().clock().instant(), toEndIt);
    Duration after = PointInTime.span("--unused", unused);
    return named.send(in, list, names -> new ListEdit(list, names, reason, end, never, after));
  }

  @Command(description = "Show the entries that match a subject; exit code 1 when there is none.")
  @Example({"mail.partner.example", "--url https://docs.example/form/1"})
  int check(
      @Parameters(
              paramLabel = "SUBJECT",
              arity = "0..1",
              completionCandidates = LiveWords.Entries.class,
              description = "IP, CIDR, domain, address or URL")
          @Nullable String subject,
      @Mixin EntryOptions.Carried carried)
      throws CliException {
    List<TypedSubject> things = carried.read();
    CliException.refuseIf(
        things.size() + (subject == null ? 0 : 1) != 1,
        "not one subject",
        "name one IP, CIDR, domain or address, or one --url");
    return subject == null
        ? EntryText.askAbout(in, list, things.getFirst())
        : EntryText.ask(
            in, new ControlRequest.ListCheck(list, subject, null), false, "no entry matches it");
  }

  @Command(description = "Print the list in the form that import reads.")
  @Example("> entries.list")
  int export(@Mixin Part part) throws CliException {
    return in.ask(part.of(list), (entry, out) -> out.verbatim(HumanText.value(entry, "text")));
  }

  /** {@code allow import} and {@code block import}: reads the file as the caller and sends it. */
  @Command(
      description = {
        "Add the entries of a file, one entry for each line; # begins a reason.",
        "Exit code 4: some lines could not be added; they are shown and skipped."
      })
  @Example("entries.list")
  static final class Import extends CliCommand implements ReadsFiles {

    /** Lines after which progress is shown. */
    private static final int PROGRESS_LINES = 20_000;

    private final ListKind list;

    @Parameters(paramLabel = "FILE", description = "the file, or - for standard input")
    private String file = "";

    @Option(
        names = "--force",
        description =
            "also add entries that are very wide, contradict another entry or block mailbox"
                + " providers")
    private boolean force;

    Import(ListKind list) {
      this.list = list;
    }

    @Override
    public Integer call() throws CliException {
      CliException.refuseIf(
          in.options().offline, "this command needs the gateway", "leave --offline out");
      Output out = in.output();
      try (BufferedReader lines = LineFile.open(in, file)) {
        ListSender sender =
            new ListSender((piece, answer) -> take(piece, answer, out), file, force);
        int exitCode = sender.send(list, lines::readLine);
        out.item(sender.total().build(), (total, o) -> ListSender.show(total, "", o));
        return exitCode;
      } catch (IOException e) {
        throw LineFile.failure(file, e);
      }
    }

    /**
     * Sends a piece on a separate connection: the gateway ends one that is silent while lines are
     * awaited.
     */
    private int take(ListImport piece, Consumer<JsonObject> answer, Output out)
        throws CliException {
      int exitCode = in.collect(piece, answer);
      int lines = piece.firstLine() - 1 + piece.lines().size();
      if (lines / PROGRESS_LINES > (piece.firstLine() - 1) / PROGRESS_LINES) {
        out.progress(lines + " lines", JsonValue.object().put("lines", lines).build());
      }
      return exitCode;
    }
  }
}
