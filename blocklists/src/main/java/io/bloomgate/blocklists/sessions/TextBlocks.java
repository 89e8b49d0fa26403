package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The texts of one day by number. They are read in blocks, because rows that follow each other have
 * texts that follow each other; the blocks that were used last stay in memory. Used by one thread.
 */
final class TextBlocks {

  /** Texts of a block. */
  private static final int BLOCK = 512;

  /** Blocks in memory: all that the rows next to each other can name, and as many more. */
  private static final int MAX_BLOCKS = 2 * TextNumbers.MAX_REMEMBERED / BLOCK;

  private final PreparedStatement select;
  private final Map<Integer, String[]> blocks =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String[]> eldest) {
          return size() > MAX_BLOCKS;
        }
      };

  private int lastNumber = -1;
  private String @Nullable [] lastBlock;

  /**
   * Nothing read yet.
   *
   * @param select number and text of the texts between two numbers
   */
  TextBlocks(PreparedStatement select) {
    this.select = select;
  }

  /** The text whose number is in this column; empty for none. */
  String of(ResultSet row, int column) throws SQLException {
    return of(row.getInt(column));
  }

  /** The same; {@code null} for none. */
  @Nullable String ofNullable(ResultSet row, int column) throws SQLException {
    int number = row.getInt(column);
    return number == 0 && row.wasNull() ? null : of(number);
  }

  /** The text of a number. */
  String of(int number) throws SQLException {
    if (number == 0) {
      return "";
    }
    int block = number / BLOCK;
    String[] read = lastBlock;
    if (read == null || block != lastNumber) {
      read = blocks.get(block);
      if (read == null) {
        read = read(block);
        blocks.put(block, read);
      }
      lastBlock = read;
      lastNumber = block;
    }
    String text = read[number % BLOCK];
    if (text == null) {
      throw SqliteFile.damaged("text " + number);
    }
    return text;
  }

  private String[] read(int block) throws SQLException {
    String[] texts = new String[BLOCK];
    select.setInt(1, block * BLOCK);
    select.setInt(2, block * BLOCK + BLOCK - 1);
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        texts[Math.floorMod(rows.getInt(1), BLOCK)] = rows.getString(2);
      }
    }
    return texts;
  }
}
