package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.refresh.FeedStatus.Health;
import io.bloomgate.blocklists.senders.FeedHits;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects the status of feeds for {@code feeds list} and {@code feeds show}. Any thread. */
public record FeedReports(RefreshParts parts, FeedArchive archive) {

  /** A copy that was not renewed for longer than this is an alarm. */
  private static final Duration CACHED_TOO_LONG = Duration.ofDays(1);

  /** Makes a note where more than one line in ten is no entry: it may be another format. */
  private static final int MANY_INVALID = 10;

  private Collection<Source> sources() {
    return parts.feeds().values();
  }

  /**
   * The time when each feed was last found current, for ageing; feeds that never were are missing.
   */
  public Map<String, Instant> lastSuccess() {
    return times(record -> record.times().success());
  }

  /** The number of tries in a row without success, by feed. */
  public Map<String, Integer> failures() {
    Map<String, Integer> failures = new LinkedHashMap<>();
    sources().forEach(source -> failures.put(source.name(), record(source).times().failures()));
    return failures;
  }

  /**
   * The time since which each feed has versions that are held; feeds without such a version are
   * missing.
   */
  public Map<String, Instant> heldSince() {
    return times(FeedRecord::heldSince);
  }

  private Map<String, Instant> times(Function<FeedRecord, @Nullable Instant> which) {
    Map<String, Instant> times = new LinkedHashMap<>();
    for (Source source : sources()) {
      Instant time = which.apply(record(source));
      if (time != null) {
        times.put(source.name(), time);
      }
    }
    return times;
  }

  /** Names of feeds whose live version is older than one that was rolled back. */
  public List<String> rolledBack() {
    return sources().stream()
        .map(Source::name)
        .filter(name -> archive.get(name).isRolledBack())
        .toList();
  }

  /** The record, of which nothing counts that a former address of the feed answered. */
  private FeedRecord record(Source source) {
    return archive.get(source, parts.now());
  }

  private FeedAge age(Source source, FeedRecord record) {
    return FeedAge.of(source, record, parts.now());
  }

  /** The state of a feed now. */
  private FeedState state(Source source, FeedRecord record) {
    if (record.pause().holdsAt(parts.now())) {
      return FeedState.DISABLED;
    }
    if (record.held() != 0) {
      return FeedState.HELD;
    }
    if (record.live() == 0) {
      return FeedState.FAILED;
    }
    return switch (record.outcome()) {
      case FRESH -> FeedState.FRESH;
      case UNCHANGED -> FeedState.UNCHANGED;
      case UNTRIED, HELD, REJECTED, FAILED, GONE, ENDED ->
          age(source, record) == FeedAge.CURRENT ? FeedState.CACHED : FeedState.STALE;
    };
  }

  /** The status of one feed. */
  FeedStatus status(Source source) {
    FeedRecord record = record(source);
    FeedRecord.Times times = record.times();
    FeedState state = state(source, record);
    String problem = problem(source, record);
    return new FeedStatus(
        source.name(),
        state,
        parts.liveEntries(source.name()),
        version(source.name(), record.live()).map(FeedVersion::invalid).orElse(0L),
        times.change(),
        times.success(),
        times.attempt(),
        state == FeedState.DISABLED ? null : next(times),
        parts.operator().hits().applyAsLong(source.name()),
        source.action(),
        problem,
        age(source, record),
        health(source, record, state, problem != null),
        record.outcome(),
        state == FeedState.DISABLED ? record.pause().until() : null);
  }

  private static @Nullable Instant next(FeedRecord.Times times) {
    Instant due = times.due();
    Instant notBefore = times.notBefore();
    return due != null && notBefore != null && notBefore.isAfter(due) ? notBefore : due;
  }

  private @Nullable String problem(Source source, FeedRecord record) {
    List<String> problems = new ArrayList<>();
    if (record.outcome() == LastCheck.UNTRIED) {
      problems.add(
          record.live() == 0
              ? "waiting for the first fetch"
              : "waiting for the first fetch from its address; what is live came before");
    }
    hits(source).sentence(source.name(), parts.now()).ifPresent(problems::add);
    if (!record.problem().isEmpty()) {
      problems.add(record.problem());
    }
    Instant held = record.heldSince();
    if (held != null) {
      problems.add(held(record, held));
    }
    version(source.name(), record.live())
        .filter(FeedVersion::holdsEntries)
        .ifPresent(version -> problems.add(heldEntries(record, version)));
    version(source.name(), record.live())
        .filter(version -> MANY_INVALID * version.invalid() > version.entries())
        .ifPresent(version ->
            problems.add(
                Quantities.count(
                        version.invalid(), "line of it is no entry", "lines of it are no entries")
                    + "; `bloomgate feeds test` with its file or address shows them"));
    FeedAge age = age(source, record);
    if (age != FeedAge.CURRENT) {
      problems.add(age.notice(source, record));
    }
    if (record.isRolledBack()) {
      problems.add(
          "rolled back by "
              + record.rollback().by()
              + "; stays until another version is published");
    }
    return problems.isEmpty() ? null : String.join("; ", problems);
  }

  /** The source is checked, but what is live is not what it says today. */
  private static String held(FeedRecord record, Instant since) {
    Instant change = record.times().change();
    return (record.live() == 0 || change == null
            ? "nothing is live: "
            : "the live version is of " + change.truncatedTo(ChronoUnit.SECONDS) + ": ")
        + "versions are held since "
        + since.truncatedTo(ChronoUnit.SECONDS)
        + "; look first with `bloomgate feeds diff "
        + record.name()
        + " --held`, then `bloomgate feeds accept "
        + record.name()
        + "` takes the newest";
  }

  /**
   * The health of the feed. A source that cannot be reached may be back soon; a list that ended is
   * not.
   */
  private Health health(Source source, FeedRecord record, FeedState state, boolean problem) {
    boolean hitsGoodSenders = hits(source).alarms(parts.now());
    return switch (state) {
      case DISABLED -> Health.GOOD;
      case HELD, STALE -> Health.ALARM;
      case FAILED -> record.outcome() == LastCheck.UNTRIED ? Health.NOTE : Health.ALARM;
      case CACHED -> isBroken(source, record) || hitsGoodSenders ? Health.ALARM : Health.NOTE;
      case FRESH, UNCHANGED ->
          hitsGoodSenders || age(source, record) != FeedAge.CURRENT
              ? Health.ALARM
              : problem ? Health.NOTE : Health.GOOD;
    };
  }

  /** True when the last try failed in a way that time alone does not cure, or for long. */
  private boolean isBroken(Source source, FeedRecord record) {
    Instant success = record.times().success();
    return switch (record.outcome()) {
      case UNTRIED -> false;
      case REJECTED, GONE, ENDED -> true;
      case FRESH, UNCHANGED, HELD, FAILED ->
          source.location() instanceof Location.Files
              || success == null
              || success.isBefore(parts.now().minus(CACHED_TOO_LONG));
    };
  }

  private static String heldEntries(FeedRecord record, FeedVersion version) {
    String reasons =
        version.entryReasons().stream().map(FeedGuard::advice).collect(Collectors.joining(", "));
    return (record.problem().isEmpty() ? "" : "of the live version ")
        + reasons
        + "; `bloomgate feeds show "
        + record.name()
        + "` names them";
  }

  /** All that is known of one feed. */
  FeedStatus.Details details(Source source) {
    FeedRecord record = record(source);
    Optional<FeedVersion> waiting = version(source.name(), record.held());
    Optional<FeedVersion> judged =
        waiting.or(() ->
            version(source.name(), record.live())
                .filter(live -> live.holdsEntries() || live.hasNotes()));
    KnownGoodHits knownGood = parts.manifest().knownGood().of(source.name());
    List<String> reasons =
        new ArrayList<>(
            judged
                .map(v -> waiting.isPresent() ? v.reasons() : v.entryReasons())
                .orElse(List.of()));
    afterFailure(record).ifPresent(reasons::add);
    if (knownGood.allowed() > 0) {
      reasons.add(KnownGoodLog.allowed(knownGood));
    }
    return new FeedStatus.Details(
        status(source),
        source.location().shown(),
        servedBy(record),
        judged.map(FeedVersion::heldEntries).orElse(0L),
        reasons,
        judged.map(FeedVersion::held).orElse(List.of()),
        hits(source).networks() == 0 ? null : hits(source),
        knownGood,
        judged.map(FeedVersion::knownGood).orElse(KnownGoodHits.NONE),
        archive.files().versions(source.name()).stream()
            .map(version -> shown(version, record))
            .toList());
  }

  private static FeedStatus.Version shown(FeedVersion version, FeedRecord record) {
    Acceptance accepted = version.accepted();
    return new FeedStatus.Version(
        version.id(),
        record.status(version.id()),
        version.fetched(),
        version.format(),
        version.entries(),
        version.invalid(),
        version.heldEntries(),
        version.sha256(),
        accepted == null ? null : accepted.by(),
        accepted == null ? null : accepted.at(),
        version.entriesAccepted());
  }

  /** The address that served the live version: a mirror, perhaps. */
  private @Nullable String servedBy(FeedRecord record) {
    return version(record.name(), record.live())
        .map(v -> v.validators().servedBy())
        .filter(address -> !address.isEmpty())
        .orElse(null);
  }

  private FeedHits hits(Source source) {
    return parts.breaker().hits(source.name());
  }

  private Optional<FeedVersion> version(String name, long id) {
    return archive.files().version(name, id);
  }

  /**
   * The versions in the live generation, for the leader of a fleet; asked on its thread, while the
   * refresher may change what is stored: a version that has just gone is left out.
   */
  public List<LiveVersion> liveVersions() {
    List<LiveVersion> all = new ArrayList<>();
    for (FeedCounts feed : parts.manifest().feeds()) {
      String name = feed.name();
      version(name, feed.number())
          .filter(version -> parts.feeds().containsKey(name))
          .ifPresent(version -> all.add(liveVersion(name, version)));
    }
    return all;
  }

  private LiveVersion liveVersion(String name, FeedVersion version) {
    FeedRecord record = archive.get(name);
    Instant success = record.times().success();
    return new LiveVersion(
        name,
        version.id(),
        success == null ? version.fetched() : success,
        accepted(record, version),
        () -> archive.whole(name, version).map(VersionReader.Stored::content),
        archive.files().goodFile(version, name));
  }

  /**
   * The acceptance of a version; a person who goes back to an older version has looked at it, so
   * followers need not be asked again.
   */
  private static @Nullable Acceptance accepted(FeedRecord record, FeedVersion version) {
    Acceptance accepted = version.accepted();
    Instant at = record.rollback().at();
    if (at != null && record.isRolledBack() && record.rollback().to() == version.id()) {
      accepted = new Acceptance(record.rollback().by(), at, version.entriesAccepted());
    }
    if (accepted == null) {
      return null;
    }
    // A name that a manifest may hold.
    String plain = accepted.by().replaceAll("[^!-~]", "_");
    String by = plain.isEmpty() ? "operator" : plain.substring(0, Math.min(64, plain.length()));
    return new Acceptance(by, accepted.at(), accepted.entries());
  }

  /**
   * Says after a try that gave no list what goes on, and what ends it; empty where the try gave
   * one.
   */
  static Optional<String> afterFailure(FeedRecord record) {
    return switch (record.outcome()) {
      case UNTRIED, FRESH, UNCHANGED, HELD -> Optional.empty();
      case REJECTED, FAILED, GONE, ENDED ->
          record.live() == 0
              ? Optional.empty()
              : Optional.of(
                  "its entries of before stay in force until the list can be used again, the"
                      + " settings give another address, or `bloomgate feeds remove "
                      + record.name()
                      + "`");
    };
  }

  /**
   * A version of a feed that is live on this gateway: what a leader publishes. Immutable; made by
   * the feed-refresher, read on the fleet's thread.
   *
   * @param number that the gateway gave the version
   * @param checked when it was last found to be the feed's own
   * @param accepted who let it through, {@code null} where the guard did
   * @param content its octets, proven by their digest when asked for; empty when they are lost
   * @param held file of {@link io.bloomgate.blocklists.guard.EntryKeys} that are not live, as they
   *     list good senders; empty for none
   */
  public record LiveVersion(
      String feed,
      long number,
      Instant checked,
      @Nullable Acceptance accepted,
      Supplier<Optional<FeedContent>> content,
      Optional<Path> held) {}
}
