package io.bloomgate.blocklists.filter.kinds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Small numbers in words. */
@Tag("filters")
class PackedFieldsTest {

  @Test
  void fieldsOfEveryWidthKeepTheirValuesApart() {
    SplittableRandom random = new SplittableRandom(2);
    for (int width = 1; width <= PackedFields.MAX_WIDTH; width++) {
      int count = 100;
      PackedFields fields =
          new PackedFields(new long[(int) PackedFields.words(count, width)], width);
      long[] expected = new long[count];
      for (int i = 0; i < 2_000; i++) {
        int at = random.nextInt(count);
        expected[at] = random.nextLong() >>> (Long.SIZE - width);
        fields.set(at, expected[at]);
      }
      long[] read = new long[count];
      for (int i = 0; i < count; i++) {
        read[i] = fields.get(i);
      }
      assertArrayEquals(expected, read, "width " + width);
      assertEquals(0, fields.words()[fields.words().length - 1], "the spare word stays empty");
    }
  }
}
