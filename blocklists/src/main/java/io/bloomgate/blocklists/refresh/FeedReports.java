package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.guard.KnownGoodHits;
import io.bloomgate.blocklists.refresh.FeedRecord.Outcome;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects the status of feeds for {@code feeds list} and {@code feeds show}. Any thread. */
final class FeedReports {

  private final RefreshParts parts;
  private final FeedFiles files;
  private final FeedArchive archive;

  FeedReports(RefreshParts parts, FeedFiles files, FeedArchive archive) {
    this.parts = parts;
    this.files = files;
    this.archive = archive;
  }

  private Collection<Source> sources() {
    return parts.settings().get().feeds().sources().values();
  }

  Map<String, Instant> lastSuccess() {
    return times(record -> record.times().success());
  }

  Map<String, Instant> lastChange() {
    return times(record -> record.times().change());
  }

  Map<String, Instant> lastAttempt() {
    return times(record -> record.times().attempt());
  }

  Map<String, Integer> failures() {
    Map<String, Integer> failures = new LinkedHashMap<>();
    sources().forEach(s -> failures.put(s.name(), archive.get(s.name()).times().failures()));
    return failures;
  }

  Map<String, Instant> heldSince() {
    return times(FeedRecord::heldSince);
  }

  private Map<String, Instant> times(Function<FeedRecord, @Nullable Instant> which) {
    Map<String, Instant> times = new LinkedHashMap<>();
    for (Source source : sources()) {
      Instant time = which.apply(archive.get(source.name()));
      if (time != null) {
        times.put(source.name(), time);
      }
    }
    return times;
  }

  List<String> rolledBack() {
    return sources().stream()
        .map(Source::name)
        .filter(name -> archive.get(name).isRolledBack())
        .toList();
  }

  Map<String, FeedState> states() {
    Map<String, FeedState> states = new LinkedHashMap<>();
    sources().forEach(s -> states.put(s.name(), state(s)));
    return states;
  }

  Map<String, FeedAge> ages() {
    Map<String, FeedAge> ages = new LinkedHashMap<>();
    sources().forEach(s -> ages.put(s.name(), age(s, archive.get(s.name()))));
    return ages;
  }

  private FeedAge age(Source source, FeedRecord record) {
    return FeedAge.of(source, record, parts.clock().instant());
  }

  /** The state of a feed now. */
  FeedState state(Source source) {
    FeedRecord record = archive.get(source.name());
    if (record.pause().holdsAt(parts.steady().instant())) {
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
      case UNTRIED, HELD, REJECTED, FAILED, ENDED ->
          age(source, record) == FeedAge.CURRENT ? FeedState.CACHED : FeedState.STALE;
    };
  }

  /** The status of one feed. */
  FeedStatus status(Source source) {
    FeedRecord record = archive.get(source.name());
    FeedRecord.Times times = record.times();
    long entries =
        parts
            .live()
            .current()
            .manifest()
            .feed(source.name())
            .map(c -> c.entries() + c.exceptions())
            .orElse(0L);
    FeedState state = state(source);
    return new FeedStatus(
        source.name(),
        state,
        entries,
        version(source.name(), record.live()).map(FeedVersion::invalid).orElse(0L),
        times.change(),
        times.success(),
        times.attempt(),
        record.pause().disabled() ? null : next(times),
        parts.hits().applyAsLong(source.name()),
        source.action(),
        problem(source, record),
        age(source, record),
        state == FeedState.DISABLED ? record.pause().until() : null);
  }

  private static @Nullable Instant next(FeedRecord.Times times) {
    Instant due = times.due();
    Instant notBefore = times.notBefore();
    return due != null && notBefore != null && notBefore.isAfter(due) ? notBefore : due;
  }

  private @Nullable String problem(Source source, FeedRecord record) {
    if (record.outcome() == Outcome.UNTRIED && record.live() == 0) {
      return "waiting for the first fetch";
    }
    List<String> problems = new ArrayList<>();
    parts.breaker().sentence(record.name()).ifPresent(problems::add);
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
    FeedAge age = age(source, record);
    if (age != FeedAge.CURRENT) {
      problems.add(age.notice(record));
    }
    lostHalf(record).ifPresent(problems::add);
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
        + "; `bloomgate feeds accept "
        + record.name()
        + "` takes the newest";
  }

  private Optional<String> lostHalf(FeedRecord record) {
    return version(record.name(), record.live())
        .filter(FeedVersion::wasLive)
        .flatMap(live ->
            VersionOfYesterday.lostHalf(
                versions(record.name()), record, live, parts.clock().instant()));
  }

  /** Alarms about feeds that their state does not show: a sentence for each feed. */
  Map<String, String> alarms() {
    Map<String, String> alarms = new LinkedHashMap<>();
    for (Source source : sources()) {
      List<String> sentences = new ArrayList<>();
      parts.breaker().sentence(source.name()).ifPresent(sentences::add);
      lostHalf(archive.get(source.name())).ifPresent(sentences::add);
      if (!sentences.isEmpty()) {
        alarms.put(source.name(), String.join("; ", sentences));
      }
    }
    return alarms;
  }

  private static String heldEntries(FeedRecord record, FeedVersion version) {
    return (record.problem().isEmpty() ? "" : "of the live version ")
        + String.join(", ", version.entryReasons())
        + "; `bloomgate feeds show "
        + record.name()
        + "` names them";
  }

  /** All that is known of one feed. */
  FeedStatus.Details details(Source source) {
    FeedRecord record = archive.get(source.name());
    Optional<FeedVersion> waiting = version(source.name(), record.held());
    Optional<FeedVersion> judged =
        waiting.or(() ->
            version(source.name(), record.live())
                .filter(live -> live.holdsEntries() || live.sharesHosts()));
    KnownGoodHits knownGood = parts.live().current().manifest().knownGood().of(source.name());
    List<String> reasons =
        new ArrayList<>(
            judged
                .map(v -> waiting.isPresent() ? v.reasons() : v.entryReasons())
                .orElse(List.of()));
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
        parts.breaker().report(source.name()).orElse(null),
        knownGood,
        judged.map(FeedVersion::knownGood).orElse(KnownGoodHits.NONE),
        versions(source.name()).stream().map(version -> shown(version, record)).toList());
  }

  private static FeedStatus.Version shown(FeedVersion version, FeedRecord record) {
    FeedVersion.Accepted accepted = version.accepted();
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

  /** Where the live version came from: a mirror, perhaps. */
  private @Nullable String servedBy(FeedRecord record) {
    return version(record.name(), record.live())
        .map(v -> v.validators().servedBy())
        .filter(address -> !address.isEmpty())
        .orElse(null);
  }

  private Optional<FeedVersion> version(String name, long id) {
    try {
      return files.version(name, id);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private List<FeedVersion> versions(String name) {
    try {
      return files.versions(name);
    } catch (IOException e) {
      return List.of();
    }
  }
}
