package io.bloomgate.blocklists.breaker;

import io.bloomgate.blocklists.feed.EntryKeys;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.ListEntry;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One publish of a feed: which entries it brought, and which good networks they hit. Used by {@link
 * Breaker} under its lock.
 *
 * <p>A trip sleeps while the operator has gone back to a version that lists none of its entries:
 * nobody need hear of it, and it holds at once where they come back.
 */
final class Publish {

  /** How long after a publish its entries are on probation. */
  static final Duration PROBATION = Duration.ofHours(24);

  private static final Logger LOG = LoggerFactory.getLogger(Publish.class);

  final String feed;
  final PublishId id;
  final Instant published;
  final EntryKeys entries;

  /** The file of entries was damaged: nobody knows which ones they were. */
  final boolean entriesLost;

  /** One of each network, by its text, in the order of time. */
  private final Map<String, Trip.Hit> hits = new LinkedHashMap<>();

  private @Nullable Instant tripped;
  private boolean accepted;
  private boolean asleep;
  private boolean saved;

  Publish(String feed, PublishId id, Instant published, EntryKeys entries) {
    this(feed, id, published, entries, false);
  }

  private Publish(
      String feed, PublishId id, Instant published, EntryKeys entries, boolean entriesLost) {
    this.feed = feed;
    this.id = id;
    this.published = published;
    this.entries = entries;
    this.entriesLost = entriesLost;
  }

  /**
   * One of which nobody knows whether it had tripped. It is taken for tripped: store trouble lets
   * mail pass.
   *
   * @param when it was noted last
   */
  static Publish unknown(String feed, PublishId id, Instant when, EntryKeys entries) {
    Publish publish = new Publish(feed, id, when, entries);
    publish.tripped = when;
    return publish;
  }

  /** The same without the entries, which cannot be read. */
  Publish withoutEntries() {
    Publish publish = new Publish(feed, id, published, EntryKeys.NONE, true);
    publish.hits.putAll(hits);
    publish.tripped = tripped;
    publish.accepted = accepted;
    publish.asleep = asleep;
    publish.saved = saved;
    return publish;
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

  /** Tripped, and of some of what is live. */
  boolean isFelt() {
    return isTripped() && !asleep;
  }

  /**
   * The last publish that brought an entry; {@code null} when it is older than all of them.
   *
   * @param watched oldest first
   */
  static @Nullable Publish lastOf(List<Publish> watched, ListEntry entry) {
    try {
      for (Publish publish : watched.reversed()) {
        if (publish.entries.contains(entry)) {
          return publish;
        }
      }
    } catch (InternalError e) {
      // What the JVM makes of a mapped page that cannot be read.
      LOG.error("the new entries of feed {} cannot be read", watched.getFirst().feed, e);
    }
    return null;
  }

  /** Whether none of its entries is live now. */
  void sleep(boolean nothingListed) {
    saved &= asleep == nothingListed;
    asleep = nothingListed;
  }

  /** True when any of these is one of its entries, or may be. */
  boolean broughtAnyOf(EntryKeys listed) {
    return entriesLost || entries.intersects(listed);
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
    if (when == null) {
      return Optional.empty();
    }
    Trip.Part part = id.accepted() ? Trip.Part.ACCEPTED : Trip.Part.NEW;
    return Optional.of(
        new Trip(
            feed,
            id.version(),
            entriesLost ? Trip.Part.ALL : part,
            published,
            when,
            entries.size(),
            List.copyOf(hits.values())));
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
        .put("asleep", asleep)
        .put("hits", new JsonArray(hits.values().stream().map(Trip::json).toList()))
        .build();
  }

  /** What {@link #toJson} wrote; empty when it is something else. */
  static Optional<Publish> ofJson(String feed, PublishId id, JsonObject stored, EntryKeys entries) {
    Optional<Instant> published = instant(stored, "published");
    Optional<Instant> tripped = instant(stored, "tripped");
    if (published.isEmpty() || (tripped.isEmpty() && stored.text("tripped").isPresent())) {
      return Optional.empty();
    }
    Publish publish = new Publish(feed, id, published.get(), entries);
    publish.tripped = tripped.orElse(null);
    publish.accepted = isTrue(stored, "accepted");
    publish.asleep = isTrue(stored, "asleep");
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

  private static boolean isTrue(JsonObject object, String name) {
    return object.get(name).orElse(null) instanceof JsonBoolean(boolean yes) && yes;
  }

  private static Optional<Instant> instant(JsonObject object, String name) {
    try {
      return object.text(name).map(Instant::parse);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
