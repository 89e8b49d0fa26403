package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.OfflineFeeds;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.guard.FeedReport.Answer;
import io.bloomgate.blocklists.guard.GuardedText;
import io.bloomgate.blocklists.refresh.KeptVersions;
import io.bloomgate.blocklists.refresh.KeptVersions.Kept;
import io.bloomgate.blocklists.senders.KnownSender;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.cli.command.CliCommand;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.OfflineLists;
import io.bloomgate.cli.command.ReadsFiles;
import io.bloomgate.config.control.ControlClient;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
    })
@Example("spamhaus-drop --against /tmp/drop.txt")
final class FeedsDiffCommand extends CliCommand implements ReadsFiles {

  /** The largest number of good senders that are named; all are counted. */
  private static final int SHOWN_SENDERS = 100;

  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));

  @Mixin private FeedsCommands.FeedName feed = new FeedsCommands.FeedName();

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

  /** The two sides that are compared: the older one, or the one that is live, first. */
  private record Pair(Side from, Side to) {}

  @Override
  public Integer call() throws CliException {
    CliException.onlyOne("--held and --against", held, against != null);
    CliException.refuseIf(
        limit < 0 || limit > FeedDiff.MOST_SHOWN,
        "--limit " + limit + " is not between 0 and " + FeedDiff.MOST_SHOWN,
        "name a number of entries in between");
    Settings settings = in.settings();
    Source source = settings.feeds().sources().get(feed.name());
    if (source == null) {
      throw OfflineLists.noFeed(settings, feed.name());
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
    try (OfflineFeeds feeds = OfflineLists.feeds(in, Optional.of(settings))) {
      KeptVersions versions = feeds.versions(source);
      Optional<Side> live = versions.live().map(Side::of);
      if (held || against == null || against.matches("[0-9]{1,18}")) {
        return report(settings, source, kept(versions, live), feeds);
      }
      return fetched(settings, source, versions, live, against, feeds);
    }
  }

  /**
   * Pairs the live version with another one; an empty one replaces it where nothing is live yet.
   */
  private static Pair pair(Optional<Side> live, Side other) {
    return new Pair(live.orElseGet(() -> Side.nothing(other)), other);
  }

  private Pair kept(KeptVersions versions, Optional<Side> live) throws IOException, CliException {
    if (against != null) {
      Kept other =
          versions
              .numbered(Long.parseLong(against))
              .orElseThrow(() ->
                  CliException.no(
                      "version " + against + " of feed " + feed.name() + " is not kept",
                      "`bloomgate feeds show " + feed.name() + "` lists those that are"));
      return pair(live, Side.of(other));
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
      return pair(live, Side.held(waiting.get()));
    }
    Side now =
        live.orElseThrow(() ->
            CliException.no(
                "no version of feed " + feed.name() + " is live, and none is held",
                "`bloomgate feeds test` reads a list before its first load"));
    return new Pair(versions.previous().map(Side::of).orElse(now), now);
  }

  private int fetched(
      Settings settings,
      Source source,
      KeptVersions versions,
      Optional<Side> live,
      String place,
      OfflineFeeds feeds)
      throws IOException, CliException {
    Invocation.requireReadable(place);
    try {
      return switch (feeds.fetch(place, versions, TEMPORARY)) {
        case OfflineFeeds.Fetched.Ready(String shown, GuardedText side) ->
            report(settings, source, pair(live, Side.of(shown, side)), feeds);
        case OfflineFeeds.Fetched.Failed(String message) -> throw CliException.no(message, "");
      };
    } catch (IllegalArgumentException e) {
      throw new CliException(ExitCode.USAGE, "not a URL: " + new FeedUrl(place).shown(), "", e);
    }
  }

  private int report(Settings settings, Source source, Pair pair, OfflineFeeds feeds)
      throws IOException {
    Side from = pair.from();
    Side to = pair.to();
    FeedDiff.Result result = FeedDiff.compare(from.side(), to.side(), limit);
    List<KnownSender.Asked> known = knownSenders(settings, source);
    Map<String, List<KnownSender>> bySubject =
        known.stream()
            .filter(one -> source.checks().contains(one.check()))
            .collect(
                Collectors.groupingBy(
                    one -> one.subject().toString(),
                    LinkedHashMap::new,
                    Collectors.mapping(KnownSender.Asked::sender, Collectors.toList())));
    Map<KnownSender, Refused> refused = new LinkedHashMap<>();
    feeds
        .newlyListed(from.side(), to.side(), List.copyOf(bySubject.keySet()), TEMPORARY)
        .forEach(answer ->
            bySubject
                .getOrDefault(answer.subject(), List.of())
                .forEach(sender -> refused.putIfAbsent(sender, Refused.of(sender, answer))));
    boolean same = result.added().total() + result.removed().total() == 0;
    JsonValue.ObjectBuilder report =
        JsonValue.object()
            .put("feed", source.name())
            .put("from", from.toJson())
            .put("to", to.toJson())
            .put("same", same)
            .put("unchanged", result.same())
            .put("added", result.added().countsJson())
            .put("removed", result.removed().countsJson())
            .put(
                "samples",
                JsonRecords.of(new Samples(result.added().samples(), result.removed().samples())))
            .put("action", source.action().key())
            .put("known_senders", known.stream().map(KnownSender.Asked::sender).distinct().count())
            .put("newly_listed_senders", refused.size())
            .put(
                "newly_refused",
                JsonRecords.ofAll(refused.values().stream().limit(SHOWN_SENDERS).toList()))
            .put("offline", !gatewayAnswers())
            .put("generation", feeds.generation());
    if (to.heldGood().subjects() > 0) {
      report.put(FeedsText.HELD_GOOD, JsonRecords.of(to.heldGood()));
    }
    in.output().item(report.build(), FeedsText::difference);
    return same ? ExitCode.OK : ExitCode.NO;
  }

  /**
   * The good senders that the breaker of the feed knows, with all that a feed may be asked about.
   */
  private List<KnownSender.Asked> knownSenders(Settings settings, Source source) {
    Instant now = in.around().clock().instant();
    try {
      return KnownSenders.read(settings.stateDir().resolve(KnownSenders.FILE_NAME), now)
          .asked(source.guard().knownAfter(), now);
    } catch (IOException e) {
      in.output().warn("warning: good senders are not known: " + e.getMessage());
      return List.of();
    }
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

  /**
   * One side of {@code feeds diff}: a kept version, or something that was fetched for it.
   * Immutable.
   *
   * @param version its number, {@code null} for what is not kept
   * @param name its status, or where it came from
   * @param fetched {@code null} for what is not kept
   * @param heldGood the good senders that {@code feeds accept} would list of what is held
   */
  private record Side(
      @Nullable Long version,
      String name,
      @Nullable Instant fetched,
      GuardedText side,
      KnownGoodHits heldGood) {

    static Side of(Kept kept) {
      return of(kept, KnownGoodHits.NONE);
    }

    /** A version as {@code feeds accept} would make it live. */
    static Side held(Kept kept) {
      return of(kept, kept.knownGood());
    }

    private static Side of(Kept kept, KnownGoodHits good) {
      return new Side(kept.id(), kept.status(), kept.fetched(), kept.side(), good);
    }

    static Side of(String place, GuardedText side) {
      return new Side(null, place, null, side, KnownGoodHits.NONE);
    }

    /** The live side of a feed that has no live version. */
    static Side nothing(Side other) {
      return new Side(null, "nothing is live", null, other.side.emptied(), KnownGoodHits.NONE);
    }

    JsonObject toJson() {
      return JsonValue.object()
          .put("version", version == null ? JsonValue.NULL : JsonValue.of(version))
          .put("status", version == null ? null : name)
          .put("source", version == null ? name : null)
          .put("format", side.format().name())
          .put("fetched", fetched == null ? null : fetched.toString())
          .build();
    }
  }

  private record Samples(List<FeedDiff.Sample> added, List<FeedDiff.Sample> removed) {}

  /** A good sender, and why it would be listed. */
  private record Refused(
      IpAddress client,
      @Nullable String sender,
      Instant seen,
      String subject,
      @Nullable String entry,
      @Nullable Integer line) {
    static Refused of(KnownSender sender, Answer answer) {
      return new Refused(
          sender.client(),
          sender.sender().isEmpty() ? null : sender.sender(),
          sender.seen(),
          answer.subject(),
          answer.entry(),
          answer.line());
    }
  }
}
