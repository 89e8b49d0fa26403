package io.bloomgate.blocklists.snapshot;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;

/**
 * What became of the known-good set of a build, as {@code status} and the manifest tell it.
 * Immutable.
 *
 * @param proven subjects that no filter hits, under any of the keys they are asked by
 * @param listed subjects that a filter has to hit: listed themselves, under a listed name, in a
 *     listed network, or beside one that shares a filter key with them
 */
public record KnownGoodCounts(long proven, long listed) {

  /** Of a build without known-good subjects. */
  public static final KnownGoodCounts NONE = new KnownGoodCounts(0, 0);

  /** Member {@code known_good}. */
  public JsonObject toJson() {
    return JsonValue.object().put("proven", proven).put("listed", listed).build();
  }
}
