package io.bloomgate.blocklists.sessions;

import io.bloomgate.config.name.Likeness;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of the content of a mail that is kept beside what was listed. Made by the session at the
 * end of its mail, written by {@link DayWriter}. Immutable.
 *
 * @param likeness of the text, for {@code block add --like}; {@code null} when it has none
 * @param keys hashes of prints, sender and hosts of links, for the own memory; empty where nothing
 *     is remembered
 */
public record KeptPrints(@Nullable Likeness likeness, List<Integer> keys) {

  /** Nothing is known of the content. */
  public static final KeptPrints NONE = new KeptPrints(null, List.of());

  /** Octets of a likeness in memory. */
  private static final int LIKENESS_OCTETS = 104;

  /** Octets of one hash in memory. */
  private static final int HASH_OCTETS = 20;

  public KeptPrints {
    keys = List.copyOf(keys);
  }

  /** About how much memory it takes. */
  public int octets() {
    return (likeness == null ? 0 : LIKENESS_OCTETS) + HASH_OCTETS * keys.size();
  }
}
