package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;

/**
 * The measures of a filter, as {@code status}, {@code filter inspect} and manifests show them.
 * Immutable.
 *
 * @param entries distinct keys put in
 * @param capacity distinct keys for which {@code askedRate} holds
 * @param bits size of the bit array
 * @param hashes bits tested for a key
 * @param askedRate ratio of false positives that was asked for
 * @param expectedRate ratio of false positives that the set bits give
 * @param fill ratio of set bits
 */
public record FilterShape(
    FilterKind kind,
    long entries,
    long capacity,
    long bits,
    int hashes,
    @Named("asked_fpp") double askedRate,
    @Named("expected_fpp") double expectedRate,
    double fill) {

  /** The shape of a filter that was read: what its header says, and what its body shows. */
  public static FilterShape of(
      FilterKind kind, FileHeader header, long bits, int hashes, double fill) {
    return new FilterShape(
        kind,
        header.entries(),
        header.capacity(),
        bits,
        hashes,
        header.askedRate(),
        header.expectedRate(),
        fill);
  }

  /** Bits spent on an entry; 0 when there is none. */
  public double bitsPerEntry() {
    return entries == 0 ? 0 : (double) bits / entries;
  }

  /** The members that {@code status} and manifests show: all but those of a file. */
  public JsonObject toJson() {
    return measures(JsonValue.object().put("kind", kind.word())).build();
  }

  /**
   * The documented members of {@code filter inspect}, of a file whose every page is proven.
   *
   * @param version of the file's format
   */
  public JsonObject toJson(int version) {
    return measures(JsonValue.object().put("kind", kind.word()).put("version", version))
        .put("checksum", "ok")
        .build();
  }

  private JsonValue.ObjectBuilder measures(JsonValue.ObjectBuilder json) {
    return json.put("entries", entries)
        .put("capacity", capacity)
        .put("bits", bits)
        .put("bits_per_entry", Math.round(bitsPerEntry() * 100) / 100.0)
        .put("hashes", hashes)
        .put("asked_fpp", askedRate)
        .put("expected_fpp", expectedRate)
        .put("fill", fill);
  }
}
