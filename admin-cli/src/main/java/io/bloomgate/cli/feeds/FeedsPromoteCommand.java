package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.SourcesText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code feeds promote}: the gateway judges the feed; {@code --apply} writes the settings file. */
@Command(
    description = {
      "Judge by all kept sessions whether a feed may act more strongly: observe, tag, reject.",
      "The thresholds are feeds.promotion of the settings. Nothing is changed without --apply.",
      "Exit code 0: it may, 1: not yet, or it should step back."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} spamhaus-drop --apply"})
final class FeedsPromoteCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(paramLabel = "NAME", description = "the feed as the settings name it")
  private String name = "";

  @Option(
      names = "--apply",
      description = "when it may: write the action into the settings file, comments stay")
  private boolean apply;

  FeedsPromoteCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    List<JsonObject> answer = new ArrayList<>();
    int exitCode =
        in.collect(new ControlRequest.FeedsScore(Instant.EPOCH, List.of(name)), answer::add);
    if (answer.isEmpty()) {
      return exitCode == ExitCode.OK ? ExitCode.NO : exitCode;
    }
    JsonObject feed = answer.getFirst();
    Output out = in.output();
    out.item(feed, FeedsScoreCommand::advice);
    if (!feed.isTrue("ready")) {
      return ExitCode.NO;
    }
    String next = feed.text("next").orElse("");
    if (apply) {
      return FeedsEditCommands.edit(
          in, name, "set to " + next, "", text -> SourcesText.act(text, name, next));
    }
    out.note("`bloomgate feeds promote " + name + " --apply` writes it into the settings file");
    return ExitCode.OK;
  }
}
