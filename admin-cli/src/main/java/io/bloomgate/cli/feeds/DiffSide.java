package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.generation.KnownGoodHits;
import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.refresh.KeptVersions.Kept;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One side of {@code feeds diff}: a kept version, or something that was fetched for it. Immutable.
 *
 * @param version its number, {@code null} for what is not kept
 * @param name its status, or where it came from
 * @param fetched {@code null} for what is not kept
 * @param heldGood the good senders that {@code feeds accept} would list of what is held
 */
record DiffSide(
    @Nullable Long version,
    String name,
    @Nullable Instant fetched,
    FeedDiff.Side side,
    KnownGoodHits heldGood) {

  static DiffSide of(Kept kept) {
    return of(kept, KnownGoodHits.NONE);
  }

  /** A version as {@code feeds accept} would make it live. */
  static DiffSide held(Kept kept) {
    return of(kept, kept.knownGood());
  }

  private static DiffSide of(Kept kept, KnownGoodHits good) {
    return new DiffSide(kept.id(), kept.status(), kept.fetched(), kept.side(), good);
  }

  static DiffSide of(String place, FeedDiff.Side side) {
    return new DiffSide(null, place, null, side, KnownGoodHits.NONE);
  }

  /** The live side of a feed that has no live version. */
  static DiffSide nothing(DiffSide other) {
    return new DiffSide(null, "nothing is live", null, other.side.emptied(), KnownGoodHits.NONE);
  }

  JsonObject toJson() {
    return JsonValue.object()
        .put("version", version == null ? JsonValue.NULL : JsonValue.of(version))
        .put("status", version == null ? null : name)
        .put("source", version == null ? name : null)
        .put("format", side.format().name())
        .put("fetched", fetched == null ? null : fetched.toString())
        .build();
  }
}
