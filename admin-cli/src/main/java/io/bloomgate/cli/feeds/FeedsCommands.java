package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.catalogue.Catalogue;
import io.bloomgate.config.catalogue.CatalogueEntry;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.SourcesText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate feeds}: the blocklist feeds of the running gateway. */
@Command(addMethodSubcommands = false, description = "See, refresh and switch the blocklist feeds.")
@Example("list")
public final class FeedsCommands extends Group {

  /** The group with its commands, in the order of the help. */
  public static Subcommands tree() {
    return new Subcommands(new FeedsCommands())
        .add("list", "show", "refresh")
        .add("test", FeedsTestCommand::new)
        .add("formats")
        .add("catalogue", FeedsCatalogueCommand::new)
        .add("diff", FeedsDiffCommand::new)
        .add("overlap", FeedsOverlapCommand::new)
        .add("score", FeedsScoreCommand::new)
        .add("promote", FeedsScoreCommand.Promote::new)
        .add("accept", "rollback", "enable", "disable")
        .add("add", FeedsAddCommand::new)
        .add("update-protected", FeedsUpdateProtectedCommand::new)
        .add("remove");
  }

  @Command(
      description = {
        "Show every feed with its state.",
        "HITS 24h counts decisions of the last 24 hours, one for each recipient, in which the feed"
            + " had a listing that no allow entry lifted."
      })
  @Example("-o json")
  int list() throws CliException {
    List<JsonObject> feeds = new ArrayList<>();
    Invocation.Whole answer =
        in.whole(new ControlRequest.FeedsList(), (feed, o) -> feeds.add(feed));
    Output out = in.output();
    if (out.human() && !answer.failed()) {
      FeedsText.table(feeds, out);
    }
    return answer.exitCode();
  }

  @Command(description = "Show one feed: state, versions, and what is held back and why.")
  @Example("spamhaus-drop")
  int show(@Mixin FeedName feed) throws CliException {
    return in.ask(new ControlRequest.FeedsShow(feed.name()), FeedsText::details);
  }

  @Command(
      description = {
        "Fetch feeds now and wait until the new generation is live or refused.",
        "Without a name it fetches the feeds that are due. The name of a list that is asked by DNS,"
            + " given alone, tests that list. On a terminal, progress is a bar for each feed;"
            + " elsewhere it is lines on standard error. With -o json each step is an object on"
            + " standard error, and standard output gets only the state of each feed at the end."
      })
  @Example("spamhaus-drop --force")
  int refresh(
      @Parameters(
              paramLabel = "NAME",
              completionCandidates = LiveWords.Feeds.class,
              arity = "0..*",
              description = "feeds as the settings name them")
          @Nullable List<String> names,
      @Option(names = "--all", description = "every feed") boolean all,
      @Option(
              names = "--force",
              description =
                  "ignore the interval, the pause after failures, the publisher's minimum interval"
                      + " and ETag; guards still apply")
          boolean force)
      throws CliException {
    List<String> named = names == null ? List.of() : names;
    CliException.onlyOne("--all and names", all, !named.isEmpty());
    return in.askWithBars(new ControlRequest.FeedsRefresh(named, all, force), FeedsText::outcome);
  }

  @Command(description = "Show the formats that feeds may have.")
  @Example("")
  int formats() {
    Output out = in.output();
    TextTable table = new TextTable("FORMAT|NAMES MATCH|WHAT IT IS");
    for (FeedFormat.Kind kind : FeedFormat.kinds()) {
      String match = kind.match().isEmpty() ? "-" : kind.match();
      out.item(
          JsonRecords.of(kind),
          (_, _) -> table.row(List.of(kind.name(), match, kind.description())));
    }
    if (out.human()) {
      table.print(out);
    }
    return ExitCode.OK;
  }

  @Command(
      description = {
        "Accept what is held of a feed: the version that waits, or entries of the live one.",
        "When no version waits, the held entries of the live version are accepted. This"
            + " counts for that version only. `feeds diff NAME` shows first what would change."
      })
  @Example("spamhaus-drop")
  int accept(
      @Mixin FeedName feed,
      @Option(
              names = "--note",
              description =
                  "let nothing through; the alarm about good senders is a note for 7 days, unless"
                      + " more is hit")
          boolean note)
      throws CliException {
    return in.ask(
        new ControlRequest.FeedsAccept(feed.name(), note),
        note ? FeedsText::outcome : FeedsText::accepted);
  }

  @Command(
      description = {
        "Make an older version of a feed live again.",
        "Newer versions do not come back until the feed publishes another one."
      })
  @Example("spamhaus-drop --to 17")
  int rollback(
      @Mixin FeedName feed,
      @Option(
              names = "--to",
              paramLabel = "GEN",
              description = "number of a version of `feeds show`; without it the one before")
          @Nullable Long to)
      throws CliException {
    CliException.refuseIf(
        to != null && to < 1, "versions are numbered from 1", "`bloomgate feeds show` lists them");
    return in.ask(new ControlRequest.FeedsRollback(feed.name(), to), FeedsText::rolledBack);
  }

  @Command(description = "Switch a feed on again.")
  @Example("spamhaus-drop")
  int enable(@Mixin FeedName feed) throws CliException {
    return in.ask(new ControlRequest.FeedsEnable(feed.name()), FeedsText::outcome);
  }

  @Command(description = "Switch a feed off, at once, until it is enabled again.")
  @Example("spamhaus-drop --for 2h")
  int disable(
      @Mixin FeedName feed,
      @Option(
              names = "--for",
              paramLabel = "TIME",
              converter = Values.SpanConverter.class,
              description = "it counts again after this time, for example 2h")
          @Nullable Duration duration)
      throws CliException {
    return in.ask(new ControlRequest.FeedsDisable(feed.name(), duration), FeedsText::outcome);
  }

  @Command(
      description = {
        "Take a feed out of the settings file.",
        "The comment that `feeds add` wrote above it goes with it; all other lines stay as they"
            + " are."
      })
  @Example("mine")
  int remove(
      @Mixin FeedName feed,
      @Option(names = "--no-reload", description = "only write the settings file") boolean noReload)
      throws CliException {
    String name = feed.name();
    List<String> comments =
        Catalogue.builtIn().entry(name).map(CatalogueEntry::comments).orElse(List.of());
    FeedsAddCommand.write(
        in, name, "removed", "", text -> SourcesText.remove(text, name, comments));
    return FeedsAddCommand.reload(in, noReload).orElse(ExitCode.OK);
  }

  /** The argument of the commands of one feed. Filled by picocli; used on the command's thread. */
  static final class FeedName {

    @Parameters(
        paramLabel = "NAME",
        completionCandidates = LiveWords.Feeds.class,
        description = "the feed as the settings name it")
    private String name = "";

    String name() {
      return name;
    }
  }
}
