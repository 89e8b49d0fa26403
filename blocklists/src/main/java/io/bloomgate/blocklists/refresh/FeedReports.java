package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.guard.HeldEntry;
import io.bloomgate.blocklists.guard.KnownGoodHits;
import io.bloomgate.blocklists.refresh.FeedRecord.Outcome;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The objects of {@code feeds list} and {@code feeds show} (contract, section 7). Any thread. */
final class FeedReports {

  private final RefreshParts parts;
  private final FeedStore store;
  private final FeedBook book;

  FeedReports(RefreshParts parts, FeedStore store, FeedBook book) {
    this.parts = parts;
    this.store = store;
    this.book = book;
  }

  private Collection<Source> sources() {
    return parts.settings().get().feeds().sources().values();
  }

  Map<String, Instant> lastSuccess() {
    return times(FeedRecord.Times::success);
  }

  Map<String, Instant> lastChange() {
    return times(FeedRecord.Times::change);
  }

  private Map<String, Instant> times(Function<FeedRecord.Times, @Nullable Instant> which) {
    Map<String, Instant> times = new LinkedHashMap<>();
    for (Source source : sources()) {
      Instant time = which.apply(book.get(source.name()).times());
      if (time != null) {
        times.put(source.name(), time);
      }
    }
    return times;
  }

  Map<String, FeedState> states() {
    Map<String, FeedState> states = new LinkedHashMap<>();
    sources().forEach(s -> states.put(s.name(), state(s)));
    return states;
  }

  Map<String, FeedAge> ages() {
    Map<String, FeedAge> ages = new LinkedHashMap<>();
    sources().forEach(s -> ages.put(s.name(), age(s, book.get(s.name()))));
    return ages;
  }

  private FeedAge age(Source source, FeedRecord record) {
    return FeedAge.of(source, record, parts.clock().instant());
  }

  /** How a feed stands now. */
  FeedState state(Source source) {
    FeedRecord record = book.get(source.name());
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
      case UNTRIED, HELD, REJECTED, FAILED ->
          age(source, record) == FeedAge.CURRENT ? FeedState.CACHED : FeedState.STALE;
    };
  }

  /** One line of {@code feeds list}. */
  JsonObject line(Source source) {
    return builder(source).build();
  }

  private JsonValue.ObjectBuilder builder(Source source) {
    FeedRecord record = book.get(source.name());
    FeedRecord.Times times = record.times();
    Optional<FeedVersion> version = version(source.name(), record.live());
    long entries =
        parts
            .live()
            .current()
            .manifest()
            .feed(source.name())
            .map(c -> c.entries() + c.exceptions())
            .orElse(0L);
    FeedState state = state(source);
    JsonValue.ObjectBuilder line =
        JsonValue.object()
            .put("feed", source.name())
            .put("state", state.word())
            .put("entries", entries)
            .put("invalid", version.map(FeedVersion::invalid).orElse(0L))
            .put("changed", FeedRecord.text(times.change()))
            .put("success", FeedRecord.text(times.success()))
            .put("attempt", FeedRecord.text(times.attempt()))
            .put("next", FeedRecord.text(record.pause().disabled() ? null : next(times)))
            .put("hits_24h", parts.hits().applyAsLong(source.name()))
            .put("action", source.action().name().toLowerCase(Locale.ROOT))
            .put("problem", problem(source, record))
            .put("age", age(source, record).word());
    if (state == FeedState.DISABLED && record.pause().until() != null) {
      line.put("disabled_until", FeedRecord.text(record.pause().until()));
    }
    return line;
  }

  private static @Nullable Instant next(FeedRecord.Times times) {
    Instant due = times.due();
    Instant notBefore = times.notBefore();
    return due != null && notBefore != null && notBefore.isAfter(due) ? notBefore : due;
  }

  private @Nullable String problem(Source source, FeedRecord record) {
    if (record.outcome() == Outcome.UNTRIED && record.live() == 0) {
      return "not fetched yet";
    }
    List<String> problems = new ArrayList<>();
    parts.breaker().sentence(record.name()).ifPresent(problems::add);
    if (!record.problem().isEmpty()) {
      problems.add(record.problem());
    }
    version(source.name(), record.live())
        .filter(FeedVersion::holdsEntries)
        .ifPresent(version -> problems.add(heldEntries(version)));
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

  private Optional<String> lostHalf(FeedRecord record) {
    return version(record.name(), record.live())
        .filter(FeedVersion::wasLive)
        .flatMap(live ->
            VersionOfYesterday.lostHalf(
                versions(record.name()), record, live, parts.clock().instant()));
  }

  /** What an operator should hear of feeds that is not in their state: a sentence of each. */
  Map<String, String> alarms() {
    Map<String, String> alarms = new LinkedHashMap<>();
    for (Source source : sources()) {
      List<String> sentences = new ArrayList<>();
      parts.breaker().sentence(source.name()).ifPresent(sentences::add);
      lostHalf(book.get(source.name())).ifPresent(sentences::add);
      if (!sentences.isEmpty()) {
        alarms.put(source.name(), String.join("; ", sentences));
      }
    }
    return alarms;
  }

  private static String heldEntries(FeedVersion version) {
    return String.join(", ", version.entryReasons()) + "; `bloomgate feeds show` names them";
  }

  /** The object of {@code feeds show}. */
  JsonObject show(Source source) {
    FeedRecord record = book.get(source.name());
    Optional<FeedVersion> waiting = version(source.name(), record.held());
    Optional<FeedVersion> judged =
        waiting.or(() -> version(source.name(), record.live()).filter(FeedVersion::holdsEntries));
    KnownGoodHits knownGood = parts.live().current().manifest().knownGood().of(source.name());
    List<String> reasons =
        new ArrayList<>(
            judged
                .map(v -> waiting.isPresent() ? v.reasons() : v.entryReasons())
                .orElse(List.of()));
    if (knownGood.allowed() > 0) {
      reasons.add(KnownGoodLog.allowed(knownGood));
    }
    List<JsonValue> versions = new ArrayList<>();
    for (FeedVersion version : versions(source.name())) {
      FeedVersion.Accepted word = version.accepted();
      versions.add(
          JsonValue.object()
              .put("version", version.id())
              .put("status", record.status(version.id()))
              .put("fetched", version.fetched().toString())
              .put("format", version.format())
              .put("entries", version.entries())
              .put("invalid", version.invalid())
              .put("held_entries", version.heldEntries())
              .put("sha256", version.sha256())
              .put("accepted_by", word == null ? null : word.by())
              .put("accepted_at", word == null ? null : word.at().toString())
              .put("accepted_entries", version.entriesAccepted())
              .build());
    }
    return builder(source)
        .put("source", source.location().shown())
        .put("served_by", servedBy(record))
        .put("held_entries", judged.map(FeedVersion::heldEntries).orElse(0L))
        .put("reasons", JsonValue.ofStrings(reasons))
        .put(
            "held",
            new JsonArray(
                judged.map(FeedVersion::held).orElse(List.of()).stream()
                    .map(HeldEntry::toJson)
                    .toList()))
        .put(
            "breaker",
            new JsonArray(
                parts.breaker().report(source.name()).map(List::<JsonValue>of).orElse(List.of())))
        .put("known_good", knownGood.toJson())
        .put(
            "held_known_good",
            judged.map(FeedVersion::knownGood).orElse(KnownGoodHits.NONE).toJson())
        .put("versions", new JsonArray(versions))
        .build();
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
      return store.version(name, id);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private List<FeedVersion> versions(String name) {
    try {
      return store.versions(name);
    } catch (IOException e) {
      return List.of();
    }
  }
}
