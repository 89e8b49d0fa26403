package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.guard.FeedReport.Answer;
import io.bloomgate.blocklists.refresh.KeptVersions;
import io.bloomgate.blocklists.refresh.KeptVersions.Kept;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.OfflineRules;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.NoFeed;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bloomgate feeds diff}: reads the kept versions in the state directory as its caller, with
 * or without a running gateway, so that comparing millions of entries costs the gateway nothing.
 */
@Command(
    description = {
      "Say what would change if another version of a feed were live.",
      "Without --against it compares the version that is held; when none is held, it"
          + " shows what the live version changed. The command reads the state directory with"
          + " the rights of its caller.",
      "Exit code 0: equal, 1: different."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} spamhaus-drop --against /tmp/drop.txt"})
final class FeedsDiffCommand implements ReadsFiles, Callable<Integer> {

  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));

  private final Invocation in;

  @Mixin private FeedName feed = new FeedName();

  @Option(
      names = "--against",
      paramLabel = "GEN|FILE|URL",
      description = "what would be live: a version of `feeds show`, a file or a web address")
  private @Nullable String against;

  @Option(
      names = "--held",
      description = "what the next `feeds accept` would change: a version, or held entries")
  private boolean held;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "entries that are shown of what comes, and of what goes (default: 20)")
  private int limit = FeedDiff.SHOWN;

  FeedsDiffCommand(Invocation in) {
    this.in = in;
  }

  /** The two sides that are compared: the older one, or the one that is live, first. */
  private record Pair(DiffSide from, DiffSide to) {}

  @Override
  public Integer call() throws CliException {
    CliException.refuseIf(
        held && against != null,
        "--held and --against exclude each other",
        "give only one of them");
    CliException.refuseIf(
        limit < 0 || limit > FeedDiff.MOST_SHOWN,
        "--limit " + limit + " is not between 0 and " + FeedDiff.MOST_SHOWN,
        "name a number of entries in between");
    Settings settings = in.settings();
    Source source = settings.feeds().sources().get(feed.name());
    if (source == null) {
      NoFeed other =
          NoFeed.of(settings, feed.name())
              .orElseGet(() ->
                  new NoFeed(
                      "there is no feed "
                          + feed.name()
                          + " in the settings"
                          + NoFeed.meant(settings, feed.name()),
                      "`bloomgate feeds list` shows their names"));
      throw CliException.usage(other.problem(), other.hint());
    }
    Invocation.requireReadableState(settings.stateDir());
    try {
      return compare(settings, source);
    } catch (AccessDeniedException e) {
      throw new CliException(
          ExitCode.PERMISSION,
          "you may not read " + e.getFile(),
          "become root or the gateway's user",
          e);
    } catch (IOException e) {
      throw CliException.no(
          "the versions of feed " + feed.name() + " cannot be compared: " + e.getMessage(),
          "a refresh may have replaced one meanwhile; try again",
          e);
    }
  }

  private int compare(Settings settings, Source source) throws IOException, CliException {
    try (OfflineFeeds feeds = OfflineRules.feeds(in, Optional.of(settings))) {
      KeptVersions versions = feeds.versions(source);
      Optional<DiffSide> live = versions.live().map(DiffSide::of);
      if (held || against == null || against.matches("[0-9]{1,18}")) {
        return report(settings, source, kept(versions, live), feeds);
      }
      return fetched(settings, source, versions, live, against, feeds);
    }
  }

  /**
   * Pairs the live version with another one; an empty one replaces it where nothing is live yet.
   */
  private static Pair pair(Optional<DiffSide> live, DiffSide other) {
    return new Pair(live.orElseGet(() -> DiffSide.nothing(other)), other);
  }

  private Pair kept(KeptVersions versions, Optional<DiffSide> live)
      throws IOException, CliException {
    if (against != null) {
      Kept other =
          versions
              .numbered(Long.parseLong(against))
              .orElseThrow(() ->
                  CliException.no(
                      "version " + against + " of feed " + feed.name() + " is not kept",
                      "`bloomgate feeds show " + feed.name() + "` lists those that are"));
      return pair(live, DiffSide.of(other));
    }
    Optional<Kept> waiting = versions.held();
    if (waiting.isEmpty() && held) {
      waiting = versions.liveWithHeldEntries();
      if (waiting.isEmpty()) {
        throw CliException.no(
            "nothing of feed " + feed.name() + " is held",
            "`bloomgate feeds show " + feed.name() + "` shows its state");
      }
    }
    if (waiting.isPresent()) {
      return pair(live, DiffSide.held(waiting.get()));
    }
    DiffSide now =
        live.orElseThrow(() ->
            CliException.no(
                "no version of feed " + feed.name() + " is live, and none is held",
                "`bloomgate feeds test` reads a list before its first load"));
    return new Pair(versions.previous().map(DiffSide::of).orElse(now), now);
  }

  private int fetched(
      Settings settings,
      Source source,
      KeptVersions versions,
      Optional<DiffSide> live,
      String place,
      OfflineFeeds feeds)
      throws IOException, CliException {
    Invocation.requireReadable(place);
    try {
      return switch (feeds.fetch(place, versions, TEMPORARY)) {
        case OfflineFeeds.Fetched.Ready(String shown, FeedDiff.Side side) ->
            report(settings, source, pair(live, DiffSide.of(shown, side)), feeds);
        case OfflineFeeds.Fetched.Failed(String message) -> throw CliException.no(message, "");
      };
    } catch (IllegalArgumentException e) {
      throw new CliException(ExitCode.USAGE, "not a URL: " + new FeedUrl(place).shown(), "", e);
    }
  }

  private int report(Settings settings, Source source, Pair pair, OfflineFeeds feeds)
      throws IOException {
    Instant now = in.around().clock().instant();
    GoodSenders senders = GoodSenders.read(settings.stateDir(), source, now);
    if (senders.problem() != null) {
      in.output().warn(senders.problem());
    }
    FeedDiff.Side from = pair.from().side();
    FeedDiff.Side to = pair.to().side();
    FeedDiff.Result result = FeedDiff.compare(from, to, limit);
    List<Answer> newly = feeds.newlyListed(from, to, senders.subjects(), TEMPORARY);
    DiffReport report =
        new DiffReport(
            source,
            pair.from(),
            pair.to(),
            result,
            newly,
            senders,
            !gatewayAnswers(),
            feeds.generation());
    in.output().item(report.toJson(), DiffText::show);
    return report.same() ? ExitCode.OK : ExitCode.NO;
  }

  private boolean gatewayAnswers() {
    if (in.options().offline) {
      return false;
    }
    try (ControlClient _ = in.connect()) {
      return true;
    } catch (CliException e) {
      return false;
    }
  }
}
