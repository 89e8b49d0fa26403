package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.fleet.RedisKey;
import io.bloomgate.blocklists.workbench.FilterPush;
import io.bloomgate.blocklists.workbench.FilterPush.Form;
import io.bloomgate.blocklists.workbench.ListReport;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.OfflineRules;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bloomgate filter push}: a list, a filter file or the live version of a feed, to Redis. */
@Command(
    description = {
      "Put a filter into a key of Redis, so that other programs can ask what the gateway knows.",
      "FILE is a list in any format of `bloomgate feeds formats`, or a filter file of kind classic;"
          + " FEED is a feed of the settings, of which the live version is read. The key is"
          + " replaced at once when all is there, and only if a push made it.",
      "Exit code 1: Redis cannot be asked, or the key holds something else, 2: the rate cannot be"
          + " had, 4: put there, but the list has more bad lines than a feed may have."
    },
    footer = {
      "",
      "Example:",
      "  ${COMMAND-FULL-NAME} drop.txt redis://127.0.0.1:6379/bloomgate:drop"
    })
final class FilterPushCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(index = "0", paramLabel = "FILE|FEED", description = "a list, a filter, or a feed")
  private String from = "";

  @Parameters(
      index = "1",
      paramLabel = "REDIS",
      description = "redis://HOST:PORT[/DB]/KEY, or rediss:// for TLS")
  private String to = "";

  @Mixin private FilterOptions.Rate rate = new FilterOptions.Rate();

  @Option(
      names = "--as",
      paramLabel = "FORM",
      description = "auto, bits or module (default: auto, the Bloom module where Redis has it)")
  private String form = "auto";

  @Mixin private FilterOptions.ListFormat format = new FilterOptions.ListFormat();

  @Spec private CommandSpec spec = CommandSpec.create();

  FilterPushCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    RedisKey key = RedisTarget.key(to);
    FilterPush push = new FilterPush(key, in.around().means());
    try {
      FilterPush.Report report = report(push);
      Output out = in.output();
      out.report(report.toJson(), FilterText::pushed);
      report.list().ifPresent(list -> FilterBuildCommand.badLines(list, out));
      return report.list().map(ListReport::hasTooManyBadLines).orElse(false)
          ? ExitCode.PARTLY
          : ExitCode.OK;
    } catch (OfflineException e) {
      throw CliException.of(e);
    }
  }

  private FilterPush.Report report(FilterPush push) throws OfflineException, CliException {
    Path file = Path.of(from);
    if (!Files.exists(file) && !from.contains("/")) {
      Optional<Settings> settings = in.settingsIfAny();
      Source feed = settings.map(s -> s.feeds().sources().get(from)).orElse(null);
      if (feed != null) {
        return feed(push, settings, feed);
      }
    }
    return push.file(file, format.name(), rate.rate(), form());
  }

  private FilterPush.Report feed(FilterPush push, Optional<Settings> settings, Source feed)
      throws OfflineException, CliException {
    try (OfflineFeeds feeds = OfflineRules.feeds(in, settings)) {
      var live =
          feeds
              .versions(feed)
              .live()
              .orElseThrow(() ->
                  new CliException(
                      ExitCode.NO,
                      "no version of feed " + from + " is live",
                      "`bloomgate feeds refresh " + from + "` loads one"));
      return push.feed(live.side(), rate.rate(), form());
    } catch (IOException e) {
      throw new CliException(
          ExitCode.NO,
          "the live version of feed " + from + " cannot be read: " + e.getMessage(),
          "a refresh may have replaced it meanwhile; try again",
          e);
    }
  }

  private Form form() {
    for (Form known : Form.values()) {
      if (known.key().equals(form)) {
        return known;
      }
    }
    throw new ParameterException(spec.commandLine(), "--as is auto, bits or module");
  }
}
