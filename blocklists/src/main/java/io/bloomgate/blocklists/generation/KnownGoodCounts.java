package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.guard.KnownGoodHits;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of a build for the known-good set, as {@code status} and the manifest show it.
 * Immutable.
 *
 * @param proven subjects that no filter hits, under any of the keys they are asked by
 * @param listed subjects that a filter has to hit: listed themselves, under a listed name, in a
 *     listed network, or next to one that shares a filter key with them
 * @param hits what each feed lists of the set, by the name of the feed; feeds that list nothing are
 *     missing
 */
public record KnownGoodCounts(long proven, long listed, Map<String, KnownGoodHits> hits) {

  /** Of a build without known-good subjects. */
  public static final KnownGoodCounts NONE = new KnownGoodCounts(0, 0);

  public KnownGoodCounts {
    hits = Collections.unmodifiableMap(new LinkedHashMap<>(hits));
  }

  /** Counts of which no feed has a part. */
  public KnownGoodCounts(long proven, long listed) {
    this(proven, listed, Map.of());
  }

  /** What a feed lists of the set. */
  public KnownGoodHits of(String feed) {
    return hits.getOrDefault(feed, KnownGoodHits.NONE);
  }

  /** Member {@code known_good} of the manifest file. */
  JsonObject toJson() {
    return JsonValue.object().put("proven", proven).put("listed", listed).build();
  }
}
