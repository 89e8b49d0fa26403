package io.bloomgate.cli;

import io.bloomgate.blocklists.explain.CarriedText;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.NewFile;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ReportForm;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code report}: the gateway makes it; it is printed, saved or sent by mail. */
@Command(
    description = {
      "Report on a day: refusals, accepted senders that are listed, feeds in trouble.",
      "It also says how long the certificate is valid and how much room the disk has."
          + " With the settings `report.to` and `report.at` it is sent by mail each day. It"
          + " needs the running gateway.",
      "Refused, by list: a session counts once, for the list that decided; sessions that it only"
          + " tagged or observed do not count.",
      "The verdict counts, not the reply: a 451 that mode soft gave in place of a 554 is refused,"
          + " not put off."
    },
    addMethodSubcommands = false)
@Example("--since 7d --html report.html")
final class ReportCommand extends Group {

  private static final Path STDOUT = Path.of("-");

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {"sessions since 7d, 2026-12-01 or", "2026-12-01T12:00:00Z (default: 24h)"})
  private String since = "24h";

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "write one HTML file with a chart that needs no other file; - is stdout")
  private @Nullable Path html;

  @Option(
      names = "--mail-to",
      paramLabel = "ADDRESS",
      description = "send the report now through the mail server, as text and HTML")
  private @Nullable String mailTo;

  /** The command with those below it. */
  static Subcommands tree() {
    return new Subcommands(new ReportCommand()).add("spam", "good");
  }

  /** The mail that a report is about. */
  static final class Reported {
    @Parameters(
        paramLabel = "MAIL",
        completionCandidates = LiveWords.RefusalsOrFiles.class,
        description =
            "FILE.eml, - for a mail on standard input, or the ID of a session, of whose content"
                + " only what was kept is reported")
    private String mail = "";
  }

  @Command(
      description = {
        "Say that a mail is spam, so that the gateway remembers what it carries.",
        "The gateway gets no octet of the mail, only what lists are asked for: URLs, addresses and"
            + " fingerprints. The audit names who reported it."
      })
  @Example("spam.eml")
  int spam(@Mixin Reported reported) throws CliException {
    return tell(false, reported.mail);
  }

  @Command(
      description = {
        "Say that a mail is good, so that the gateway forgets what it carries.",
        "Nothing of it is remembered again for 90 days."
      })
  @Example("7K3Q9ZT2AB")
  int good(@Mixin Reported reported) throws CliException {
    return tell(true, reported.mail);
  }

  private int tell(boolean good, String mail) throws CliException {
    boolean isFile = mail.equals(ScannedMail.STANDARD_INPUT) || Files.exists(Path.of(mail));
    if (!isFile && IncidentId.canonical(mail).isPresent()) {
      return in.ask(
          new ControlRequest.SpamReport(good, mail, List.of()), ReportCommand::showReported);
    }
    CliException.refuseIf(
        !isFile,
        TerminalText.safe(mail) + " is no file, and no id of a session",
        "name FILE.eml, - for a mail on standard input, or an id as `bloomgate sessions list`"
            + " shows it");
    ScannedMail read = ExplainMail.sendable(ScannedMail.read(in, mail, true));
    read.skipped().forEach(what -> in.output().note("not reported: " + what));
    if (read.keys().isEmpty()) {
      throw CliException.no(
          "the mail carries nothing that can be remembered", "report another one");
    }
    return in.ask(
        new ControlRequest.SpamReport(
            good, read.id().orElse(null), read.keys().stream().map(CarriedText::of).toList()),
        ReportCommand::showReported);
  }

  private static void showReported(JsonObject item, Output out) {
    String mail = item.text("id").orElse("").isEmpty() ? "mail" : "mail {id}";
    String done = item.isTrue("good") ? "forgotten" : "remembered";
    out.line(mail + ": {keys} of {of} keys " + done, item);
  }

  @Override
  public Integer call() throws CliException {
    CliException.onlyOne("--html and --mail-to", html != null, mailTo != null);
    Instant begin = in.since(since);
    if (mailTo != null) {
      return in.ask(
          request(begin, ReportForm.DATA, mailTo),
          (item, out) -> out.line("sent to {mailed_to}; the mail server: {reply}", item));
    }
    if (html != null) {
      return save(begin, html);
    }
    ReportForm form = in.output().human() ? ReportForm.TEXT : ReportForm.DATA;
    return in.ask(
        request(begin, form, null),
        (item, out) ->
            item.text("text").orElse("").lines().map(TerminalText::safe).forEach(out::line));
  }

  private ControlRequest request(Instant begin, ReportForm form, @Nullable String to) {
    int columns = form == ReportForm.TEXT ? in.output().columns() : 0;
    return new ControlRequest.Report(begin, form, to, in.options().zoneAsked(), columns);
  }

  private int save(Instant begin, Path file) throws CliException {
    List<String> pages = new ArrayList<>();
    int exitCode =
        in.collect(
            request(begin, ReportForm.HTML, null), item -> item.text("html").ifPresent(pages::add));
    Output out = in.output();
    for (String page : pages) {
      if (file.equals(STDOUT)) {
        page.lines().map(TerminalText::safe).forEach(out::verbatim);
      } else {
        NewFile.overwrite(file, page);
        out.item(
            JsonValue.object().put("written", file.toString()).build(),
            (item, o) -> o.line(TerminalText.safe("written to " + file)));
      }
    }
    return exitCode;
  }
}
