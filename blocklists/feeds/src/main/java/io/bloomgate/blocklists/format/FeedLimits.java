package io.bloomgate.blocklists.format;

import java.time.Duration;

/** Every bound on what a feed may cost, with its unit. Used by fetch, format and guard. */
public final class FeedLimits {

  /** Octets taken from the network or a file for one version. */
  public static final long FETCHED_OCTETS = 1L << 30;

  /** Octets of one version after decompression; keeps line numbers within an {@code int}. */
  public static final long CONTENT_OCTETS = (1L << 31) - 1;

  /**
   * The largest ratio of a text to its compressed size. Real lists compress to a tenth, a list of
   * one line repeated to a three-hundredth; deflate ends at a thousandth.
   */
  public static final long INFLATION = 400;

  /** Octets that a small file may inflate to, whatever the ratio. */
  public static final long INFLATION_FREE_OCTETS = 1L << 25;

  /** Memory that a decompressor may ask for, in MiB; xz -9 needs 65. */
  public static final int DECOMPRESSOR_MEBIBYTES = 100;

  /** Octets of one line, or of one CSV record; what is longer is one bad line. */
  public static final int LINE_OCTETS = 1 << 16;

  /** Further lines that one record of a table or zone may go over. */
  public static final int LINES_PER_RECORD = 100;

  /**
   * Quotes of a table that may have no end; each costs {@link #LINES_PER_RECORD} lines of looking
   * for it. Behind that a record ends with its line.
   */
  public static final int UNCLOSED_QUOTES = 1000;

  /** Octets of a local part in a feed, RFC 5321 section 4.5.3.1.1. */
  public static final int LOCAL_PART_OCTETS = 64;

  /** Characters of a bad line that are kept, after escaping. */
  public static final int PROBLEM_TEXT_CHARACTERS = 80;

  /** Bad lines that a report shows; all are counted. */
  public static final int SHOWN_PROBLEMS = 100;

  /** Entries of each reason that a report of a guard names; all are counted. */
  public static final int SHOWN_HELD = 20;

  /** Octets of a text that are looked at to find its format. */
  public static final int DETECTION_OCTETS = 1 << 16;

  /** Octets of one MMDB file, which is in memory while it is read. */
  public static final int MMDB_OCTETS = 1 << 26;

  /** Files that one glob may match. */
  public static final int FILES_PER_SOURCE = 1000;

  /** Redirects that one fetch follows. */
  public static final int REDIRECTS = 5;

  /** Time to open a connection to a feed server, for each of its addresses. */
  public static final Duration CONNECT_TIME = Duration.ofSeconds(20);

  /** Time without an octet from a feed server. */
  public static final Duration SILENCE_TIME = Duration.ofMinutes(1);

  /** Time to look whether a file has changed. */
  public static final Duration LOOK_TIME = Duration.ofSeconds(5);

  /** Time for a whole fetch, redirects, parts and mirrors included. */
  public static final Duration FETCH_TIME = Duration.ofMinutes(10);

  /** Longest time that a server may ask us to stay away with Retry-After. */
  public static final Duration RETRY_AFTER = Duration.ofDays(1);

  /**
   * Heap, in octets, that an entry of a version may take while it is compared with the live one: 8
   * in each of the two, 12 while the second is collected, and what the gateway needs for itself.
   * With 512 MiB of heap a version may have 12 million entries.
   */
  private static final long HEAP_OCTETS_PER_ENTRY = 44;

  /** Entries of one version that a heap of this size has room for. */
  public static long entries(long heapOctets) {
    return heapOctets / HEAP_OCTETS_PER_ENTRY;
  }

  /** Heap that this number of entries takes at most, in octets. */
  public static long heapOctets(long entries) {
    return entries * HEAP_OCTETS_PER_ENTRY;
  }

  private FeedLimits() {}
}
