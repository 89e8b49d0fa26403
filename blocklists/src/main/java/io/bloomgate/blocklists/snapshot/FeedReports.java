package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.snapshot.FeedRecord.Outcome;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The objects of {@code feeds list} and {@code feeds show} (contract, section 7). Any thread. */
final class FeedReports {

  private final FeedStore store;
  private final FeedBook book;
  private final LiveSnapshot live;
  private final InstantSource clock;
  private final ToLongFunction<String> hits;

  FeedReports(
      FeedStore store,
      FeedBook book,
      LiveSnapshot live,
      InstantSource clock,
      ToLongFunction<String> hits) {
    this.store = store;
    this.book = book;
    this.live = live;
    this.clock = clock;
    this.hits = hits;
  }

  /** How a feed stands now. */
  FeedState state(Settings.Feeds.Source source) {
    FeedRecord record = book.get(source.name());
    Instant now = clock.instant();
    if (record.pause().holdsAt(now)) {
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
          isStale(source, record, now) ? FeedState.STALE : FeedState.CACHED;
    };
  }

  private static boolean isStale(Settings.Feeds.Source source, FeedRecord record, Instant now) {
    Instant success = record.times().success();
    return source.location() instanceof Settings.Feeds.Location.Url
        && (success == null || now.isAfter(success.plus(source.staleAfter())));
  }

  /** One line of {@code feeds list}. */
  JsonObject line(Settings.Feeds.Source source) {
    return builder(source).build();
  }

  private JsonValue.ObjectBuilder builder(Settings.Feeds.Source source) {
    FeedRecord record = book.get(source.name());
    FeedRecord.Times times = record.times();
    Optional<FeedVersion> version = version(source.name(), record.live());
    long entries =
        live.current()
            .manifest()
            .feed(source.name())
            .map(c -> c.entries() + c.exceptions())
            .orElse(0L);
    return JsonValue.object()
        .put("feed", source.name())
        .put("state", state(source).word())
        .put("entries", entries)
        .put("invalid", version.map(FeedVersion::invalid).orElse(0L))
        .put("changed", FeedRecord.text(times.change()))
        .put("success", FeedRecord.text(times.success()))
        .put("attempt", FeedRecord.text(times.attempt()))
        .put("next", FeedRecord.text(record.pause().disabled() ? null : next(times)))
        .put("hits_24h", hits.applyAsLong(source.name()))
        .put("action", source.action().name().toLowerCase(Locale.ROOT))
        .put("problem", problem(record));
  }

  private static @Nullable Instant next(FeedRecord.Times times) {
    Instant due = times.due();
    Instant notBefore = times.notBefore();
    return due != null && notBefore != null && notBefore.isAfter(due) ? notBefore : due;
  }

  private static @Nullable String problem(FeedRecord record) {
    if (record.outcome() == Outcome.UNTRIED && record.live() == 0) {
      return "not fetched yet";
    }
    return record.problem().isEmpty() ? null : record.problem();
  }

  /** The object of {@code feeds show}. */
  JsonObject show(Settings.Feeds.Source source) {
    FeedRecord record = book.get(source.name());
    Optional<FeedVersion> judged =
        version(source.name(), record.held()).or(() -> version(source.name(), record.live()));
    List<JsonValue> versions = new ArrayList<>();
    for (FeedVersion version : versions(source.name())) {
      versions.add(
          JsonValue.object()
              .put("version", version.id())
              .put("status", status(record, version.id()))
              .put("fetched", version.fetched().toString())
              .put("format", version.format())
              .put("entries", version.entries())
              .put("invalid", version.invalid())
              .put("held_entries", version.heldEntries())
              .put("sha256", version.sha256())
              .build());
    }
    return builder(source)
        .put("held_entries", judged.map(FeedVersion::heldEntries).orElse(0L))
        .put("reasons", JsonValue.ofStrings(judged.map(FeedVersion::reasons).orElse(List.of())))
        .put("versions", new JsonArray(versions))
        .build();
  }

  private static String status(FeedRecord record, long id) {
    return id == record.live() ? "live" : id == record.held() ? "held" : "kept";
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
