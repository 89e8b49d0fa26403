package io.bloomgate.blocklists.breaker;

import io.bloomgate.blocklists.feed.EntryKeys;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.senders.ClientNetwork;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonBoolean;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One publish of a feed: which entries it brought, and which good networks they hit. Used by {@link
 * Breaker} under its lock.
 */
final class Publish {

  /** How long after a publish its entries are on probation. */
  static final Duration PROBATION = Duration.ofHours(24);

  final String feed;
  final long version;
  final Instant published;
  final EntryKeys entries;

  /** One of each network, by its text, in the order of time. */
  private final Map<String, Trip.Hit> hits = new LinkedHashMap<>();

  private @Nullable Instant tripped;
  private boolean accepted;
  private boolean saved;

  Publish(String feed, long version, Instant published, EntryKeys entries) {
    this.feed = feed;
    this.version = version;
    this.published = published;
    this.entries = entries;
  }

  boolean onProbation(Instant now) {
    return tripped == null && !accepted && !isOver(now);
  }

  boolean isOver(Instant now) {
    return Duration.between(published, now).compareTo(PROBATION) > 0;
  }

  boolean isTripped() {
    return tripped != null;
  }

  /** Counts a network that was hit; how many there are now. */
  int hit(IpAddress client, String entry, int line) {
    String network = ClientNetwork.of(client).toString();
    if (hits.putIfAbsent(network, new Trip.Hit(network, entry, line)) == null) {
      saved = false;
    }
    return hits.size();
  }

  void trip(Instant now) {
    tripped = now;
    saved = false;
  }

  /** The operator has seen it: it never trips again. */
  void accept() {
    tripped = null;
    accepted = true;
    saved = false;
  }

  Optional<Trip> report() {
    Instant when = tripped;
    return when == null
        ? Optional.empty()
        : Optional.of(
            new Trip(feed, version, published, when, entries.size(), List.copyOf(hits.values())));
  }

  boolean isSaved() {
    return saved;
  }

  void saved() {
    saved = true;
  }

  JsonObject toJson() {
    return JsonValue.object()
        .put("published", published.toString())
        .put("tripped", tripped == null ? null : tripped.toString())
        .put("accepted", accepted)
        .put("hits", new JsonArray(hits.values().stream().map(Trip::json).toList()))
        .build();
  }

  /** What {@link #toJson} wrote; empty when it is something else. */
  static Optional<Publish> ofJson(String feed, long version, JsonObject stored, EntryKeys entries) {
    Optional<Instant> published = instant(stored, "published");
    if (published.isEmpty()) {
      return Optional.empty();
    }
    Publish publish = new Publish(feed, version, published.get(), entries);
    publish.tripped = instant(stored, "tripped").orElse(null);
    publish.accepted =
        stored.get("accepted").orElse(null) instanceof JsonBoolean(boolean yes) && yes;
    if (stored.get("hits").orElse(null) instanceof JsonArray(List<JsonValue> hits)) {
      hits.forEach(publish::addStored);
    }
    publish.saved = true;
    return Optional.of(publish);
  }

  private void addStored(JsonValue stored) {
    if (stored instanceof JsonObject hit) {
      String network = hit.text("network").orElse("");
      int line = 0;
      if (hit.get("line").orElse(null) instanceof JsonNumber(String literal)
          && literal.matches("[0-9]{1,9}")) {
        line = Integer.parseInt(literal);
      }
      hits.put(network, new Trip.Hit(network, hit.text("entry").orElse(""), line));
    }
  }

  private static Optional<Instant> instant(JsonObject object, String name) {
    try {
      return object.text(name).map(Instant::parse);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
