package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.SourcesText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} spamhaus-drop --apply"})
final class FeedsPromoteCommand implements Callable<Integer> {

  private final Invocation in;

  @Mixin private FeedName wanted = new FeedName();

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

  FeedsPromoteCommand(Invocation in) {
    this.in = in;
  }

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
    String next = feed.text("next").orElse("");
    if (apply) {
      int edited =
          FeedsEdit.edit(
              in,
              wanted.name(),
              "set to " + next,
              "",
              text -> SourcesText.act(text, wanted.name(), next));
      return edited == ExitCode.OK ? applied(next) : edited;
    }
    out.note(
        "`bloomgate feeds promote " + wanted.name() + " --apply` writes it into the settings file");
    return ExitCode.OK;
  }

  /** The gateway watches the feed: `status` says when it should step back. */
  private int applied(String next) throws CliException {
    Action action = Action.valueOf(next.toUpperCase(Locale.ROOT));
    return in.collect(new ControlRequest.FeedsPromote(wanted.name(), false, action), _ -> {});
  }

  private int follow(boolean on) throws CliException {
    CliException.refuseIf(apply, "--auto and --apply exclude each other", "give only one of them");
    int exitCode =
        in.ask(new ControlRequest.FeedsPromote(wanted.name(), on, null), FeedsScoreCommand::advice);
    if (exitCode == ExitCode.OK) {
      in.output()
          .note(
              on
                  ? "evidence moves it from now on; `bloomgate feeds promote "
                      + wanted.name()
                      + " --no-auto` takes that back"
                  : "the action of the settings counts");
    }
    return exitCode;
  }
}
