package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.format.octets.FeedLimits;

/** Every bound on what a leader may publish and a follower takes, with its unit. */
final class FleetLimits {

  /** Octets of a manifest: {@link #FEEDS} with {@link #DELTAS} each fit. */
  static final int MANIFEST_OCTETS = 4 << 20;

  /** Octets of a signature (RFC 8032). */
  static final int SIGNATURE_OCTETS = 64;

  /** Feeds of one manifest. */
  static final int FEEDS = 2000;

  /**
   * Deltas of one feed: a follower may be this number of versions behind without taking a whole
   * text.
   */
  static final int DELTAS = 8;

  /** Octets of a deflated text or delta. */
  static final long PACKED_OCTETS = FeedLimits.FETCHED_OCTETS;

  /** Octets of a text. */
  static final long TEXT_OCTETS = FeedLimits.CONTENT_OCTETS;

  /** Characters of a name, of a feed or of who accepted a version. */
  static final int NAME_CHARACTERS = 128;

  /** Intervals without a new manifest, after which followers fetch feeds themselves. */
  static final int INTERVALS = 3;

  /** Part of the heap that the table of lines of a delta may take. */
  static final double HEAP_FOR_LINES = 0.25;

  private FleetLimits() {}
}
