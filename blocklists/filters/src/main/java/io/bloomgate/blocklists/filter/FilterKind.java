package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.config.name.Keyed;
import java.util.Arrays;
import java.util.Optional;

/** The kinds of filter, with their word in commands and their mark in files. */
public enum FilterKind implements Keyed {
  /** Split-block Bloom filter of one 64-byte line a key. */
  SPLIT_BLOCK("split-block", FileKind.SPLIT_BLOCK_FILTER),
  /** Bloom's own filter. */
  CLASSIC("classic", FileKind.CLASSIC_FILTER),
  /** Counters instead of bits, so that keys can be removed. */
  COUNTING("counting", FileKind.COUNTING_FILTER),
  /** Slices that are added as it grows. */
  SCALABLE("scalable", FileKind.SCALABLE_FILTER),
  /** Slices of counters. */
  SCALABLE_COUNTING("scalable-counting", FileKind.SCALABLE_COUNTING_FILTER),
  /** Binary fuse filter with fingerprints of 8 bits. */
  FUSE8("fuse8", FileKind.FUSE8_FILTER),
  /** Binary fuse filter with fingerprints of 16 bits. */
  FUSE16("fuse16", FileKind.FUSE16_FILTER),
  /** Buckets of fingerprints. */
  CUCKOO("cuckoo", FileKind.CUCKOO_FILTER),
  /** Levels of filters that exclude a known-good set exactly. */
  CASCADE("cascade", FileKind.CASCADE_FILTER);

  private final String word;
  private final FileKind file;

  FilterKind(String word, FileKind file) {
    this.word = word;
    this.file = file;
  }

  /** The name of the kind in commands and JSON. */
  public String word() {
    return word;
  }

  /** The name of the kind in the header of a file. */
  public FileKind file() {
    return file;
  }

  @Override
  public String key() {
    return word;
  }

  /** The kind that a file is of, if it is a filter. */
  public static Optional<FilterKind> ofFile(FileKind file) {
    return Arrays.stream(values()).filter(kind -> kind.file == file).findFirst();
  }
}
