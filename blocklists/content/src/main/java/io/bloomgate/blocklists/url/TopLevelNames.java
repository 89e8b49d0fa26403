package io.bloomgate.blocklists.url;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * The last labels of the Public Suffix List that is inside Guava's jar: a bare word of a text is a
 * host only below one of them. Guava tells whether a name has a suffix, in microseconds, and does
 * not list them; {@code TopLevelNamesTest} makes the file and compares it with Guava's list. Any
 * thread; immutable.
 */
final class TopLevelNames {

  /** The file in the folder of this class: A-labels, one a line. */
  static final String FILE = "top-level-names.txt";

  private static final int MAX_LENGTH = 63;

  private static final Set<String> NAMES = read();

  private TopLevelNames() {}

  private static Set<String> read() {
    try (InputStream file =
        Objects.requireNonNull(TopLevelNames.class.getResourceAsStream(FILE), FILE)) {
      return Set.of(new String(file.readAllBytes(), US_ASCII).split("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + FILE, e);
    }
  }

  /** All of them. */
  static Set<String> all() {
    return NAMES;
  }

  /** True for a top-level name as A-label, in any case. */
  static boolean contains(String text, int from, int to) {
    // No name of one letter or digit exists, and most words with a dot end in one.
    return to - from >= 2
        && to - from <= MAX_LENGTH
        && NAMES.contains(text.substring(from, to).toLowerCase(Locale.ROOT));
  }
}
