package io.bloomgate.config.name;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;

/**
 * A table of the names that may be public suffixes: 32 bits of the hash of each rule of the list in
 * Guava's jar. The table never misses a suffix; one name in a hundred thousand is wrongly taken for
 * one. Used by {@link PublicSuffixes}, which asks Guava about the few names that this lets through;
 * immutable, any thread, allocates nothing when asked.
 *
 * <p>Guava answers whether a name is a suffix and does not list the suffixes. Their hashes are in a
 * file that {@code SuffixTableTest} makes and compares with Guava's list in each build.
 */
final class SuffixTable {

  /** The file in the folder of this class: the hashes in ascending order, big-endian. */
  static final String FILE = "public-suffixes.hashes";

  private static final int SPREAD = 0x9e37_79b1;

  /** Sets a rule {@code *.x} apart from a rule {@code x}. */
  private static final int WILDCARD = 0x9e37_79b9;

  /** Slots for each hash; the more, the shorter the walk to a free one. */
  private static final int SLOTS_PER_HASH = 4;

  private final int[] slots;

  /** The table of these hashes. */
  SuffixTable(int[] hashes) {
    slots = new int[Integer.highestOneBit(hashes.length * SLOTS_PER_HASH) << 1];
    for (int hash : hashes) {
      int at = slot(hash);
      while (slots[at] != 0) {
        at = (at + 1) & (slots.length - 1);
      }
      slots[at] = hash;
    }
  }

  /** The table of the file that is part of the program. */
  static SuffixTable load() {
    return new SuffixTable(stored());
  }

  /** Reads the hashes of the file. */
  static int[] stored() {
    try (InputStream file = SuffixTable.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException("the program is damaged: " + FILE + " is missing");
      }
      IntBuffer words = ByteBuffer.wrap(file.readAllBytes()).asIntBuffer();
      int[] hashes = new int[words.remaining()];
      words.get(hashes);
      return hashes;
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + FILE, e);
    }
  }

  /** The hash of the rule that equals this name. */
  static int exact(DomainName name) {
    return nonZero(name.hashCode());
  }

  /** The hash of the rule for all names directly below the parent of this name. */
  static int wildcard(DomainName name) {
    int hash = WILDCARD;
    for (int i = name.nextLabel(0); i < name.length(); i++) {
      hash = 31 * hash + name.octetAt(i);
    }
    return nonZero(hash);
  }

  /** Zero marks a free slot. */
  private static int nonZero(int hash) {
    return hash == 0 ? 1 : hash;
  }

  /** False for a name that is certainly no public suffix. */
  boolean mayContain(DomainName name) {
    return holds(exact(name)) || holds(wildcard(name));
  }

  /**
   * The slot where the walk begins; the lowest bits of such hashes are those of the last octets.
   */
  private int slot(int hash) {
    return (hash * SPREAD) >>> (Integer.numberOfLeadingZeros(slots.length) + 1);
  }

  private boolean holds(int hash) {
    int at = slot(hash);
    while (slots[at] != 0) {
      if (slots[at] == hash) {
        return true;
      }
      at = (at + 1) & (slots.length - 1);
    }
    return false;
  }
}
