package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;

/** The words of commands, as messages and the database use them. */
final class Words {

  private Words() {}

  /** {@code allow} or {@code block}. */
  static String of(ListKind list) {
    return switch (list) {
      case ALLOW -> "allow";
      case BLOCK -> "block";
    };
  }

  /** {@code 1 entry}, {@code 2 entries}. */
  static String entries(long count) {
    return count == 1 ? "1 entry" : count + " entries";
  }

  /** {@code 1 line}, {@code 2 lines}. */
  static String lines(long count) {
    return count == 1 ? "1 line" : count + " lines";
  }
}
