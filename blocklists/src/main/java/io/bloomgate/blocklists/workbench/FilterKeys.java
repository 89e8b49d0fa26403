package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.name.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of one change of a filter, all of them read before anything changes. Immutable.
 *
 * @param keys as they were given, in order
 * @param problems those that are no keys; when there are any, nothing must be changed
 */
public record FilterKeys(List<String> keys, List<Problem> problems) {

  /** More are a list, of which a filter is built. */
  static final int MOST = 1_000_000;

  /**
   * A text that is no key.
   *
   * @param number counted from 1
   * @param reason a short phrase without the text
   */
  public record Problem(int number, String reason) {}

  public FilterKeys {
    keys = List.copyOf(keys);
    problems = List.copyOf(problems);
  }

  /** Keys of a command line. */
  public static FilterKeys of(List<String> texts) {
    List<Problem> problems = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      check(FilterQuery.parse(texts.get(i)), i + 1, problems);
    }
    return new FilterKeys(texts, problems);
  }

  /**
   * Keys of a stream, one a line; blank lines are none.
   *
   * @throws OfflineException when it cannot be read to its end, or has more than a million lines
   */
  public static FilterKeys read(InputStream lines) throws OfflineException {
    List<String> keys = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    FilterQuery.KeyLines in = new FilterQuery.KeyLines(lines);
    int number = 0;
    try {
      for (Parsed<String> line = in.next(); line != null; line = in.next()) {
        if (++number > MOST) {
          throw new OfflineException(
              Kind.USAGE,
              "more than " + MOST + " keys for one change",
              "give them in parts, or build the filter of a list");
        }
        switch (line) {
          case Parsed.Ok<String>(String text, var ignored) when text.isBlank() -> {}
          case Parsed.Ok<String>(String text, var ignored) -> {
            keys.add(text);
            check(FilterQuery.parse(text), number, problems);
          }
          case Parsed.Bad<String> bad -> check(bad, number, problems);
        }
      }
    } catch (IOException e) {
      throw new OfflineException(
          Kind.FAILED, "standard input cannot be read to its end; nothing was changed", "", e);
    }
    return new FilterKeys(keys, problems);
  }

  private static void check(Parsed<?> key, int number, List<Problem> problems) {
    if (key instanceof Parsed.Bad<?>(String reason)) {
      problems.add(new Problem(number, reason));
    }
  }
}
