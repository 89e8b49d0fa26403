package io.bloomgate.blocklists.index;

import java.util.ArrayList;
import java.util.List;

/**
 * Walks several sorted columns at once and tells each network of the pivot's length that holds a
 * listed one, once. Used while a filter is built, on one thread.
 */
final class FilterKeyWalk {

  /** Takes a network as {@link Words#first} and {@link Words#second}. */
  @FunctionalInterface
  interface Sink {
    void accept(long first, long second);
  }

  private final List<Cursor> cursors = new ArrayList<>();
  private final int pivot;

  /**
   * Over columns of one family.
   *
   * @param pivot length of the networks that are told, at most the length of any of the columns
   */
  FilterKeyWalk(List<NetworkColumn> columns, int pivot) {
    this.pivot = pivot;
    columns.forEach(column -> cursors.add(new Cursor(column)));
  }

  void run(Sink sink) {
    cursors.forEach(Cursor::skipExceptions);
    cursors.removeIf(Cursor::ended);
    while (!cursors.isEmpty()) {
      Cursor least = cursors.getFirst();
      for (Cursor cursor : cursors) {
        if (cursor.compare(least) < 0) {
          least = cursor;
        }
      }
      long first = least.first();
      long second = least.second();
      sink.accept(first, second);
      for (Cursor cursor : cursors) {
        cursor.pass(first, second);
      }
      cursors.removeIf(Cursor::ended);
    }
  }

  /** A place in one column. */
  private final class Cursor {
    private final NetworkColumn column;
    private long row;

    Cursor(NetworkColumn column) {
      this.column = column;
    }

    boolean ended() {
      return row >= column.rows();
    }

    long first() {
      return column.first(row) & Words.leading(pivot);
    }

    long second() {
      return column.second(row) & Words.leading(pivot - Long.SIZE);
    }

    int compare(Cursor other) {
      int byFirst = Long.compareUnsigned(first(), other.first());
      return byFirst != 0 ? byFirst : Long.compareUnsigned(second(), other.second());
    }

    /** Exceptions list nothing, so the filter need not hit for them. */
    void skipExceptions() {
      while (!ended() && column.exception(row)) {
        row++;
      }
    }

    void pass(long first, long second) {
      while (!ended() && first() == first && second() == second) {
        row++;
        skipExceptions();
      }
    }
  }
}
