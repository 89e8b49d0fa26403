package io.bloomgate.blocklists.content;

import org.jspecify.annotations.Nullable;

/** Counts that a mail and the encoded mails in it have in common. Kept by {@link MimeSplitter}. */
final class MailShape {

  /**
   * Readings of texts that may go on at one time beside the first of each: a text on whose type,
   * encoding or charset readers differ must not cost as many times as there are such readers.
   */
  static final int MOST_FURTHER = 2;

  private int parts;
  private int further;
  private int deepest;
  private @Nullable MimeExcess excess;
  private long kept;

  /** Header blocks so far. */
  int parts() {
    return parts;
  }

  /** Most multiparts and mails around one. */
  int deepest() {
    return deepest;
  }

  /** The limit that was passed first, {@code null} for none. */
  @Nullable MimeExcess excess() {
    return excess;
  }

  /** A header block begins. */
  void block(int depth, MimeLimits limits) {
    parts++;
    deepest = Math.max(deepest, depth);
    if (parts > limits.parts()) {
      passed(new MimeExcess(MimeExcess.What.PARTS, limits.parts()));
    }
  }

  /** Octets of memory are taken for what is open, or given back. */
  void keep(int octets) {
    kept += octets;
  }

  /** Octets of memory that are taken now. */
  long keptOctets() {
    return kept;
  }

  /**
   * One more reading of a text begins beside the first.
   *
   * @return false when there are too many: it must not
   */
  boolean beginFurther() {
    if (further == MOST_FURTHER) {
      return false;
    }
    further++;
    return true;
  }

  /** Readings beside the first ended. */
  void endFurther(int readings) {
    further -= readings;
  }

  /** A limit was passed, or none; the first counts. */
  void passed(@Nullable MimeExcess now) {
    excess = excess == null ? now : excess;
  }
}
