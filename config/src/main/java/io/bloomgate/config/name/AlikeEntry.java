package io.bloomgate.config.name;

import java.util.Optional;

/**
 * The name of an entry that lists a likeness: no reader knows the text itself, so it says which
 * entry of the operator this is, and how much of both texts is equal. Made by the decision, kept
 * with the session as its text, read again by {@code explain} and {@code allow add --incident}; any
 * thread. Immutable.
 *
 * @param id of the operator's entry
 * @param equal minima that both texts have
 * @param of minima of a text
 */
public record AlikeEntry(String id, int equal, int of) {

  private static final String BEHIND_ID = ", ";
  private static final String BEHIND_EQUAL = " of ";

  /** Compares the likeness of a mail's text with the likeness of an entry. */
  public static AlikeEntry of(String id, Likeness asked, Likeness stored) {
    return new AlikeEntry(id, stored.equalMinima(asked), Likeness.MINIMA);
  }

  /** Reads what {@link #toString} made; empty for the entry of any other listing. */
  public static Optional<AlikeEntry> parse(String entry) {
    int equal = entry.indexOf(BEHIND_ID);
    int of = entry.indexOf(BEHIND_EQUAL, equal + BEHIND_ID.length());
    if (equal < 2 || of < 0 || !isId(entry.substring(0, equal))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new AlikeEntry(
              entry.substring(0, equal),
              Integer.parseInt(entry.substring(equal + BEHIND_ID.length(), of)),
              Integer.parseInt(entry.substring(of + BEHIND_EQUAL.length()))));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static boolean isId(String id) {
    return id.charAt(0) >= 'a'
        && id.charAt(0) <= 'z'
        && id.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
  }

  /** The number of equal minima of all, for people. */
  public String shares() {
    return equal + BEHIND_EQUAL + of;
  }

  @Override
  public String toString() {
    return id + BEHIND_ID + shares();
  }
}
