package io.bloomgate.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ReportForm;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --since 7d --html report.html"})
final class ReportCommand implements Callable<Integer> {

  private static final Path STDOUT = Path.of("-");

  private final Invocation in;

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

  ReportCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    if (html != null && mailTo != null) {
      throw new CliException(
          ExitCode.USAGE, "--html and --mail-to exclude each other", "give one of them");
    }
    Instant begin = in.past("--since", since);
    if (!begin.isBefore(in.output().now())) {
      throw new CliException(
          ExitCode.USAGE, "--since " + since + " is not in the past", "write for example 7d");
    }
    if (mailTo != null) {
      return in.ask(
          new ControlRequest.Report(begin, ReportForm.DATA, mailTo), ReportCommand::showMailed);
    }
    if (html != null) {
      return save(begin, html);
    }
    ReportForm form = in.output().human() ? ReportForm.TEXT : ReportForm.DATA;
    return in.ask(
        new ControlRequest.Report(begin, form, null),
        (item, out) ->
            item.text("text").orElse("").lines().map(TerminalText::safe).forEach(out::line));
  }

  private static void showMailed(JsonObject item, Output out) {
    out.line(
        TerminalText.safe(
            "sent to "
                + item.text("mailed_to").orElse("")
                + "; the mail server: "
                + item.text("reply").orElse("")));
  }

  private int save(Instant begin, Path file) throws CliException {
    List<String> pages = new ArrayList<>();
    int exitCode =
        in.collect(
            new ControlRequest.Report(begin, ReportForm.HTML, null),
            item -> item.text("html").ifPresent(pages::add));
    Output out = in.output();
    for (String page : pages) {
      if (file.equals(STDOUT)) {
        page.lines().map(TerminalText::safe).forEach(out::verbatim);
      } else {
        write(file, page);
        out.item(
            JsonValue.object().put("written", file.toString()).build(),
            (item, o) -> o.line(TerminalText.safe("written to " + file)));
      }
    }
    return exitCode;
  }

  private static void write(Path file, String page) throws CliException {
    try {
      Files.writeString(file, page, UTF_8);
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO,
          file + " cannot be written: " + Faults.words(e),
          "name a file in a folder of yours",
          e);
    }
  }
}
