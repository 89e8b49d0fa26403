package io.bloomgate.blocklists.file;

import java.util.Arrays;
import java.util.Optional;

/**
 * The content of a paged file. The numbers are in headers and are never given to another kind: 1 to
 * 99 for filters, from 257 on for exact indexes, from 513 on for what is remembered beside them.
 */
public enum FileKind {
  /** Split-block Bloom filter. */
  SPLIT_BLOCK_FILTER(1, "split-block filter"),
  /** Bloom's own filter. */
  CLASSIC_FILTER(2, "classic filter"),
  /** Counting filter. */
  COUNTING_FILTER(3, "counting filter"),
  /** Scalable filter. */
  SCALABLE_FILTER(4, "scalable filter"),
  /** Scalable counting filter. */
  SCALABLE_COUNTING_FILTER(5, "scalable counting filter"),
  /** Binary fuse filter of 8 bits. */
  FUSE8_FILTER(6, "8-bit fuse filter"),
  /** Binary fuse filter of 16 bits. */
  FUSE16_FILTER(7, "16-bit fuse filter"),
  /** Cuckoo filter. */
  CUCKOO_FILTER(8, "cuckoo filter"),
  /** Cascade of filters. */
  CASCADE_FILTER(9, "cascade filter"),
  /** Any filter, compressed for transport. */
  PACKED_FILTER(99, "packed filter"),
  /** Exact index of names and mail addresses. */
  NAME_INDEX(257, "name index"),
  /** Exact index of networks. */
  NETWORK_INDEX(258, "network index"),
  /** AS numbers and countries that a table says of networks. */
  ASN_SAID(259, "table of AS numbers"),
  /** Client networks and senders whose mail was accepted. */
  KNOWN_SENDERS(513, "table of known senders"),
  /** Entries that one publish of a feed brought. */
  NEW_ENTRIES(514, "set of new entries"),
  /** Lines that {@code dedup} has seen. */
  SEEN_LINES(515, "memory of dedup");

  private final int code;
  private final String title;

  FileKind(int code, String title) {
    this.code = code;
    this.title = title;
  }

  /** The number in headers. */
  public int code() {
    return code;
  }

  /** The name for messages. */
  public String title() {
    return title;
  }

  /** The kind with this number, if there is one. */
  public static Optional<FileKind> ofCode(int code) {
    return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
  }
}
