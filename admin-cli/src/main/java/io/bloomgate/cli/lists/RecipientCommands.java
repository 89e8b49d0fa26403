package io.bloomgate.cli.lists;

import io.bloomgate.blocklists.operator.RecipientEntry;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.LineFile;
import io.bloomgate.cli.command.PointInTime;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.command.Template;
import io.bloomgate.config.control.ControlRequest.RecipientCheck;
import io.bloomgate.config.control.ControlRequest.RecipientList;
import io.bloomgate.config.control.ControlRequest.RecipientRemove;
import io.bloomgate.config.control.ControlRequest.RecipientSet;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate recipient}: gives recipients a profile of the settings, durable and at once. */
@Command(
    addMethodSubcommands = false,
    description = {
      "Show and change which recipients have which profile of the settings.",
      "An entry counts more than the line of the settings for the same recipient."
    })
@Example("set sales@example.com off --expires 7d")
public final class RecipientCommands extends Group {

  /** The group with its commands. */
  public static Subcommands tree() {
    return new Subcommands(new RecipientCommands())
        .add("set", "list", "remove", "check")
        .add("import", Import::new)
        .add("export");
  }

  @Command(
      description = {
        "Give a recipient a profile; it counts for each RCPT behind the answer.",
        "An entry with the same profile keeps its expiry and reason unless new ones are given."
      })
  @Example({"sales@example.com off --expires 7d --reason holidays", ".students.example.com strict"})
  int set(
      @Parameters(
              index = "0",
              paramLabel = "RECIPIENT",
              description = {
                "an address, info@ (at each own domain), a domain,",
                "or .DOMAIN for it and all below it"
              })
          String subject,
      @Parameters(
              index = "1",
              paramLabel = "PROFILE",
              description = "the name of a profile of the settings; built in: off, exempt, default")
          String profile,
      @Option(
              names = "--expires",
              paramLabel = "TIME",
              description = {
                "when it ends: 7d, 2026-12-01, 2026-12-01T12:00:00Z",
                "or never (the default of a new entry)"
              })
          @Nullable String expires,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              description = "the reason, for other administrators")
          @Nullable String reason)
      throws CliException {
    String toEndIt = "to end it now use: bloomgate recipient remove " + subject;
    Instant end = PointInTime.end(expires, in.around().clock().instant(), toEndIt);
    String until = end == null ? Objects.requireNonNullElse(expires, "") : end.toString();
    return in.ask(
        new RecipientSet(
            "",
            1,
            List.of(
                RecipientEntry.line(
                    subject, profile, until, Objects.requireNonNullElse(reason, "")))),
        EntryText::change);
  }

  @Command(description = "Show all entries, and the lines of the settings behind them.")
  @Example("")
  int list() throws CliException {
    Instant now = in.around().clock().instant();
    return in.table(
        new RecipientList(),
        "ID|RECIPIENT|PROFILE|EXPIRES|AUTHOR|REASON",
        entry -> cells(entry, now),
        "no entries");
  }

  private static List<String> cells(JsonObject entry, Instant now) {
    String profile = entry.isTrue("in_settings") ? "{profile}" : "{profile} (not in the settings)";
    String end = entry.isTrue("expired") ? "expired" : "{@expires}";
    return Template.cells(
        "{id}|{subject}|" + profile + "|" + end + "|{author}|{reason}", entry, now);
  }

  @Command(description = "Remove entries, by recipient or id.")
  @Example("sales@example.com")
  int remove(
      @Parameters(
              paramLabel = "RECIPIENT",
              arity = "1..*",
              description = "recipients or ids as listed")
          List<String> subjects)
      throws CliException {
    return in.ask(new RecipientRemove(subjects), EntryText::change);
  }

  @Command(description = "Show the profile of an address, and why; exit code 1 when it has none.")
  @Example("sales@example.com")
  int check(
      @Parameters(paramLabel = "ADDRESS", description = "an address at one of your domains")
          String recipient)
      throws CliException {
    return in.ask(
        new RecipientCheck(recipient),
        (answer, out) -> out.line("{recipient} has profile {why}", answer));
  }

  @Command(description = "Print the entries in the form that import reads.")
  @Example("> recipients.list")
  int export() throws CliException {
    return in.ask(new RecipientList(), (entry, out) -> entry.text("text").ifPresent(out::verbatim));
  }

  /** {@code recipient import}: reads the file as the caller and sends it in pieces. */
  @Command(
      description = {
        "Set the entries of a file, each line RECIPIENT PROFILE [expires=TIME] # reason.",
        "Exit code 4: some lines could not be taken; they are shown and skipped."
      })
  @Example("recipients.list")
  static final class Import extends CliCommand {

    /** Lines of one request, which is one transaction. */
    private static final int MAX_LINES = 100;

    @Parameters(paramLabel = "FILE", description = "the file, or - for standard input")
    private String file = "";

    @Override
    public Integer call() throws CliException {
      try (BufferedReader lines = LineFile.open(in, file)) {
        return ListSender.send(
            lines::readLine,
            MAX_LINES,
            (piece, number) -> in.ask(new RecipientSet(file, number, piece), EntryText::change));
      } catch (IOException e) {
        throw LineFile.failure(file, e);
      }
    }
  }
}
