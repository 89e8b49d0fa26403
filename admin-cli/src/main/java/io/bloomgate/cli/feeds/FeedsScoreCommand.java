package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.LiveWords;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Template;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.notation.TerminalText;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.SourcesText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code feeds score}: the gateway counts what each feed did to the kept sessions. */
@Command(
    description = {
      "Count what each feed did to the kept sessions; needs the running gateway.",
      "The columns are: the hits of the feed, the hits that no other feed has, the feeds"
          + " that share most of its hits, accepted senders among the hits, and what was allowed"
          + " later.",
      "A sender is a client network (/24, /48) with a domain. Mail that a list would have refused"
          + " in mode enforce does not count as accepted; `bloomgate report` names its senders."
          + " SHARED WITH is the part of"
          + " the hits that the other feed has too. FETCHED is how much was downloaded in this"
          + " time. MEMORY is the feed's part of filters and index, by entries. Lists of good"
          + " senders have no score."
    })
@Example("--since 7d")
final class FeedsScoreCommand extends CliCommand {

  private static final String HEADING =
      "FEED|ACTION|>HITS|>ONLY HERE|SHARED WITH|>ACCEPTED SENDERS|>LATER ALLOWED|>DAYS STALE"
          + "|>ENTRIES|>FETCHED|>MEMORY";
  private static final String ROW =
      "{feed}||{hits}|{only_here}||{accepted_senders}|{later_allowed}|{days_stale}|{entries}";
  private static final int ACTION = 1;
  private static final int SHARED = 4;

  @Parameters(
      paramLabel = "NAME",
      completionCandidates = LiveWords.Feeds.class,
      arity = "0..*",
      description = "feeds as the settings name them (default: all)")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = {"sessions since 7d, 2026-12-01 or", "2026-12-01T12:00:00Z (default: 30d)"})
  private String since = "30d";

  @Override
  public Integer call() throws CliException {
    Instant begin = in.since(since);
    List<JsonObject> feeds = new ArrayList<>();
    Invocation.Whole answer =
        in.whole(new ControlRequest.FeedsScore(begin, names), (feed, o) -> feeds.add(feed));
    Output out = in.output();
    if (out.human() && !answer.failed()) {
      show(feeds, out);
    }
    return answer.exitCode();
  }

  private static void show(List<JsonObject> feeds, Output out) {
    if (feeds.isEmpty()) {
      out.line("no feeds");
      return;
    }
    out.line("{sessions} sessions since {since}", feeds.getFirst());
    TextTable table = new TextTable(HEADING);
    for (JsonObject feed : feeds) {
      List<String> row = Template.cells(ROW, feed, out.now());
      row.set(ACTION, FeedsText.action(feed));
      row.set(SHARED, shared(feed));
      row.add(HumanText.size(feed, "fetched_octets"));
      row.add(HumanText.size(feed, "memory_octets"));
      table.row(row);
    }
    table.print(out);
    feeds.forEach(feed -> advice(feed, out));
  }

  private static String shared(JsonObject feed) {
    List<String> others =
        feed.objects("shared").stream()
            .map(other -> Template.fill("{feed} {percent} %", other))
            .toList();
    return others.isEmpty() ? "-" : String.join(", ", others);
  }

  /** A step back is loud. */
  static void advice(JsonObject feed, Output out) {
    String text =
        HumanText.value(feed, "feed") + ": " + TerminalText.safe(feed.text("advice").orElse(""));
    out.line(feed.isTrue("step_back") ? out.palette().bad(text) : text);
  }

  /**
   * {@code feeds promote}: the gateway judges the feed; {@code --apply} writes the settings file,
   * {@code --auto} lets the gateway follow the evidence.
   */
  @Command(
      description = {
        "Judge by all kept sessions whether a feed may act more strongly: observe, tag, reject.",
        "The thresholds are feeds.promotion of the settings. Nothing is changed without"
            + " --apply or --auto. With --auto the gateway judges the feed each day and moves it"
            + " one step when the evidence says so: forward, or back when you allowed what it had"
            + " listed. `status` shows each step, `audit` shows the figures. An action that you"
            + " change in the settings counts at once.",
        "Exit code 0: it may, or it was done; 1: not yet, or it should step back."
      })
  @Example("spamhaus-drop --apply")
  static final class Promote extends CliCommand {

    @Mixin private FeedsCommands.FeedName wanted = new FeedsCommands.FeedName();

    @Option(
        names = "--apply",
        description =
            "when the feed may act more strongly: write the new action into the settings file;"
                + " comments stay")
    private boolean apply;

    @Option(
        names = "--auto",
        negatable = true,
        description = {
          "let the gateway move the feed by its evidence; given again: accept the last step;"
              + " --no-auto: end this and go back to the action of the settings"
        })
    private @Nullable Boolean auto;

    @Override
    public Integer call() throws CliException {
      if (auto != null) {
        return follow(auto);
      }
      List<JsonObject> answer = new ArrayList<>();
      int exitCode =
          in.collect(
              new ControlRequest.FeedsScore(Instant.EPOCH, List.of(wanted.name())), answer::add);
      if (answer.isEmpty()) {
        return exitCode == ExitCode.OK ? ExitCode.NO : exitCode;
      }
      JsonObject feed = answer.getFirst();
      Output out = in.output();
      out.item(feed, FeedsScoreCommand::advice);
      if (!feed.isTrue("ready")) {
        if (apply) {
          out.note(
              "nothing was written: --apply writes a stronger action, once the evidence allows it");
        }
        return ExitCode.NO;
      }
      String name = wanted.name();
      if (!apply) {
        out.note("`bloomgate feeds promote " + name + " --apply` writes it into the settings file");
        return ExitCode.OK;
      }
      String next = feed.text("next").orElse("");
      FeedsAddCommand.edit(
          in, name, "set to " + next, "", text -> SourcesText.act(text, name, next));
      // The gateway watches the feed: `status` says when it should step back.
      Action action = Action.valueOf(next.toUpperCase(Locale.ROOT));
      return in.collect(new ControlRequest.FeedsPromote(name, false, action), _ -> {});
    }

    private int follow(boolean on) throws CliException {
      CliException.onlyOne("--auto and --apply", apply, true);
      int exitCode =
          in.ask(
              new ControlRequest.FeedsPromote(wanted.name(), on, null), FeedsScoreCommand::advice);
      if (exitCode == ExitCode.OK) {
        String takeBack =
            "`bloomgate feeds promote " + wanted.name() + " --no-auto` takes that back";
        in.output()
            .note(
                on
                    ? "evidence moves it from now on; " + takeBack
                    : "the action of the settings counts");
      }
      return exitCode;
    }
  }
}
