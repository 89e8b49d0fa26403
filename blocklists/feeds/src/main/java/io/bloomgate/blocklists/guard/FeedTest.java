package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.format.FeedLimits;
import io.bloomgate.blocklists.format.FeedSink;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.Octets;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.senders.GoodSenders;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate feeds test}: what a file or URL would be as a feed, without a gateway and
 * without changing anything. Called by the command line.
 *
 * @param guard {@link #DEFAULT_GUARD} without settings
 * @param allowBogons the feed of the settings may list reserved networks
 * @param protectedSets as the settings say, see {@link ProtectedSet#of}
 * @param temporary an existing directory for what is fetched; emptied again
 * @param clock of the lists that are built to be asked
 */
public record FeedTest(
    FeedSources sources,
    Settings.Feeds.Guard guard,
    boolean allowBogons,
    List<ProtectedSet> protectedSets,
    Path temporary,
    InstantSource clock) {

  public FeedTest {
    protectedSets = List.copyOf(protectedSets);
  }

  /** The guard where no settings file says otherwise. */
  public static final Settings.Feeds.Guard DEFAULT_GUARD =
      new Settings.Feeds.Guard(0.5, 3.0, 0.5, 0.05, 8, 19, 0.2, 20, Duration.ofDays(3), 5);

  /**
   * The request for a test.
   *
   * @param source file, glob or URL, as given
   * @param format a name of {@link FeedFormat#kinds}, {@code null} to find it
   * @param match {@code null} for what the format says
   * @param checks that a feed of it would have; empty for all that its format can give
   * @param queries subjects to ask, in order
   * @param good senders whose listing is reported, and holds entries back; {@code null} for none
   */
  public record Request(
      String source,
      @Nullable String format,
      @Nullable Match match,
      Set<Check> checks,
      List<String> queries,
      @Nullable Good good) {
    public Request {
      checks = Set.copyOf(checks);
      queries = List.copyOf(queries);
    }
  }

  /**
   * Good senders.
   *
   * @param owners what files name
   * @param senders whose mail was accepted
   * @param action of a feed of it: few are enough for one that refuses
   */
  public record Good(KnownGood owners, KnownSenders senders, Action action) {}

  /** The outcome of a test. */
  public sealed interface Outcome {
    /** The source was read; the guard's verdict is inside. */
    record Tested(FeedReport report) implements Outcome {}

    /** A test could not be made; the exit code is 1 or 2. */
    record Failed(int exitCode, String message, String hint) implements Outcome {}
  }

  /** The list with what is held back. */
  private static final String ALL = "all";

  private static final String LIVE = "live";

  /**
   * Reads the source and judges it as a first load.
   *
   * @throws IOException when the temporary directory cannot be written
   */
  public Outcome run(Request request) throws IOException {
    @Nullable FeedFormat chosen = null;
    if (request.format() != null) {
      switch (FeedFormat.named(request.format())) {
        case Parsed.Ok<FeedFormat>(FeedFormat format, var ignored) -> chosen = format;
        case Parsed.Bad<FeedFormat>(String hint) -> {
          return new Outcome.Failed(
              2, "there is no format \"" + Octets.escape(request.format()) + "\"", hint);
        }
      }
    }
    return fetchAndRead(request, chosen);
  }

  private Outcome fetchAndRead(Request request, @Nullable FeedFormat chosen) throws IOException {
    FeedSource source;
    try {
      source = sources.named(request.source());
    } catch (IllegalArgumentException e) {
      return new Outcome.Failed(2, "not a URL: " + new FeedUrl(request.source()).shown(), "");
    }
    Path directory = Files.createTempDirectory(temporary, "feed-test");
    try {
      return switch (source.fetch(Validators.NONE, directory)) {
        case FetchResult.Fetched(FeedContent content, var marks, var accepted) ->
            new Outcome.Tested(
                report(request, source, content, chosen == null ? content.detect() : chosen));
        case FetchResult.NotModified ignored ->
            new Outcome.Failed(1, source.shown() + " answered 304 unasked", "");
        case FetchResult.Failed failed -> new Outcome.Failed(1, failed.message(), "");
      };
    } finally {
      DurableFiles.deleteTree(directory);
    }
  }

  private FeedReport report(
      Request request, FeedSource source, FeedContent content, FeedFormat format)
      throws IOException {
    FeedFormat whole =
        request.checks().isEmpty() ? format.whole() : format.forChecks(request.checks());
    EntryGuard rules = new EntryGuard(guard, allowBogons, protectedSets).reading(whole);
    Asked asked = asked(request, new GuardedText(content, whole, request.match(), rules));
    EntryGuard holding = rules.holdingToo(EntryKeys.of(asked.held));
    Seen seen = new Seen();
    DigestedVersion read = new GuardedText(content, whole, request.match(), holding).digested(seen);
    FeedGuard.Judgement judgement = FeedGuard.judgeFirst(guard, read, content.looksLikeWebPage());
    return new FeedReport(
        source.shown(),
        format.name(),
        read.totals(),
        read.digest(),
        seen.names,
        seen.problems,
        judgement,
        asked.answers,
        asked.hits);
  }

  /**
   * The answers of a build of the list.
   *
   * @param hits the good senders that it lists, {@code null} when nobody asked
   * @param held entries that are held back for them
   */
  private record Asked(
      List<FeedReport.Answer> answers, @Nullable KnownGoodHits hits, List<ListEntry> held) {}

  private Asked asked(Request request, GuardedText list) throws IOException {
    Good good = request.good();
    List<FeedInput> lists = new ArrayList<>();
    if (!request.queries().isEmpty()) {
      lists.add(new FeedInput(ALL, "1", entries -> list.all(entries::accept)));
    }
    if (good != null) {
      lists.add(new FeedInput(LIVE, "1", entries -> list.live(entries::accept)));
    }
    return lists.isEmpty()
        ? new Asked(List.of(), null, List.of())
        : FeedQueries.ask(lists, temporary, clock, built -> asked(request, built));
  }

  private Asked asked(Request request, ListSnapshot lists) {
    List<FeedReport.Answer> answers =
        request.queries().stream().map(text -> FeedQueries.answer(lists, ALL, text)).toList();
    Good good = request.good();
    if (good == null) {
      return new Asked(answers, null, List.of());
    }
    Source feed = feed(request, good.action);
    Instant now = clock.instant();
    return new Asked(
        answers,
        GoodSenders.with(good.owners, feed, good.senders, now).in(lists).of(LIVE),
        GoodSenders.heldAtFirst(lists, feed, good.senders, good.owners, now));
  }

  /** The list as a feed. */
  private Source feed(Request request, Action action) {
    return new Source(
        LIVE,
        new Location.Files(request.source()),
        "",
        request.checks().isEmpty() ? Set.copyOf(Check.WITHOUT_LOOK_UP) : request.checks(),
        Duration.ZERO,
        Duration.ZERO,
        Duration.ZERO,
        action,
        request.match(),
        allowBogons,
        false,
        "",
        LIVE,
        guard);
  }

  /** Keeps the first problems, and counts how the names match. */
  private static final class Seen implements FeedSink {
    private final List<ParseProblem> problems = new ArrayList<>();
    private final Map<NameMatch, Long> names = new EnumMap<>(NameMatch.class);

    @Override
    public void entry(ListEntry entry) {
      if (entry instanceof ListEntry.Domain domain && !domain.exception()) {
        names.merge(domain.match(), 1L, Long::sum);
      }
    }

    @Override
    public void problem(ParseProblem problem) {
      if (problems.size() < FeedLimits.SHOWN_PROBLEMS) {
        problems.add(problem);
      }
    }
  }
}
