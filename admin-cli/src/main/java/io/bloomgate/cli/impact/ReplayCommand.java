package io.bloomgate.cli.impact;

import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.impact.Candidate;
import io.bloomgate.blocklists.impact.CandidateLists;
import io.bloomgate.blocklists.impact.Change;
import io.bloomgate.blocklists.impact.Impact;
import io.bloomgate.blocklists.impact.ImpactReport;
import io.bloomgate.blocklists.replay.LogFormat;
import io.bloomgate.blocklists.replay.LogReplay;
import io.bloomgate.blocklists.replay.LogReplay.FileSummary;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.OfflineLists;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.catalogue.Catalogue;
import io.bloomgate.config.catalogue.CatalogueEntry;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate replay}: reads logs of mail servers as its caller and decides on what they hold.
 * Needs neither gateway nor settings; every recipient counts as ours.
 */
@Command(
    description = {
      "Say what lists would have refused of the mail in a log of a mail server.",
      "It reads logs of Postfix, rspamd, Haraka and Exim; for sessions of Bloomgate"
          + " itself use `impact`. Without --feeds it asks the lists of the settings, as they"
          + " are loaded now.",
      "What containers, the journal and syslog servers write before a line, or around it as"
          + " JSON, is skipped.",
      "Exit code 0: no sender whose mail was accepted in these logs is refused, 4: some are, a log"
          + " could not be read to its end, or no mail of the logs was understood."
    })
@Example("/var/log/mail.log* --feeds catalogue")
public final class ReplayCommand extends CliCommand {

  private static final String CATALOGUE = "catalogue";

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "logs, plain or gzip, in any order; - is standard input")
  private List<Path> logs = new ArrayList<>();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {"30d, 2026-12-01 or 2026-12-01T12:00:00Z", "(default: 30d)"})
  private String since = "30d";

  @Option(
      names = "--feeds",
      paramLabel = "FILE|URL",
      description = {
        "a list to ask; may be given several times;",
        "catalogue: the lists that `bloomgate init` enables, fetched now"
      })
  private List<String> feeds = new ArrayList<>();

  @Override
  public Integer call() throws CliException {
    try (LogPaths files = LogPaths.of(in, logs)) {
      files.warnings().forEach(warning -> in.output().warn("warning: " + warning));
      return call(files);
    }
  }

  private int call(LogPaths files) throws CliException {
    Instant from = in.past("--since", since);
    Optional<Settings> settings = in.settingsIfAny();
    if (!feeds.isEmpty()) {
      return ofFeeds(settings, files, from);
    }
    CliException.refuseIf(
        settings.isEmpty(),
        "there are no lists: " + in.options().configFile() + " is not there or not valid",
        "give --feeds FILE or --feeds catalogue");
    return OfflineLists.with(
        in,
        settings.get(),
        lists -> {
          lists.problems().forEach(problem -> in.output().warn("warning: " + problem));
          return report("the lists of the settings", Change.from(lists.side()), files, from);
        });
  }

  private int ofFeeds(Optional<Settings> settings, LogPaths files, Instant from)
      throws CliException {
    try (OfflineFeeds offline = OfflineLists.feeds(in, settings);
        CandidateLists built = Candidates.build(in, offline, wanted())) {
      String names = built.lists().stream().map(Candidate::name).collect(Collectors.joining(", "));
      return report(
          names + " (" + Quantities.count(built.entries(), "entry", "entries") + ")",
          Change.from(offline.alone(built)),
          files,
          from);
    } catch (IOException e) {
      throw Candidates.noRoom(e);
    }
  }

  private List<Candidate> wanted() throws CliException {
    List<Candidate> wanted = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String place : feeds) {
      if (place.equals(CATALOGUE)) {
        Catalogue.builtIn().feeds().stream()
            .filter(CatalogueEntry::recommended)
            .flatMap(feed -> feed.source().stream())
            .filter(feed -> names.add(feed.name()))
            .forEach(feed -> wanted.add(Candidate.of(feed)));
        continue;
      }
      Invocation.requireReadable(place);
      String file = place.substring(place.lastIndexOf('/') + 1).replaceAll("[?#].*", "");
      String name = file;
      for (int i = 2; !names.add(name); i++) {
        name = file + "-" + i;
      }
      wanted.add(
          Candidate.named(name, place, "", EnumSet.copyOf(Check.WITHOUT_LOOK_UP), Action.REJECT));
    }
    return wanted;
  }

  private int report(String what, Change change, LogPaths paths, Instant from) throws CliException {
    Instant now = in.around().clock().instant();
    LogReplay replay = new LogReplay(paths.files(), from, now, ZoneId.systemDefault());
    try {
      ImpactReport report = Impact.of(change, replay, now);
      in.output()
          .item(
              json(report, replay, paths),
              (_, out) -> {
                files(replay, paths, out);
                if (problem(report, replay).isEmpty()) {
                  ImpactText.show(what, "then or before", report, ImpactText.Unjudged.NOTHING, out);
                } else {
                  nothing(problem(report, replay), replay, paths, out);
                }
                notes(replay, out);
              });
      boolean whole = replay.files().stream().allMatch(file -> file.problem().isEmpty());
      return whole && problem(report, replay).isEmpty()
          ? ImpactText.exitCode(report)
          : ExitCode.PARTLY;
    } catch (IOException e) {
      throw CliException.no("the logs cannot be read: " + Faults.words(e), "name other files", e);
    }
  }

  private static JsonObject json(ImpactReport report, LogReplay replay, LogPaths paths) {
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
  private static String problem(ImpactReport report, LogReplay replay) {
    if (report.sessions() > 0) {
      return "";
    }
    return replay.mails() == 0
        ? "no mail was understood in these logs"
        : "none of the "
            + Quantities.grouped(replay.mails())
            + " mails in these logs can be judged: they are left out";
  }

  /** The answer where there is nothing to judge: it is not that nothing would be refused. */
  private static void nothing(String problem, LogReplay replay, LogPaths paths, Output out) {
    out.line(out.palette().bad(problem) + ": nothing can be said about any list");
    for (FileSummary file : replay.files()) {
      if (!file.notUnderstood().isEmpty()) {
        out.line("not understood in " + paths.name(file.path()) + ":");
        file.notUnderstood().forEach(line -> out.line("  " + TerminalText.safe(line)));
      }
    }
  }

  private static void files(LogReplay replay, LogPaths paths, Output out) {
    TextTable table = new TextTable("LOG|FORMAT|>LINES|>UNDERSTOOD|>NOT UNDERSTOOD|PROBLEM");
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

  private static void notes(LogReplay replay, Output out) {
    replay.files().stream()
        .map(FileSummary::format)
        .filter(Objects::nonNull)
        .distinct()
        .sorted()
        .forEach(format ->
            out.note("a log of " + format.key() + " does not contain: " + format.missing()));
    leftOut(
        replay.withoutClient(),
        "of users of the server, of the server itself, or without a client's address",
        out);
    leftOut(replay.givenUp(), "their lines are too far apart, or their end is missing", out);
    leftOut(replay.ofFuture(), "their time is in the future", out);
    leftOut(replay.tooOld(), "they came before --since", out);
    out.note("DNS lists were not asked; every recipient counted as one of ours");
  }

  private static void leftOut(long mails, String why, Output out) {
    if (mails > 0) {
      out.note(Quantities.grouped(mails) + " mails are left out: " + why);
    }
  }
}
