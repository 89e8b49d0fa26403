package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Exchange;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate feeds}: the blocklist feeds of the running gateway. */
@Command(
    description = "See, refresh and switch the blocklist feeds.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} list"})
public final class FeedsCommands extends Group {

  /** The group with its commands, in the order of the help. */
  public static CommandLine tree(Invocation in) {
    CommandLine feeds = new CommandLine(new FeedsCommands());
    Subcommands below = new Subcommands(feeds, in);
    below.add("list", () -> new Listing(in));
    below.add("show", () -> new Show(in));
    below.add("refresh", () -> new Refresh(in));
    below.add("test", () -> new FeedsTestCommand(in));
    below.add("formats", () -> new FeedsFormatsCommand(in));
    below.add("catalogue", () -> new FeedsCatalogueCommand(in));
    below.add("diff", () -> new FeedsDiffCommand(in));
    below.add("overlap", () -> new FeedsOverlapCommand(in));
    below.add("score", () -> new FeedsScoreCommand(in));
    below.add("promote", () -> new FeedsPromoteCommand(in));
    below.add("accept", () -> new FeedChoiceCommands.Accept(in));
    below.add("rollback", () -> new FeedChoiceCommands.Rollback(in));
    below.add("enable", () -> new Enable(in));
    below.add("disable", () -> new Disable(in));
    below.add("add", () -> new FeedsEditCommands.Add(in));
    below.add("update-protected", () -> new FeedsUpdateProtectedCommand(in));
    below.add("remove", () -> new FeedsEditCommands.Remove(in));
    return feeds;
  }

  /** {@code feeds list}. */
  @Command(
      description = {
        "Show every feed with its state.",
        "HITS 24h counts decisions of the last 24 hours, one for each recipient, in which the feed"
            + " had a listing that no allow entry lifted."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} -o json"})
  static final class Listing implements Callable<Integer> {
    private final Invocation in;

    Listing(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      List<JsonObject> feeds = new ArrayList<>();
      Exchange.Whole answer =
          in.whole(new ControlRequest.FeedsList(), (feed, o) -> feeds.add(feed));
      Output out = in.output();
      if (out.human() && !answer.failed()) {
        FeedsText.table(feeds, out);
      }
      return answer.exitCode();
    }
  }

  /** {@code feeds show}. */
  @Command(
      description = "Show one feed: state, versions, and what is held back and why.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} spamhaus-drop"})
  static final class Show implements Callable<Integer> {
    private final Invocation in;

    @Mixin private FeedName feed = new FeedName();

    Show(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(new ControlRequest.FeedsShow(feed.name()), FeedsText::details);
    }
  }

  /** {@code feeds refresh}. */
  @Command(
      description = {
        "Fetch feeds now and wait until the new generation is live or refused.",
        "Without a name it fetches the feeds that are due. On a terminal, progress is a"
            + " bar for each feed; elsewhere it is lines on standard error. With -o json each"
            + " step is an object on standard error, and standard output gets only the state of"
            + " each feed at the end."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} spamhaus-drop --force"})
  static final class Refresh implements Callable<Integer> {
    private final Invocation in;

    @Parameters(
        paramLabel = "NAME",
        completionCandidates = LiveWords.Feeds.class,
        arity = "0..*",
        description = "feeds as the settings name them")
    private List<String> names = new ArrayList<>();

    @Option(names = "--all", description = "every feed")
    private boolean all;

    @Option(
        names = "--force",
        description =
            "ignore the interval, the pause after failures, the publisher's minimum interval and"
                + " ETag; guards still apply")
    private boolean force;

    Refresh(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      if (all && !names.isEmpty()) {
        throw new CliException(
            ExitCode.USAGE, "--all and names exclude each other", "give only one of them");
      }
      return in.askWithBars(new ControlRequest.FeedsRefresh(names, all, force), FeedsText::outcome);
    }
  }

  /** {@code feeds enable}. */
  @Command(
      description = "Switch a feed on again.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} spamhaus-drop"})
  static final class Enable implements Callable<Integer> {
    private final Invocation in;

    @Mixin private FeedName feed = new FeedName();

    Enable(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(new ControlRequest.FeedsEnable(feed.name()), FeedsText::outcome);
    }
  }

  /** {@code feeds disable}. */
  @Command(
      description = "Switch a feed off, at once, until it is enabled again.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} spamhaus-drop --for 2h"})
  static final class Disable implements Callable<Integer> {
    private final Invocation in;

    @Mixin private FeedName feed = new FeedName();

    @Option(
        names = "--for",
        paramLabel = "TIME",
        converter = Values.SpanConverter.class,
        description = "it counts again after this time, for example 2h")
    private @Nullable Duration duration;

    Disable(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(new ControlRequest.FeedsDisable(feed.name(), duration), FeedsText::outcome);
    }
  }
}
