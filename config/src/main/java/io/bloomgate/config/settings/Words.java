package io.bloomgate.config.settings;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Reads a setting that is one word of a closed set. Immutable.
 *
 * @param words the words of this release with their values, in the order of the documentation
 * @param later words that the documentation knows and this release does not
 */
record Words<E>(Map<String, E> words, Set<String> later) implements ValueReader<E> {

  /** The constants of an enum in lower case, with {@code -} for {@code _}. */
  static <E extends Enum<E>> Words<E> dashed(Class<E> type) {
    return named(type, '-');
  }

  /** The constants of an enum in lower case, with {@code _}. */
  static <E extends Enum<E>> Words<E> underscored(Class<E> type) {
    return named(type, '_');
  }

  private static <E extends Enum<E>> Words<E> named(Class<E> type, char separator) {
    Map<String, E> words = new LinkedHashMap<>();
    Arrays.stream(type.getEnumConstants())
        .forEach(e -> words.put(e.name().toLowerCase(Locale.ROOT).replace('_', separator), e));
    return new Words<>(words, Set.of());
  }

  /** The same, knowing words of later releases. */
  Words<E> withLater(String... laterWords) {
    return new Words<>(words, Set.of(laterWords));
  }

  @Override
  public E read(String text) throws BadValueException {
    E value = words.get(text);
    if (value != null) {
      return value;
    }
    String choice = String.join(", ", words.keySet());
    if (later.contains(text)) {
      throw new BadValueException(
          Shown.quoted(text) + " is not in this release", "choose one of: " + choice);
    }
    throw new BadValueException(
        Shown.quoted(text) + " is not one of: " + choice,
        Suggestion.closest(text, words.keySet())
            .map(s -> "did you mean `" + s + "`?")
            .orElse("choose one of them"));
  }
}
