package io.bloomgate.blocklists;

import io.bloomgate.blocklists.fetch.FeedSource;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.guard.FeedOverlap;
import io.bloomgate.blocklists.guard.FeedQueries;
import io.bloomgate.blocklists.guard.FeedReport;
import io.bloomgate.blocklists.guard.FeedTest;
import io.bloomgate.blocklists.guard.GuardedText;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.impact.Candidate;
import io.bloomgate.blocklists.impact.CandidateLists;
import io.bloomgate.blocklists.impact.Side;
import io.bloomgate.blocklists.operator.KnownGoodFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.refresh.KeptVersions;
import io.bloomgate.blocklists.refresh.KeptVersions.Kept;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Feeds for the command line, with or without a running gateway: tries a list before its first
 * load, reads the kept versions, fetches what is compared with them. Changes nothing in the state
 * directory. For one thread.
 */
public final class OfflineFeeds implements AutoCloseable {

  private final @Nullable ListRules rules;
  private final FeedSources sources;
  private final InstantSource clock;

  /** The fetched files, which are read until the end of a comparison. */
  private final List<Path> fetched = new ArrayList<>();

  /** The result of a fetch for {@code feeds diff}. */
  public sealed interface Fetched {

    /**
     * A version that is ready to be compared.
     *
     * @param shown the place, without secrets
     */
    record Ready(String shown, GuardedText side) implements Fetched {}

    /** The fetch failed. */
    record Failed(String message) implements Fetched {}
  }

  /**
   * Fetches nothing yet.
   *
   * @param rules of the settings; {@code null} where there are none: then the defaults count
   * @param executor runs a fetch
   * @param nanoTime monotonic time in nanoseconds
   */
  public OfflineFeeds(
      @Nullable ListRules rules, Executor executor, LongSupplier nanoTime, InstantSource clock) {
    this.rules = rules;
    this.clock = clock;
    this.sources =
        new FeedSources(
            executor, nanoTime, clock, rules == null ? null : rules.settings().feeds().proxy());
  }

  /**
   * Reads a list and judges it as a first load.
   *
   * @param temporary an existing directory
   * @throws IOException when the temporary directory cannot be written
   */
  public FeedTest.Outcome test(FeedTest.Request request, Path temporary) throws IOException {
    Optional<Source> feed = sourceAt(request.source());
    Settings.Feeds.Guard guard = feed.map(Source::guard).orElseGet(this::guard);
    boolean allowBogons = feed.map(Source::allowBogons).orElse(false);
    return new FeedTest(sources, guard, allowBogons, protectedSets(), temporary, clock)
        .run(request);
  }

  /** The feed of the settings that is fetched from this place, whose own guard counts for it. */
  public Optional<Source> sourceAt(String place) {
    return rules == null
        ? Optional.empty()
        : rules.settings().feeds().sources().values().stream()
            .filter(source -> isAt(source.location(), place))
            .findFirst();
  }

  private static boolean isAt(Location location, String place) {
    return switch (location) {
      case Location.Files(String pattern) ->
          !place.contains("://")
              && (pattern.equals(place)
                  || pattern.equals(Path.of(place).toAbsolutePath().normalize().toString()));
      case Location.Url web -> web.url().text().equals(place);
      case Location.Rsync(FeedUrl url) -> url.text().equals(place);
    };
  }

  /**
   * Builds lists beside the live generation, guarded as feeds of the settings are.
   *
   * @param temporary an existing directory
   * @param random for the seed of the filters
   * @throws CandidateLists.UnusableException when none of them can be used
   * @throws IOException when the temporary directory cannot be written
   */
  public CandidateLists candidates(List<Candidate> wanted, Path temporary, RandomGenerator random)
      throws IOException, CandidateLists.UnusableException {
    return CandidateLists.build(
        wanted,
        new CandidateLists.Means(sources, guard(), protectedSets(), random, clock, temporary));
  }

  /** The side that has these lists alone, for a mail server without a gateway. */
  public Side alone(CandidateLists candidates) {
    return Side.withoutLists(protectedSets()).with(candidates);
  }

  private Settings.Feeds.Guard guard() {
    return rules == null ? FeedTest.DEFAULT_GUARD : rules.settings().feeds().guard();
  }

  private List<ProtectedSet> protectedSets() {
    return rules == null
        ? ProtectedSet.of(EnumSet.allOf(NeverBlock.class), List.of(), List.of(), List.of())
        : rules.guarded();
  }

  /**
   * The good senders of these files and, of the settings, those of known-good files, allow entries,
   * and senders whose mail was accepted, for {@link #test}; {@code null} where none is known and no
   * file was named.
   *
   * @param place what is tested
   * @param warnings receives a sentence for what cannot be used
   */
  public FeedTest.@Nullable Good good(List<Path> files, String place, Consumer<String> warnings) {
    List<Path> all = new ArrayList<>(files);
    KnownSenders senders = KnownSenders.nobody();
    List<Subject> allowed = List.of();
    if (rules != null) {
      all.addAll(rules.settings().allow().knownGood());
      if (Files.exists(stateDir()) && !Files.isReadable(stateDir())) {
        warnings.accept("good senders are not known: you may not read " + stateDir());
      }
      try {
        senders = KnownSenders.read(stateDir().resolve(KnownSenders.FILE_NAME), clock.instant());
      } catch (IOException e) {
        warnings.accept("good senders are not known: " + Faults.words(e));
      }
      allowed = allowed(rules, warnings);
    }
    KnownGood owners = KnownGoodFiles.read(all, warnings).and(allowed);
    return files.isEmpty() && owners.isEmpty() && senders.hosts() == 0
        ? null
        : new FeedTest.Good(
            owners, senders, sourceAt(place).map(Source::action).orElse(Action.REJECT));
  }

  private List<Subject> allowed(ListRules of, Consumer<String> warnings) {
    Path entries = stateDir().resolve(OperatorLists.FILE_NAME);
    if (!Files.isReadable(entries)) {
      return List.of();
    }
    try (OperatorLists operator = OperatorLists.openReadOnly(entries, of.listFiles(clock), clock)) {
      return ListRules.allowed(operator, warnings);
    } catch (OperatorListsException e) {
      warnings.accept("allow entries are not known: " + e.userMessage());
      return List.of();
    }
  }

  /**
   * The kept versions of a feed of the settings.
   *
   * @throws IOException when what is there cannot be read; what is missing is no failure
   */
  public KeptVersions versions(Source source) throws IOException {
    return KeptVersions.of(stateDir(), source, protectedSets());
  }

  /**
   * Fetches a file or web address as a new version of the feed would be.
   *
   * @param temporary an existing directory; what is fetched into it is removed by {@link #close}
   * @throws IllegalArgumentException when the place is neither a file nor a web address
   * @throws IOException when the temporary directory cannot be written, or the list not be read
   */
  public Fetched fetch(String place, KeptVersions versions, Path temporary) throws IOException {
    FeedSource from = sources.named(place);
    Path directory = Files.createTempDirectory(temporary, "feed-diff");
    fetched.add(directory);
    return switch (from.fetch(Validators.NONE, directory)) {
      case FetchResult.Fetched result ->
          new Fetched.Ready(from.shown(), versions.fresh(result.content()));
      case FetchResult.Failed failed -> new Fetched.Failed(failed.message());
      case FetchResult.NotModified ignored ->
          new Fetched.Failed(from.shown() + " answered 304 unasked");
    };
  }

  /**
   * The answers of the second side for subjects that the first does not list.
   *
   * @param temporary an existing directory
   * @throws IOException when the directory cannot be written, or a side cannot be read
   */
  public List<FeedReport.Answer> newlyListed(
      GuardedText from, GuardedText to, List<String> subjects, Path temporary) throws IOException {
    return FeedQueries.newlyListed(from, to, subjects, temporary, clock);
  }

  /**
   * Asks some entries of each live feed of all other feeds, and good senders of all feeds. Feeds
   * that the settings do not have any more are left out.
   *
   * @param knownGood files of good senders
   * @param warnings receives a sentence for what of these cannot be used
   * @throws IOException when the generation or a version cannot be read
   */
  public FeedOverlap overlap(List<Path> knownGood, Consumer<String> warnings) throws IOException {
    Settings settings = Optional.ofNullable(rules).orElseThrow().settings();
    FeedOverlap overlap =
        new FeedOverlap(
            OfflineBlocklists.snapshot(stateDir().resolve(OfflineBlocklists.SNAPSHOTS)));
    for (FeedCounts feed : overlap.feeds()) {
      Source source = settings.feeds().sources().get(feed.name());
      Optional<Kept> live = source == null ? Optional.empty() : versions(source).live();
      if (live.isPresent()) {
        FeedOverlap.Sample sample = new FeedOverlap.Sample();
        live.get().side().entries(sample);
        overlap.ask(feed.name(), sample);
      }
    }
    overlap.askGood(KnownGoodFiles.read(knownGood, warnings));
    return overlap;
  }

  /**
   * Number of the last generation, 0 for none.
   *
   * @throws IOException when it cannot be read
   */
  public long generation() throws IOException {
    return SnapshotStore.currentNumber(stateDir().resolve(OfflineBlocklists.SNAPSHOTS));
  }

  private Path stateDir() {
    return Optional.ofNullable(rules).orElseThrow().settings().stateDir();
  }

  @Override
  public void close() throws IOException {
    sources.close();
    for (Path directory : fetched) {
      DurableFiles.deleteTree(directory);
    }
  }
}
