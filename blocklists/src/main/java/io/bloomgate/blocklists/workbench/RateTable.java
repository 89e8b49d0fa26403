package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of the textbook: the rate p = (1 - e^(-kn/m))^k of a classic filter for each number m/n
 * of bits an entry and k of tests. Pure.
 */
public final class RateTable {

  /** The first and the last row. */
  public static final int FEWEST_BITS = 2;

  public static final int MOST_BITS = 20;

  /** The last column. */
  public static final int MOST_HASHES = 14;

  private RateTable() {}

  /** A cell. */
  public static double rate(int bitsPerEntry, int hashes) {
    return ClassicSizing.rate(1, (double) bitsPerEntry, hashes);
  }

  /** The column with the lowest rate of a row. */
  public static int best(int bitsPerEntry) {
    int best = 1;
    for (int hashes = 2; hashes <= MOST_HASHES; hashes++) {
      if (rate(bitsPerEntry, hashes) < rate(bitsPerEntry, best)) {
        best = hashes;
      }
    }
    return best;
  }

  /** One object a row. */
  public static List<JsonObject> toJson() {
    List<JsonObject> rows = new ArrayList<>();
    for (int bits = FEWEST_BITS; bits <= MOST_BITS; bits++) {
      List<JsonValue> rates = new ArrayList<>();
      for (int hashes = 1; hashes <= MOST_HASHES; hashes++) {
        rates.add(new JsonValue.JsonNumber(Double.toString(rate(bits, hashes))));
      }
      rows.add(
          JsonValue.object()
              .put("table_bits_per_entry", bits)
              .put("best_hashes", best(bits))
              .put("fpp", new JsonArray(rates))
              .build());
    }
    return rows;
  }
}
