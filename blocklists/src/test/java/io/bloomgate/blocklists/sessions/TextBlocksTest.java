package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomgate.blocklists.database.SqliteFile;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts that are read in blocks are those that were written under their numbers. */
final class TextBlocksTest {

  private static final int TEXTS = 3_000;

  @TempDir Path folder;

  @ParameterizedTest(name = "seed {0}, one of {1} missing, one of {2} with the separator in it")
  @CsvSource({"1, 0, 0", "2, 700, 0", "3, 0, 700", "4, 300, 300", "5, 3, 0"})
  void eachNumberGivesItsText(long seed, int missing, int odd) throws Exception {
    Random random = new Random(seed);
    Map<Integer, String> texts = new TreeMap<>();
    for (int number = 1; number <= TEXTS; number++) {
      boolean isOdd = odd > 0 && random.nextInt(odd) == 0;
      if (missing == 0 || random.nextInt(missing) > 0) {
        texts.put(number, (isOdd ? "\0" : "") + "t\u00e4" + random.nextInt(2 * TEXTS));
      }
    }
    try (SqliteFile file =
        SqliteFile.open(
            folder.resolve("day.db"), DaySchema.SCHEMA, new SqliteFile.Sizes(256, 256))) {
      PreparedStatement insert = file.statements().of("INSERT INTO text VALUES (?, ?)");
      for (Map.Entry<Integer, String> text : texts.entrySet()) {
        insert.setInt(1, text.getKey());
        insert.setString(2, text.getValue());
        insert.executeUpdate();
      }
      TextBlocks blocks = new TextBlocks(file.statements());
      for (int asked = 0; asked < 2 * TEXTS; asked++) {
        int number = 1 + random.nextInt(TEXTS);
        String text = texts.get(number);
        if (text == null) {
          assertThrows(SQLException.class, () -> blocks.of(number), "text " + number);
        } else {
          assertEquals(text, blocks.of(number), "seed " + seed + ", text " + number);
        }
      }
    }
  }
}
