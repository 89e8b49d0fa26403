package io.bloomgate.cli.feeds;

import io.bloomgate.cli.command.LiveWords;
import picocli.CommandLine.Parameters;

/** The argument of the commands of one feed. Filled by picocli; used on the command's thread. */
final class FeedName {

  @Parameters(
      paramLabel = "NAME",
      completionCandidates = LiveWords.Feeds.class,
      description = "the feed as the settings name it")
  private String name = "";

  String name() {
    return name;
  }
}
