package io.bloomgate.blocklists.generation;

import io.bloomgate.config.json.JsonRecords.Named;
import java.util.List;

/**
 * The effect of one list on the known-good set. Found by {@link KnownGoodProof}. Immutable.
 *
 * @param subjects of the set that are listed, wholly or in part
 * @param entries that list one of them, at most {@link KnownGoodProof#MAX_ENTRIES}
 * @param sample such entries by their lines, at most {@link #SAMPLE}
 * @param allowed how many of them the operator's allow entries name, which win over the list
 */
public record KnownGoodHits(long subjects, long entries, List<Hit> sample, long allowed) {

  /** Entries that are named. */
  public static final int SAMPLE = 20;

  /** Place of a subject that is in no file, because the operator allows it. */
  public static final String ALLOW_ENTRY = "allow entry";

  /** Place of a subject that is in no file, because accepted mail came from it. */
  public static final String KNOWN_SENDER = "known sender";

  /** Nothing is hit. */
  public static final KnownGoodHits NONE = new KnownGoodHits(0, 0, List.of());

  /**
   * An entry, and the first of the subjects that it lists.
   *
   * @param entry its canonical text
   * @param line of the list
   * @param place where the subject comes from, {@code FILE:LINE} or {@link #ALLOW_ENTRY}
   */
  public record Hit(String entry, int line, String subject, @Named("file") String place) {}

  public KnownGoodHits {
    sample = List.copyOf(sample);
  }

  /** Hits on subjects that no allow entry names. */
  public KnownGoodHits(long subjects, long entries, List<Hit> sample) {
    this(subjects, entries, sample, 0);
  }
}
