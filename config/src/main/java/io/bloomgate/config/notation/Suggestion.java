package io.bloomgate.config.notation;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** "Did you mean": the known word next to a mistyped one. Pure. */
public final class Suggestion {

  /** Words further apart than a third of their length are not alike. */
  private static final int LENGTH_PER_EDIT = 3;

  private static final int MAX_LENGTH = 64;

  private Suggestion() {}

  /**
   * The closest of the known words, if one is close enough; case and {@code -} {@code _} count
   * little.
   */
  public static Optional<String> closest(String typed, Collection<String> known) {
    if (typed.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    String plain = plain(typed);
    return known.stream()
        .filter(k -> distance(plain, plain(k)) <= Math.max(1, k.length() / LENGTH_PER_EDIT))
        .min(
            Comparator.<String>comparingInt(k -> distance(plain, plain(k)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** The same as a hint; with another hint where no word is close enough. */
  public static String hint(String typed, Collection<String> known, String otherwise) {
    return closest(typed, known).map(near -> "did you mean `" + near + "`?").orElse(otherwise);
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replace('-', '_');
  }

  /** Edits (insert, delete, replace, swap of neighbours) between two words. */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        d[i][j] = i == 0 || j == 0 ? i + j : cell(d, a, b, i, j);
      }
    }
    return d[a.length()][b.length()];
  }

  private static int cell(int[][] d, String a, String b, int i, int j) {
    int differs = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
    int best = Math.min(Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + differs);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, d[i - 2][j - 2] + 1) : best;
  }
}
