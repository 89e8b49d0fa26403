package io.bloomgate.blocklists.filter;

import java.util.Optional;

/** The kinds of filter, with their word in commands and their number in files. */
public enum FilterKind {
  /** Split-block Bloom filter of one 64-byte line a key. */
  SPLIT_BLOCK("split-block", 1);

  private final String word;
  private final int code;

  FilterKind(String word, int code) {
    this.word = word;
    this.code = code;
  }

  /** As commands and JSON spell it. */
  public String word() {
    return word;
  }

  /** As the header of a file holds it; never reused for another kind. */
  int code() {
    return code;
  }

  /** The kind with this word, if there is one. */
  public static Optional<FilterKind> ofWord(String word) {
    for (FilterKind kind : values()) {
      if (kind.word.equals(word)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
