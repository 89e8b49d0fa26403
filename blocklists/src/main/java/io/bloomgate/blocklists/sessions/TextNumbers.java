package io.bloomgate.blocklists.sessions;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives texts their numbers in the file of a day. The newest are remembered; a text that was
 * forgotten gets another number, which costs less than an index of all texts. Used by {@link
 * DayWriter} on its thread.
 */
final class TextNumbers {

  /**
   * Texts that are remembered, about 8 MiB. A text that was numbered longer ago gets another number
   * too, so that a reader finds the texts of a row near each other ({@link TextBlocks}).
   */
  static final int MAX_REMEMBERED = 65_536;

  private final PreparedStatement insert;
  private final Map<String, Integer> numbers =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > MAX_REMEMBERED;
        }
      };

  private int last;

  /**
   * Numbers behind the last one of the file.
   *
   * @param insert of a number and a text
   */
  TextNumbers(PreparedStatement insert, int last) {
    this.insert = insert;
    this.last = last;
  }

  /** The number of a text, which is cut when it is long; {@code null} for {@code null}. */
  @Nullable Integer of(@Nullable String text) throws SQLException {
    return text == null ? null : ofWhole(SessionText.bounded(text));
  }

  /** The number of a text that loses its meaning when it is cut, and is written when it is new. */
  int ofWhole(String text) throws SQLException {
    if (text.isEmpty()) {
      return 0;
    }
    Integer known = numbers.get(text);
    if (known != null && last - known < MAX_REMEMBERED) {
      return known;
    }
    int number = ++last;
    insert.setInt(1, number);
    insert.setString(2, text);
    insert.executeUpdate();
    numbers.put(text, number);
    return number;
  }
}
