package io.bloomgate.config.name;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final Pattern TEXT =
      Pattern.compile("([a-z][0-9]+), ([0-9]{1,4}) of ([0-9]{1,4})");

  /** Compares the likeness of a mail's text with the likeness of an entry. */
  public static AlikeEntry of(String id, Likeness asked, Likeness stored) {
    return new AlikeEntry(id, stored.equalMinima(asked), Likeness.MINIMA);
  }

  /** Reads what {@link #toString} made; empty for the entry of any other listing. */
  public static Optional<AlikeEntry> parse(String entry) {
    Matcher text = TEXT.matcher(entry);
    return text.matches()
        ? Optional.of(
            new AlikeEntry(
                text.group(1), Integer.parseInt(text.group(2)), Integer.parseInt(text.group(3))))
        : Optional.empty();
  }

  /** The number of equal minima of all, for people. */
  public String shares() {
    return equal + " of " + of;
  }

  @Override
  public String toString() {
    return id + ", " + shares();
  }
}
