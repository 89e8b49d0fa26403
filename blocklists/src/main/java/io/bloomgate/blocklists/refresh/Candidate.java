package io.bloomgate.blocklists.refresh;

/**
 * A stored version that passed the guard and is to go live. Immutable.
 *
 * @param origin how it came to be judged
 */
record Candidate(FeedVersion version, Origin origin) {

  /** Where the octets are from. */
  enum Origin {
    /** The source had them just now. */
    FETCHED,
    /** They waited for the operator, and the guard of today lets them through. */
    HELD,
    /** They are live, and the settings read them in another way. */
    LIVE
  }
}
