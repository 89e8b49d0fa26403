package io.bloomgate.config.json;

import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random JSON values for property tests; the same seed gives the same value. */
public final class RandomJson {

  private RandomJson() {}

  /** A value nested at most so deep. */
  public static JsonValue value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> JsonValue.NULL;
      case 1 -> JsonValue.of(random.nextBoolean());
      case 2 -> JsonValue.of(random.nextLong());
      case 3 -> JsonValue.of(random.nextDouble());
      case 4 -> JsonValue.of(text(random));
      case 5 -> {
        List<JsonValue> elements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          elements.add(value(random, depth - 1));
        }
        yield new JsonArray(elements);
      }
      default -> object(random, depth);
    };
  }

  /** An object. */
  public static JsonValue.JsonObject object(Random random, int depth) {
    ObjectBuilder builder = JsonValue.object();
    for (int i = random.nextInt(4); i > 0; i--) {
      builder.put(text(random), value(random, depth - 1));
    }
    return builder.build();
  }

  /** A text with controls, quotes, separators, lone surrogates and astral characters. */
  public static String text(Random random) {
    String pool = "ab\u0000\n\r\t\"\\/\u001b\u007f\u0085\u2028\u2029\u202e\ud800\udc00\u00e9\u4e2d";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(pool.charAt(random.nextInt(pool.length())));
    }
    return text.toString();
  }
}
