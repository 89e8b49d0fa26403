package io.bloomgate.blocklists.workbench.foreign;

import io.bloomgate.config.json.JsonValue.JsonObject;

/** A filter of another library. Its keys are octets, which it hashes as that library does. */
public sealed interface ForeignFilter permits GuavaFilter, ParquetFilter, RedisBloomFilter {

  /** False when the key was certainly not put in. */
  boolean mightContain(byte[] key);

  /** What its file says of it. */
  JsonObject toJson();
}
