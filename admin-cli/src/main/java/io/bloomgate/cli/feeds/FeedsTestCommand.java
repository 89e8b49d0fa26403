package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.guard.FeedTest;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LineFile;
import io.bloomgate.cli.command.OfflineLists;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate feeds test}: reads a file or URL as its caller and says what it would be as a
 * feed. Needs neither gateway nor settings; if settings can be read, their guards are used.
 */
@Command(
    description = {
      "Say what a file or URL would be as a feed; nothing is changed.",
      "The settings give the guards, those of a feed that is fetched from there first,"
          + " and the good senders; without settings the defaults count.",
      "Exit code 0: accepted, 4: some entries held back, 1: held or rejected."
    })
@Example("drop.json --format spamhaus-json --query 203.0.113.7")
final class FeedsTestCommand extends CliCommand {

  @Parameters(paramLabel = "FILE|URL", description = "a path, a glob in quotes, or a web address")
  private String source = "";

  @Option(names = "--format", paramLabel = "FORMAT", description = "see `bloomgate feeds formats`")
  private @Nullable String format;

  @Option(
      names = "--match",
      paramLabel = "HOW",
      description = "exact or suffix, instead of what the format says")
  private @Nullable Match match;

  @Option(
      names = "--checks",
      split = ",",
      paramLabel = "CHECK",
      converter = Values.CheckWord.class,
      completionCandidates = Values.CheckWord.class,
      description =
          "what the feed would be compared with: of a list of URLs, url lists the URLs and"
              + " url_host their hosts (default: as the feed of the settings, or all of it)")
  private List<String> checks = new ArrayList<>();

  @Option(
      names = "--query",
      paramLabel = "SUBJECT",
      arity = "1..*",
      description = "ask whether these are listed")
  private List<String> queries = new ArrayList<>();

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      description = "the same, a subject a line; - for standard input")
  private @Nullable String queriesFile;

  @Option(
      names = "--known-good",
      paramLabel = "FILE",
      description =
          "name the good senders of this file too that it lists; the file has the form of those of"
              + " allow.known_good")
  private List<Path> knownGood = new ArrayList<>();

  @Override
  public Integer call() throws CliException {
    Invocation.requireReadable(source);
    Optional<Settings> settings = in.settingsIfAny();
    Path temporary = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
    try (OfflineFeeds feeds = OfflineLists.feeds(in, settings)) {
      FeedTest.Request request =
          new FeedTest.Request(
              source, format, match, checks(feeds), allQueries(), goodSenders(feeds));
      return switch (feeds.test(request, temporary)) {
        case FeedTest.Outcome.Tested(var report) -> {
          in.output().item(report.toJson(), FeedsText::tested);
          feeds
              .sourceAt(source)
              .ifPresent(
                  feed -> in.output().note("judged by the guard of the feed " + feed.name()));
          yield report.exitCode();
        }
        case FeedTest.Outcome.Failed(int exitCode, String message, String hint) ->
            throw new CliException(exitCode, message, hint);
      };
    } catch (IOException e) {
      throw CliException.no(
          "working files cannot be written in " + temporary, "free some disk space there", e);
    }
  }

  private Set<Check> checks(OfflineFeeds feeds) {
    return checks.isEmpty()
        ? feeds.sourceAt(source).map(Source::checks).orElse(Set.of())
        : Arrays.stream(Check.values())
            .filter(check -> checks.contains(check.key()))
            .collect(Collectors.toUnmodifiableSet());
  }

  private FeedTest.@Nullable Good goodSenders(OfflineFeeds feeds) throws CliException {
    for (Path file : knownGood) {
      Invocation.requireReadable(file);
    }
    return feeds.good(knownGood, source, warning -> in.output().warn("warning: " + warning));
  }

  private List<String> allQueries() throws CliException {
    List<String> all = new ArrayList<>(queries);
    if (queriesFile != null) {
      try (BufferedReader lines = LineFile.open(in, queriesFile)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (!line.isBlank()) {
            all.add(line.strip());
          }
        }
      } catch (IOException e) {
        throw LineFile.failure(queriesFile, e);
      }
    }
    for (String query : all) {
      if (Subject.parse(query.strip()) instanceof Parsed.Bad<Subject>(String reason)) {
        throw CliException.usage(
            "cannot ask for \"" + query + "\": " + reason,
            "ask for an address, a network, a domain, a mail address or a URL");
      }
    }
    return all;
  }
}
