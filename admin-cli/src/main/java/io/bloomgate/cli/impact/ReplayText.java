package io.bloomgate.cli.impact;

import io.bloomgate.blocklists.impact.ImpactReport;
import io.bloomgate.blocklists.replay.LogFormat;
import io.bloomgate.blocklists.replay.LogReplay;
import io.bloomgate.blocklists.replay.LogReplay.FileSummary;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Prints what {@code replay} adds to the impact: the logs, and what they do not hold. Pure. */
final class ReplayText {

  private ReplayText() {}

  static JsonObject json(ImpactReport report, LogReplay replay, LogPaths paths) {
    return JsonValue.object()
        .putAll(report.toJson())
        .put("not_joined", replay.givenUp())
        .put("own_mail", replay.withoutClient())
        .put("of_future", replay.ofFuture())
        .put("too_old", replay.tooOld())
        .put("problem", problem(report, replay))
        .put(
            "files", new JsonArray(replay.files().stream().map(file -> json(file, paths)).toList()))
        .build();
  }

  private static JsonValue json(FileSummary file, LogPaths paths) {
    LogFormat format = file.format();
    return JsonValue.object()
        .put("file", paths.name(file.path()))
        .put("format", format == null ? null : format.key())
        .put("lines", file.lines())
        .put("understood", file.understood())
        .put("not_understood", file.lines() - file.understood())
        .put("not_understood_lines", JsonValue.ofStrings(file.notUnderstood()))
        .put("problem", file.problem())
        .build();
  }

  /**
   * The reason why the logs show nothing of any list; empty when they hold mail that could be
   * judged.
   */
  static String problem(ImpactReport report, LogReplay replay) {
    if (report.sessions() > 0) {
      return "";
    }
    return replay.mails() == 0
        ? "no mail was understood in these logs"
        : "none of the "
            + number(replay.mails())
            + " mails in these logs can be judged: they are left out";
  }

  /** The answer where there is nothing to judge: it is not that nothing would be refused. */
  static void nothing(String problem, LogReplay replay, LogPaths paths, Output out) {
    out.line(out.palette().bad(problem) + ": nothing can be said about any list");
    for (FileSummary file : replay.files()) {
      if (!file.notUnderstood().isEmpty()) {
        out.line("not understood in " + paths.name(file.path()) + ":");
        file.notUnderstood().forEach(line -> out.line("  " + TerminalText.safe(line)));
      }
    }
  }

  static void files(LogReplay replay, LogPaths paths, Output out) {
    TextTable table =
        new TextTable(
            List.of("LOG", "FORMAT", "LINES", "UNDERSTOOD", "NOT UNDERSTOOD", "PROBLEM"),
            Set.of(2, 3, 4));
    for (FileSummary file : replay.files()) {
      LogFormat format = file.format();
      table.row(
          List.of(
              paths.name(file.path()),
              format == null ? "-" : format.key(),
              Long.toString(file.lines()),
              Long.toString(file.understood()),
              Long.toString(file.lines() - file.understood()),
              file.problem()));
    }
    table.print(out);
  }

  static void notes(LogReplay replay, Output out) {
    Set<LogFormat> formats = EnumSet.noneOf(LogFormat.class);
    for (FileSummary file : replay.files()) {
      if (file.format() != null) {
        formats.add(file.format());
      }
    }
    for (LogFormat format : formats) {
      out.note("a log of " + format.key() + " does not contain: " + format.missing());
    }
    if (replay.withoutClient() > 0) {
      out.note(
          number(replay.withoutClient())
              + " mails are left out: of users of the server, of the server itself, or without a"
              + " client's address");
    }
    if (replay.givenUp() > 0) {
      out.note(
          number(replay.givenUp())
              + " mails are left out: their lines are too far apart, or their end is missing");
    }
    if (replay.ofFuture() > 0) {
      out.note(number(replay.ofFuture()) + " mails are left out: their time is in the future");
    }
    if (replay.tooOld() > 0) {
      out.note(number(replay.tooOld()) + " mails are left out: they came before --since");
    }
    out.note("DNS lists were not asked; every recipient counted as one of ours");
  }

  private static String number(long number) {
    return HumanText.grouped(Long.toString(number));
  }
}
