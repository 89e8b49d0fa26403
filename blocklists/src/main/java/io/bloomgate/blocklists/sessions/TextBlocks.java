package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.Statements;
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

  /** Between the texts of a block that SQLite joins: in no text, as a rule. */
  private static final char BETWEEN = 0;

  /**
   * A call into native code for each text costs more than the text. SQLite joins in the order of
   * the rows, which the number gives; to ask for an order costs more than to join.
   */
  private static final String JOINED =
      "SELECT count(*), group_concat(text, char(0)) FROM text WHERE number BETWEEN ? AND ?";

  private static final String ONE_BY_ONE =
      "SELECT number, text FROM text WHERE number BETWEEN ? AND ?";

  /** Columns of rows next to each other name texts of fewer blocks; a power of two. */
  private static final int RECENT = 64;

  private final PreparedStatement joined;
  private final PreparedStatement oneByOne;
  private final Map<Integer, Block> blocks =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Block> eldest) {
          return size() > MAX_BLOCKS;
        }
      };

  private final PastWord empty = new PastWord("");

  /** Blocks that were used just now, each in the place that its number gives. */
  private final Block[] recent = new Block[RECENT];

  /** A block of texts, each at the rest of its number. */
  private static final class Block {
    private final int number;

    /** Those that were asked for, or all where they were read one by one. */
    private final @Nullable String[] texts = new String[BLOCK];

    /** All of them, {@link #BETWEEN} each two, and where each ends; most are never asked for. */
    private @Nullable String joined;

    private final int[] ends = new int[BLOCK];

    /** Of the texts that were asked for as words. */
    private final @Nullable PastWord[] words = new PastWord[BLOCK];

    Block(int number) {
      this.number = number;
    }

    /** False when these are not the texts of a whole block: one has the separator in it. */
    boolean join(@Nullable String all) {
      if (all == null) {
        return false;
      }
      int from = 0;
      for (int i = 0; i < BLOCK - 1; i++) {
        int to = all.indexOf(BETWEEN, from);
        if (to < 0) {
          return false;
        }
        ends[i] = to;
        from = to + 1;
      }
      ends[BLOCK - 1] = all.length();
      joined = all.indexOf(BETWEEN, from) < 0 ? all : null;
      return joined != null;
    }

    /** {@code null} where there is none. */
    @Nullable String text(int at) {
      if (texts[at] == null && joined != null) {
        texts[at] = joined.substring(at == 0 ? 0 : ends[at - 1] + 1, ends[at]);
      }
      return texts[at];
    }
  }

  /** Nothing read yet of the day that these statements ask. */
  TextBlocks(Statements day) throws SQLException {
    this.joined = day.of(JOINED);
    this.oneByOne = day.of(ONE_BY_ONE);
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
    return text(number, block(number));
  }

  /** The text of a number with what it means. */
  PastWord word(int number) throws SQLException {
    if (number == 0) {
      return empty;
    }
    Block block = block(number);
    int at = Math.floorMod(number, BLOCK);
    PastWord word = block.words[at];
    if (word == null) {
      word = new PastWord(text(number, block));
      block.words[at] = word;
    }
    return word;
  }

  private static String text(int number, Block block) throws SQLException {
    String text = block.text(Math.floorMod(number, BLOCK));
    if (text == null) {
      throw SqliteFile.damaged("text " + number);
    }
    return text;
  }

  private Block block(int number) throws SQLException {
    int wanted = Math.floorDiv(number, BLOCK);
    int place = wanted & (RECENT - 1);
    Block block = recent[place];
    if (block == null || block.number != wanted) {
      block = blocks.get(wanted);
      if (block == null) {
        block = read(wanted);
        blocks.put(wanted, block);
      }
      recent[place] = block;
    }
    return block;
  }

  private Block read(int number) throws SQLException {
    Block block = new Block(number);
    try (ResultSet all = within(joined, number)) {
      if (all.next() && all.getInt(1) == BLOCK && block.join(all.getString(2))) {
        return block;
      }
    }
    try (ResultSet rows = within(oneByOne, number)) {
      while (rows.next()) {
        block.texts[Math.floorMod(rows.getInt(1), BLOCK)] = rows.getString(2);
      }
    }
    return block;
  }

  private static ResultSet within(PreparedStatement select, int block) throws SQLException {
    select.setInt(1, block * BLOCK);
    select.setInt(2, block * BLOCK + BLOCK - 1);
    return select.executeQuery();
  }
}
