package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Locale;
import java.util.Optional;

/**
 * Reads a name that {@link DomainName#parse} does not take, for look-ups only: DNS knows nothing of
 * such a name, but its parents may be listed, and one broken label must not hide them. Called by
 * {@link DomainName#asked}, on any thread; pure, one pass over the labels.
 *
 * <p>A name of ASCII is asked by its lower-case text, whatever follows {@code xn--}. In other names
 * compatibility forms are replaced and invisible characters are removed, as a mail server may do
 * that maps by NFKC. Then the labels are read from the right as far as they can be, and {@code ?}
 * replaces the rest: no list holds that label, so only entries hit that cover what is below them.
 */
final class BrokenName {

  private static final String UNREADABLE = "?.";

  /** Octets of the readable labels, so that the whole is no longer than a name may be. */
  private static final int MAX_READABLE = DomainName.MAX_OCTETS - UNREADABLE.length();

  /** Characters that are looked at, from the end; no name in a path or a HELO is longer. */
  private static final int MAX_CHARACTERS = 1024;

  /**
   * Labels that ICU reads, because each costs as much as a whole name: as many as an owner's name
   * has below an international top-level name. The rest counts as one that cannot be read.
   */
  private static final int MAX_INTERNATIONAL = 2;

  /** Makes a name of a single label, which alone is none. */
  private static final String PARENT = ".x";

  private BrokenName() {}

  /** The name; empty when fewer than two labels can be read. */
  static Optional<DomainName> asked(String text) {
    String tail = text.substring(Math.max(0, text.length() - MAX_CHARACTERS));
    String name = withoutLastDots(InternationalName.plainer(tail));
    if (name.indexOf('.') < 0 && DomainName.isAllowed(name)) {
      return Optional.empty(); // one label; a text may have a hundred thousand such hosts
    }
    Optional<DomainName> whole = lowerCase(name);
    if (whole.isPresent()) {
      return whole;
    }
    String readable = "";
    int international = 0;
    int end = name.length();
    while (end >= 0) {
      int dot = name.lastIndexOf('.', end - 1);
      String written = name.substring(dot + 1, end);
      international += DomainName.isAllowed(written) ? 0 : 1;
      String label = international > MAX_INTERNATIONAL ? "" : label(written);
      String more = readable.isEmpty() ? label : label + "." + readable;
      if (label.isEmpty() || more.length() > MAX_READABLE) {
        break;
      }
      readable = more;
      end = dot;
    }
    boolean all = end < 0;
    return lowerCase(readable).map(suffix -> all ? suffix : below(suffix));
  }

  private static DomainName below(DomainName suffix) {
    return new DomainName((UNREADABLE + suffix).getBytes(US_ASCII), suffix.labels() + 1);
  }

  private static String withoutLastDots(String text) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '.') {
      end--;
    }
    return text.substring(0, end);
  }

  /** The lower-case text, where it has the form of a name. */
  private static Optional<DomainName> lowerCase(String text) {
    if (text.isEmpty() || !DomainName.isAllowed(text)) {
      return Optional.empty();
    }
    return DomainName.checked(text.toLowerCase(Locale.ROOT).getBytes(US_ASCII)).toOptional();
  }

  /** One label as it is asked; empty when it cannot be read. */
  private static String label(String text) {
    if (!text.isEmpty() && DomainName.isAllowed(text)) {
      return text.length() > DomainName.MAX_LABEL_OCTETS ? "" : text.toLowerCase(Locale.ROOT);
    }
    return InternationalName.parse(text + PARENT)
        .toOptional()
        .map(DomainName::toString)
        .map(name -> name.substring(0, name.length() - PARENT.length()))
        .orElse("");
  }
}
