package io.bloomgate.blocklists.senders;

import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Keyed;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The facts that the breaker knows of one feed: which good senders its new entries hit in {@link
 * Breaker#WINDOW}. Immutable.
 *
 * @param networks of good senders, in all
 * @param limit at which the entries are held back
 * @param heldEntries entries that are
 * @param hits one of each network, oldest first, at most {@link Breaker#MAX_HITS}
 * @param accepted entries that an operator let through: a list may drop them and take them up again
 * @param note of an operator who has seen the alarm
 */
public record FeedHits(
    int networks,
    int limit,
    long heldEntries,
    List<Hit> hits,
    @Rare List<String> accepted,
    @Rare @Nullable Note note) {

  static final FeedHits NONE = new FeedHits(0, 0, 0, List.of(), List.of(), null);

  /** Share of the limit at which the operator gets an alarm. */
  private static final int ALARM_SHARE = 4;

  /** Networks that {@code feeds show} names. */
  private static final int SHOWN = 100;

  /**
   * A good sender that an entry of a feed would hit.
   *
   * @param network /24 of IPv4 or /32 of IPv6 of known senders, or what an owner named
   * @param entry canonical text
   * @param line of the feed
   * @param at when the entry was new
   * @param held whether the entry is held back
   * @param quiet no reason for an alarm: it came with the first version, which nobody can accept or
   *     refuse any more
   * @param owner an owner named it, in a known-good file or an allow entry
   */
  public record Hit(
      String network,
      String entry,
      int line,
      Instant at,
      boolean held,
      boolean quiet,
      @Rare boolean owner) {

    Hit held(boolean now) {
      return new Hit(network, entry, line, at, now, quiet, owner);
    }
  }

  /**
   * The note of an operator who has seen the alarm; it ends when more is hit or held.
   *
   * @param networks that were hit then
   * @param heldEntries that were held back then
   */
  public record Note(String by, Instant until, int networks, long heldEntries) {}

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
    accepted = List.copyOf(accepted);
    note = note == null || networks > note.networks || heldEntries > note.heldEntries ? null : note;
  }

  /** The same with a note. */
  FeedHits with(Note of) {
    return new FeedHits(networks, limit, heldEntries, hits, accepted, of);
  }

  /** The level, whether somebody has seen it or not. */
  public Level level() {
    if (heldEntries > 0) {
      return Level.HELD;
    }
    long loud = hits.stream().filter(hit -> !hit.quiet()).count();
    if (loud > 0 && loud * ALARM_SHARE >= limit) {
      return Level.ALARM;
    }
    return networks == 0 || networks * ALARM_SHARE < limit ? Level.QUIET : Level.NOTE;
  }

  /** The note while it holds. */
  public Optional<Note> noteAt(Instant now) {
    return Optional.ofNullable(note).filter(seen -> now.isBefore(seen.until));
  }

  /** True when an operator must look at it. */
  public boolean alarms(Instant now) {
    return level().compareTo(Level.NOTE) > 0 && noteAt(now).isEmpty();
  }

  /** One sentence for the operator: what happened, what holds now, what ends it. */
  public Optional<String> sentence(String feed, Instant now) {
    return level() == Level.QUIET
        ? Optional.empty()
        : Optional.of(
            noteAt(now)
                    .map(seen ->
                        "noted by %s until %s: "
                            .formatted(seen.by, seen.until.truncatedTo(ChronoUnit.SECONDS)))
                    .orElse("")
                + sentence(feed));
  }

  private String sentence(String feed) {
    Hit first = hits.stream().filter(Hit::held).findFirst().orElseGet(() -> hits.getFirst());
    String networksHit =
        "%d client networks of good senders within %d days (%s by %s)"
            .formatted(networks, Breaker.WINDOW.toDays(), first.network(), first.entry());
    return switch (level()) {
      case QUIET, NOTE ->
          "breaker: entries name %s; no alarm: they came with the first version"
              .formatted(networksHit);
      case ALARM ->
          "breaker: new entries hit %s; at %d they are held back".formatted(networksHit, limit);
      case HELD ->
          "breaker: new entries hit %s; the limit is %d, so %d entries are held back; `bloomgate feeds show %s` names them, `bloomgate feeds accept %s` lets them through"
              .formatted(networksHit, limit, heldEntries, feed, feed);
    };
  }

  /** An element of {@code breaker} in {@code feeds show}: at most 100 networks. */
  public JsonObject toJson() {
    FeedHits shown =
        new FeedHits(
            networks,
            limit,
            heldEntries,
            hits.stream().limit(SHOWN).toList(),
            accepted.stream().limit(SHOWN).toList(),
            note);
    return JsonValue.object().put("level", level().key()).putAll(JsonRecords.of(shown)).build();
  }
}
