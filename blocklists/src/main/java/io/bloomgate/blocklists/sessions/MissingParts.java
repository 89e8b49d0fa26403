package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.impact.PastSession.Missing;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which texts of a row are not the original ones, in the column {@code bits}. The texts themselves
 * cannot say it: a client may send one that looks like a masked or a cut text. Used by {@link
 * DayWriter}, {@link DayRows} and {@link PastRows}; pure.
 */
final class MissingParts {

  /** Behind those of {@link Packed}. */
  private static final int SHIFT = 24;

  /** Set where the bits say it; rows of earlier releases do not have it. */
  private static final int SAID = 1 << SHIFT;

  /** In the order of the bits, which is part of the file format: a new one goes to the end. */
  private static final List<Missing> PARTS =
      List.of(
          Missing.HELO,
          Missing.SENDER,
          Missing.SENDER_DOMAIN,
          Missing.RECIPIENT,
          Missing.CLIENT_NAME);

  private static final int MASK = (1 << PARTS.size()) - 1;

  private static final List<Set<Missing>> SETS = sets();

  private MissingParts() {}

  private static List<Set<Missing>> sets() {
    List<Set<Missing>> sets = new ArrayList<>();
    for (int bits = 0; bits <= MASK; bits++) {
      Set<Missing> set = EnumSet.noneOf(Missing.class);
      for (int i = 0; i < PARTS.size(); i++) {
        if (((bits >> i) & 1) != 0) {
          set.add(PARTS.get(i));
        }
      }
      sets.add(Set.copyOf(set));
    }
    return List.copyOf(sets);
  }

  /** The bits of these parts. */
  static int bits(Set<Missing> missing) {
    int bits = 0;
    for (Missing part : missing) {
      bits |= 1 << PARTS.indexOf(part);
    }
    return SAID | bits << (SHIFT + 1);
  }

  /** What is hidden of a session, and what rows cut of it and of this answer. */
  static Set<Missing> ofRow(KeptSession session, KeptDecision decision) {
    EnumSet<Missing> missing = EnumSet.noneOf(Missing.class);
    missing.addAll(session.missing());
    String from = session.from();
    addIf(RowText.cutsHelo(session.helo()), Missing.HELO, missing);
    addIf(from != null && RowText.cutsLocal(from), Missing.SENDER, missing);
    addIf(from != null && RowText.cutsDomainOf(from), Missing.SENDER_DOMAIN, missing);
    addIf(
        RowText.cutsLocal(decision.to()) || RowText.cutsDomainOf(decision.to()),
        Missing.RECIPIENT,
        missing);
    addIf(RowText.cutsDomain(session.name().name()), Missing.CLIENT_NAME, missing);
    return missing;
  }

  private static void addIf(boolean yes, Missing part, Set<Missing> missing) {
    if (yes) {
      missing.add(part);
    }
  }

  /** What a row says; {@code null} for a row of an earlier release. */
  static @Nullable Set<Missing> of(int bits) {
    return (bits & SAID) == 0 ? null : SETS.get(bits >>> (SHIFT + 1) & MASK);
  }

  /**
   * What looks masked or cut in a row of an earlier release.
   *
   * @param local {@code null} before MAIL
   */
  static Set<Missing> guessed(
      String name, String helo, @Nullable String local, String domain, String to) {
    EnumSet<Missing> missing = EnumSet.noneOf(Missing.class);
    addIf(!KeptSession.looksWhole(helo), Missing.HELO, missing);
    addIf(!KeptSession.looksWhole(name), Missing.CLIENT_NAME, missing);
    addIf(!KeptSession.looksWhole(to), Missing.RECIPIENT, missing);
    if (local != null && !(local.isEmpty() && domain.isEmpty())) {
      boolean wholeDomain = KeptSession.looksWhole(domain);
      boolean wholeLocal = KeptSession.looksWhole(local);
      addIf(!wholeLocal || !wholeDomain, Missing.SENDER, missing);
      addIf(!wholeDomain || (!wholeLocal && domain.isEmpty()), Missing.SENDER_DOMAIN, missing);
    }
    return missing;
  }
}
