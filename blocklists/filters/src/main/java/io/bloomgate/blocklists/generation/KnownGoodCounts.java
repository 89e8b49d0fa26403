package io.bloomgate.blocklists.generation;

import io.bloomgate.config.json.JsonRecords.Rare;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result of a build for the known-good set, as {@code status} and the manifest show it.
 * Immutable.
 *
 * @param proven subjects that no list names, under any of the keys they are asked by
 * @param listed subjects that are listed themselves, under a listed name or in a listed network
 * @param hits what each feed lists of the set, by the name of the feed; feeds that list nothing are
 *     missing
 */
public record KnownGoodCounts(long proven, long listed, @Rare Map<String, KnownGoodHits> hits) {

  /** The counts of a build without known-good subjects. */
  public static final KnownGoodCounts NONE = new KnownGoodCounts(0, 0);

  public KnownGoodCounts {
    hits = Collections.unmodifiableMap(new LinkedHashMap<>(hits));
  }

  /** Counts of which no feed has a part. */
  public KnownGoodCounts(long proven, long listed) {
    this(proven, listed, Map.of());
  }

  /** The subjects of the set that a feed lists. */
  public KnownGoodHits of(String feed) {
    return hits.getOrDefault(feed, KnownGoodHits.NONE);
  }
}
