package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.guard.FeedOverlap;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Drawing;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.OfflineRules;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bloomgate feeds overlap}: reads the last generation and the kept versions in the state
 * directory as its caller, with or without a running gateway. Two lists that copy each other are
 * one opinion; this finds them.
 */
@Command(
    description = {
      "Measure how much the live feeds share, and which of them list good senders.",
      "Up to 4,096 entries of each feed are looked up in all others. Two lists that copy"
          + " each other are one opinion: give both the same `family`, and rules count them"
          + " once. DNS lists are left out. The command reads the state directory with the"
          + " rights of its caller.",
      "Exit code 0: no two feeds share half of their entries, 4: some do and are not of"
          + " one family."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --plot overlap.svg"})
final class FeedsOverlapCommand implements Callable<Integer> {

  private final Invocation in;

  @Option(
      names = "--plot",
      paramLabel = "FILE.svg",
      description = "write the table as a picture, the more is shared the darker")
  private @Nullable Path plot;

  @Option(
      names = "--known-good",
      paramLabel = "FILE",
      description = "files of good senders, in place of allow.known_good of the settings")
  private List<Path> knownGood = new ArrayList<>();

  FeedsOverlapCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    Settings settings = in.settings();
    Invocation.requireReadableState(settings.stateDir());
    for (Path file : knownGood) {
      Invocation.requireReadable(file);
    }
    OverlapReport report = new OverlapReport(settings.feeds(), measure(settings));
    if (report.feeds().isEmpty()) {
      throw CliException.no("no feed is live yet", "`bloomgate feeds refresh` loads the lists");
    }
    if (plot != null) {
      Drawing.write(plot, OverlapPlot.svg(report));
    }
    in.output().item(report.toJson(), (_, out) -> OverlapText.show(report, out));
    if (!settings.feeds().dnsLists().isEmpty()) {
      in.output().note("DNS lists are not compared: they answer only about senders who come");
    }
    return report.joinable().isEmpty() ? ExitCode.OK : ExitCode.PARTLY;
  }

  private FeedOverlap measure(Settings settings) throws CliException {
    try (OfflineFeeds feeds = OfflineRules.feeds(in, Optional.of(settings))) {
      return feeds.overlap(
          knownGood.isEmpty() ? settings.allow().knownGood() : knownGood,
          warning -> in.output().warn("warning: " + warning));
    } catch (IOException e) {
      throw CliException.no(
          "the feeds cannot be compared: " + Faults.words(e),
          "become root or the gateway's user; a refresh may have replaced a version meanwhile",
          e);
    }
  }
}
