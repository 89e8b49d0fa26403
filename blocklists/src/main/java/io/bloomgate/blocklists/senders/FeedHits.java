package io.bloomgate.blocklists.senders;

import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Keyed;
import java.util.List;
import java.util.Optional;

/**
 * The facts that the breaker knows of one feed: which good networks its new entries hit in {@link
 * Breaker#WINDOW}. Immutable.
 *
 * @param networks of good senders, in all
 * @param limit at which the entries are held back
 * @param heldEntries entries that are
 * @param hits one of each network, oldest first, at most {@link Breaker#MAX_HITS}
 * @param elsewhere entries that other nodes of a fleet hold back, oldest first
 */
public record FeedHits(
    int networks,
    int limit,
    long heldEntries,
    List<GoodHit> hits,
    @Rare List<HeldElsewhere> elsewhere) {

  static final FeedHits NONE = new FeedHits(0, 0, 0, List.of(), List.of());

  /** Share of the limit at which the operator gets an alarm. */
  private static final int ALARM_SHARE = 4;

  /** Networks that {@code feeds show} names. */
  private static final int SHOWN = 100;

  /** The level of danger, mildest first. */
  public enum Level implements Keyed {
    QUIET,
    /** Hits as many as for an alarm, which nobody has to do something about. */
    NOTE,
    ALARM,
    HELD
  }

  public FeedHits {
    hits = List.copyOf(hits);
    elsewhere = List.copyOf(elsewhere);
  }

  /** The same with other entries of other nodes. */
  FeedHits with(List<HeldElsewhere> others) {
    return new FeedHits(networks, limit, heldEntries, hits, others);
  }

  /** The level now. */
  public Level level() {
    if (heldEntries > 0) {
      return Level.HELD;
    }
    if (networks == 0 || networks * ALARM_SHARE < limit) {
      return Level.QUIET;
    }
    long loud = hits.stream().filter(hit -> !hit.quiet()).count();
    if (loud > 0 && loud * ALARM_SHARE >= limit) {
      return Level.ALARM;
    }
    // Nobody looks for what is no alarm in a version that has gone.
    return present() * ALARM_SHARE < limit || present() == 0 ? Level.QUIET : Level.NOTE;
  }

  /** The number of networks that entries of the version name that was judged last. */
  private long present() {
    return hits.stream().filter(hit -> !hit.gone()).count();
  }

  /** True when an operator must look at it. */
  boolean alarms() {
    return level().compareTo(Level.NOTE) > 0;
  }

  /** One sentence for the operator: what happened, what holds now, what ends it. */
  Optional<String> sentence(String feed) {
    if (level() == Level.QUIET) {
      return Optional.empty();
    }
    if (hits.isEmpty()) {
      return Optional.of(
          "breaker: %d entries are held back as %s does, because they hit good senders there; `bloomgate feeds accept %s` lets them through"
              .formatted(
                  heldEntries,
                  elsewhere.isEmpty() ? "another node" : elsewhere.getLast().by(),
                  feed));
    }
    GoodHit first =
        hits.stream()
            .filter(GoodHit::held)
            .findFirst()
            .or(() -> hits.stream().filter(hit -> !hit.gone()).findFirst())
            .orElseGet(() -> hits.getFirst());
    if (level() == Level.NOTE) {
      return Optional.of(
          "breaker: entries name %d client networks of good senders (%s by %s); no alarm: never_block ignores them, or they came with the first version"
              .formatted(present(), first.network(), first.entry()));
    }
    String networksHit =
        "%d client networks of good senders within %d days (%s by %s)"
            .formatted(networks, Breaker.WINDOW.toDays(), first.network(), first.entry());
    return Optional.of(
        level() == Level.HELD
            ? "breaker: new entries hit %s; the limit is %d, so %d entries are held back; `bloomgate feeds show %s` names them, `bloomgate feeds accept %s` lets them through"
                .formatted(networksHit, limit, heldEntries, feed, feed)
            : "breaker: new entries hit %s; at %d they are held back"
                .formatted(networksHit, limit));
  }

  /** An element of {@code breaker} in {@code feeds show}: at most 100 networks. */
  public JsonObject toJson() {
    FeedHits shown =
        new FeedHits(
            networks,
            limit,
            heldEntries,
            hits.stream().limit(SHOWN).toList(),
            elsewhere.stream().limit(SHOWN).toList());
    return JsonValue.object().put("level", level().key()).putAll(JsonRecords.of(shown)).build();
  }
}
