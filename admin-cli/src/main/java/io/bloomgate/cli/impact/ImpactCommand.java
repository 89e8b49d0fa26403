package io.bloomgate.cli.impact;

import io.bloomgate.blocklists.OfflineBlocklists;
import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.impact.Candidate;
import io.bloomgate.blocklists.impact.CandidateLists;
import io.bloomgate.blocklists.impact.Change;
import io.bloomgate.blocklists.impact.Impact;
import io.bloomgate.blocklists.impact.ImpactReport;
import io.bloomgate.blocklists.impact.PastSessions;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.OfflineLists;
import io.bloomgate.cli.command.Values;
import io.bloomgate.cli.impact.ImpactText.Unjudged;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.RecipientProfile;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bloomgate impact}: decides again on the sessions that a gateway kept, with a list more,
 * with another action of a list, or with other settings. Opens the state directory as its caller,
 * with or without a running gateway; changes nothing.
 */
@Command(
    description = {
      "Say what a list or a setting would change for the mail that came before.",
      "Without --feed, --candidate and --settings it shows what mode enforce would refuse.",
      "It compares with what happened to the mail: mail that only mode observe let pass counts as"
          + " delivered, and its senders are named.",
      "Exit code 0: none of these senders, and none whose mail was accepted before, is refused;"
          + " 4: some are."
    })
@Example("--since 7d --candidate https://lists.example/drop.txt")
public class ImpactCommand extends CliCommand {

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {"7d, 2026-12-01 or 2026-12-01T12:00:00Z", "(default: 7d)"})
  private String since = "7d";

  @Option(
      names = "--feed",
      paramLabel = "NAME",
      completionCandidates = LiveWords.Feeds.class,
      description = "suppose that this list of the settings had the action of --action")
  private @Nullable String feed;

  @Option(
      names = "--candidate",
      paramLabel = "FILE|URL",
      description = "suppose that this list were added")
  private @Nullable String candidate;

  @Option(names = "--format", paramLabel = "FORMAT", description = "the format of the candidate")
  private @Nullable String format;

  @Option(
      names = "--checks",
      split = ",",
      paramLabel = "CHECK",
      converter = Values.CheckWord.class,
      completionCandidates = Values.CheckWord.class,
      description = "what is looked up in the candidate (default: as for every feed)")
  private List<String> checks = new ArrayList<>();

  @Option(
      names = "--action",
      paramLabel = "ACTION",
      description = "of the list or the candidate (default: reject)")
  private @Nullable Action action;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = "enforce: show what the settings would refuse")
  private @Nullable Mode mode;

  @Option(
      names = "--settings",
      paramLabel = "FILE",
      description = "with the settings of this file and the lists that are loaded now")
  private @Nullable Path other;

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "suppose that the recipients of --for had this profile of the settings")
  private @Nullable String profile;

  @Option(
      names = "--for",
      paramLabel = "RECIPIENT",
      description = "an address, info@, a domain, or .example.com with all below it")
  private @Nullable String recipients;

  @Override
  public Integer call() throws CliException {
    checkOptions();
    Settings settings = in.settings();
    Instant from = in.past("--since", since);
    return OfflineLists.with(
        in,
        settings,
        lists -> {
          lists.problems().forEach(problem -> in.output().warn("warning: " + problem));
          if (candidate != null) {
            return ofCandidate(candidate, settings, lists, from);
          }
          if (other != null) {
            return ofSettings(other, settings, lists, from);
          }
          if (profile != null && recipients != null) {
            return ofProfile(profile, recipients, settings, lists, from);
          }
          return feed != null
              ? ofFeed(feed, settings, lists, from)
              : report(
                  "mode enforce", Change.enforcing(lists.side()), Unjudged.NOTHING, settings, from);
        });
  }

  private void checkOptions() throws CliException {
    CliException.onlyOne(
        "--feed, --candidate, --mode, --settings and --profile",
        feed != null,
        candidate != null,
        mode != null,
        other != null,
        profile != null);
    CliException.refuseIf(
        (profile == null) != (recipients == null),
        "--profile and --for belong together",
        "write for example --profile off --for sales@example.com");
    CliException.refuseIf(
        mode != null && mode != Mode.ENFORCE,
        "only mode enforce refuses for good",
        "leave --mode out");
    CliException.refuseIf(
        candidate == null && (format != null || !checks.isEmpty()),
        "--format and --checks belong to a candidate",
        "give --candidate");
    CliException.refuseIf(
        action != null && candidate == null && feed == null,
        "--action belongs to a list",
        "give --candidate or --feed");
  }

  private Action action() {
    return action == null ? Action.REJECT : action;
  }

  private int ofFeed(String name, Settings settings, OfflineBlocklists lists, Instant from)
      throws CliException {
    Change change =
        lists.change(name, action()).orElseThrow(() -> OfflineLists.noFeed(settings, name));
    Source source = settings.feeds().sources().get(name);
    return report(
        name,
        change,
        source == null || change.newContentChecks().isEmpty()
            ? Unjudged.NOTHING
            : Unjudged.of(source.checks()),
        settings,
        from);
  }

  private int ofProfile(
      String name, String of, Settings settings, OfflineBlocklists lists, Instant from)
      throws CliException {
    RecipientProfile known = settings.profiles().get(name);
    if (known == null) {
      throw CliException.usage(
          "there is no profile " + TerminalText.safe(name) + " in the settings",
          "it has " + String.join(", ", settings.profiles().keySet()));
    }
    String entry =
        switch (RecipientProfile.entry(of)) {
          case Parsed.Ok<String>(String read, var _) -> read;
          case Parsed.Bad<String>(String reason) ->
              throw CliException.usage(
                  "--for: " + TerminalText.safe(reason),
                  "write an address, info@, a domain, or .example.com");
        };
    Change change = Change.between(lists.side(), lists.side().withRecipient(entry, known));
    return report("profile " + name + " for " + entry, change, Unjudged.NOTHING, settings, from);
  }

  private int ofCandidate(String place, Settings settings, OfflineBlocklists lists, Instant from)
      throws CliException {
    Candidate wanted = Candidates.of(place, format, checks, action(), settings);
    try (OfflineFeeds feeds = OfflineLists.feeds(in, Optional.of(settings));
        CandidateLists built = Candidates.build(in, feeds, List.of(wanted))) {
      String what =
          "candidate " + place + " (" + Quantities.count(built.entries(), "entry", "entries") + ")";
      Unjudged unjudged = Unjudged.of(wanted.checks());
      return report(what, Change.adding(lists.side(), built), unjudged, settings, from);
    } catch (IOException e) {
      throw Candidates.noRoom(e);
    }
  }

  /** The same state directory, whatever the other file says about it. */
  private int ofSettings(Path file, Settings settings, OfflineBlocklists lists, Instant from)
      throws CliException {
    Settings changed =
        in.settings(file, Map.of("BLOOMGATE_STATE_DIR", settings.stateDir().toString()));
    if (changed.mode() == Mode.OBSERVE) {
      in.output().warn("note: " + file + " has mode observe; the answer is for mode enforce");
    }
    return OfflineLists.with(
        in,
        changed,
        after -> {
          warnOfOtherSources(file, settings, changed);
          for (String name : after.feedsNotLoaded()) {
            in.output()
                .warn(
                    "warning: feed "
                        + name
                        + " was never loaded here: its listings are not counted");
          }
          return report(
              file.toString(),
              Change.between(lists.side(), after.side()),
              Unjudged.NOTHING,
              settings,
              from);
        });
  }

  private void warnOfOtherSources(Path file, Settings now, Settings changed) {
    for (Source after : changed.feeds().sources().values()) {
      Source before = now.feeds().sources().get(after.name());
      boolean same =
          before == null
              || (before.location().equals(after.location())
                  && before.format().equals(after.format())
                  && before.match() == after.match());
      if (!same) {
        in.output()
            .warn(
                ("warning: feed %s has another source or reading in %s: its entries that are loaded"
                        + " now count; `bloomgate impact --candidate SOURCE` says what the new ones"
                        + " would change")
                    .formatted(after.name(), file));
      }
    }
  }

  private int report(String what, Change change, Unjudged unjudged, Settings settings, Instant from)
      throws CliException {
    try {
      ImpactReport report =
          Impact.of(change, sessions(settings, from), in.around().clock().instant());
      in.output()
          .item(
              json(report, unjudged),
              (_, out) -> ImpactText.show(what, "before", report, unjudged, out));
      return ImpactText.exitCode(report);
    } catch (IOException e) {
      throw CliException.no(
          "the sessions in " + settings.stateDir() + " cannot be read: " + Faults.words(e),
          "become root or the gateway's user",
          e);
    }
  }

  /** The sessions in the state directory, beside a running gateway or without one. */
  private PastSessions sessions(Settings settings, Instant from) throws CliException {
    SessionDays days = new SessionDays(settings.stateDir());
    Path directory = days.directory();
    Invocation.requireReadableState(settings.stateDir());
    Invocation.requireReadableState(directory);
    if (Files.notExists(directory)) {
      throw CliException.no(
          "no sessions are kept in " + settings.stateDir(),
          "`bloomgate replay LOG` reads the log of a mail server instead");
    }
    Instant now = in.around().clock().instant();
    Instant oldest = now.minus(settings.sessions().retain());
    return new SessionSearch(days, problem -> in.output().warn("warning: " + problem))
        .past(SessionQuery.of(from.isBefore(oldest) ? oldest : from, now.plusSeconds(1)));
  }

  private static JsonObject json(ImpactReport report, Unjudged unjudged) {
    if (unjudged.checks().isEmpty()) {
      return report.toJson();
    }
    return JsonValue.object()
        .putAll(report.toJson())
        .put("not_judged", JsonValue.ofStrings(unjudged.keys()))
        .build();
  }
}
